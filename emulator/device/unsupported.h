// Common CUDA names that the emulated device does not have. Their error message is clearer than "was not
// declared".
#pragma once

#define LAB_MISSING(name, what) \
  template <class... T>         \
  [[gnu::error("the emulated device has no " what)]] int name(T&&...);

LAB_MISSING(__activemask, "__activemask(): pass the mask of the lanes that you mean")
LAB_MISSING(cudaLaunchKernel, "cudaLaunchKernel(): use <<< >>>")
LAB_MISSING(cudaLaunchCooperativeKernel, "cooperative launches")
LAB_MISSING(cudaGraphCreate, "CUDA graphs")
LAB_MISSING(cudaGraphLaunch, "CUDA graphs")
LAB_MISSING(cudaStreamBeginCapture, "CUDA graphs")
LAB_MISSING(cudaCreateTextureObject, "textures")
LAB_MISSING(cudaBindTexture, "textures")
LAB_MISSING(tex1Dfetch, "textures")
LAB_MISSING(tex2D, "textures")
LAB_MISSING(cudaMallocManaged, "managed memory: use cudaMalloc and cudaMemcpy")
LAB_MISSING(cudaMallocArray, "CUDA arrays")
LAB_MISSING(__nanosleep, "__nanosleep()")
LAB_MISSING(__dp4a, "__dp4a()")
#undef LAB_MISSING
