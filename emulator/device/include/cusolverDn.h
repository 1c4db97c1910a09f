#error "the emulated device has no cuSOLVER (cusolverDn.h)"
