// Names of CUDA that course code uses: headers, attributes, occupancy, launch configurations, names of its own such as gridDim.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <mma.h>
#include <nvtx3/nvToolsExt.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>

#include "lab/gemm.h"
namespace cg = cooperative_groups;
extern __shared__ float dynamic[];
__constant__ float factors[3];
template <class T>
__global__ void __cluster_dims__(1, 1, 1)
    kernel(int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc) {
  const int warpSize = 32;
  (void)warpSize;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  __shared__ __align__(16) float s[4];
  __shared__ alignas(16) unsigned char bytes[16];
  if ((reinterpret_cast<size_t>(s) | reinterpret_cast<size_t>(bytes)) % 16) __trap();
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  cuda::std::array<T, 1> sum{0};
  if (i < m && j < n)
    for (int p = 0; p < k; ++p) sum[0] += a[(int64_t)i * lda + p] * b[(int64_t)p * ldb + j];
  __half h = __float2half(1.0f);
  __nv_bfloat16 q = __float2bfloat16(1.0f);
  if (__half2float(h) != __bfloat162float(q)) return;
  (void)tile;
  if (i < m && j < n) lab::update(c[(int64_t)i * ldc + j], sum[0], alpha, beta);
}
__global__ void nothing(time_t, clock_t) {}
LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  dim3 blockDim(16, 16);
  dim3 gridDim((g.n + 15) / 16, (g.m + 15) / 16);
  nvtxRangePushA("x");
  nvtxRangePop();
  cudaProfilerStart();
  cudaProfilerStop();
  cudaFuncAttributes at;
  cudaFuncGetAttributes(&at, kernel<float>);
  cudaFuncSetAttribute((const void*)kernel<float>, cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxShared);
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel<float>, 256, 0);
  size_t left;
  cudaOccupancyAvailableDynamicSMemPerBlock(&left, kernel<float>, 2, 256);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  if (device.surfaceAlignment + device.uuid.bytes[0] == 1 && device.clusterLaunch > 1) return;
  const float three[3] = {1, 2, 3};
  float back[3];
  cudaMemcpyToSymbolAsync(factors, three, sizeof three);
  cudaMemcpyFromSymbolAsync(back, factors, sizeof back);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  // clang-format off
  nothing << <1, 1, 0, stream >> > (time(nullptr), clock());  // Some formatters write it so; nvcc includes time.h.
  // clang-format on
  cudaLaunchConfig_t config{};
  config.gridDim = gridDim;
  config.blockDim = blockDim;
  config.stream = stream;
  cudaLaunchKernelEx(&config, kernel<float>, int(g.m), int(g.n), int(g.k), g.alpha, g.a, int(g.lda), g.b, int(g.ldb),
                     g.beta, g.c, int(g.ldc));
}
