#error "the emulated device has no half precision (cuda_fp16.h)"
