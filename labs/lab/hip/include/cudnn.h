#error "the HIP target has no cuDNN (cudnn.h): its counterpart is MIOpen"
