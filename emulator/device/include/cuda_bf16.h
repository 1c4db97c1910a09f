#error "the emulated device has no bfloat16 (cuda_bf16.h)"
