// The runtime's error codes, with CUDA's numbers.
#pragma once

#define LAB_CUDA_ERRORS(X)                                                         \
  X(cudaSuccess, 0, "no error")                                                    \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                  \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                 \
  X(cudaErrorInitializationError, 3, "initialization error")                       \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")            \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                      \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                           \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                   \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")      \
  X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
  X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable") \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                  \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                         \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                \
  X(cudaErrorNotReady, 600, "device not ready")                                    \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")      \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")        \
  X(cudaErrorMisalignedAddress, 716, "misaligned address")                         \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                     \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
  X(cudaErrorAssert, 710, "device-side assert triggered")                          \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")      \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                 \
  X(cudaErrorNotSupported, 801, "operation not supported")                         \
  X(cudaErrorUnknown, 999, "unknown error")

#define LAB_ENUMERATOR(name, number, text) name = number,
typedef enum cudaError { LAB_CUDA_ERRORS(LAB_ENUMERATOR) } cudaError_t;
#undef LAB_ENUMERATOR
