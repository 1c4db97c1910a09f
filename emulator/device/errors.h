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
typedef enum cudaError {
  LAB_CUDA_ERRORS(LAB_ENUMERATOR)
  // The device never gives these, but programs name them.
  cudaErrorCudartUnloading = 4, cudaErrorProfilerDisabled = 5, cudaErrorProfilerNotInitialized = 6,
  cudaErrorProfilerAlreadyStarted = 7, cudaErrorProfilerAlreadyStopped = 8, cudaErrorInvalidHostPointer = 16,
  cudaErrorInvalidTexture = 18, cudaErrorInvalidTextureBinding = 19, cudaErrorInvalidChannelDescriptor = 20,
  cudaErrorAddressOfConstant = 22, cudaErrorTextureFetchFailed = 23, cudaErrorTextureNotBound = 24,
  cudaErrorSynchronizationError = 25, cudaErrorInvalidFilterSetting = 26, cudaErrorInvalidNormSetting = 27,
  cudaErrorMixedDeviceExecution = 28, cudaErrorNotYetImplemented = 31, cudaErrorMemoryValueTooLarge = 32,
  cudaErrorStubLibrary = 34, cudaErrorCallRequiresNewerDriver = 36, cudaErrorInvalidSurface = 37,
  cudaErrorDuplicateVariableName = 43, cudaErrorDuplicateTextureName = 44, cudaErrorDuplicateSurfaceName = 45,
  cudaErrorIncompatibleDriverContext = 49, cudaErrorMissingConfiguration = 52, cudaErrorPriorLaunchFailure = 53,
  cudaErrorLaunchMaxDepthExceeded = 65, cudaErrorLaunchFileScopedTex = 66, cudaErrorLaunchFileScopedSurf = 67,
  cudaErrorSyncDepthExceeded = 68, cudaErrorLaunchPendingCountExceeded = 69, cudaErrorDeviceNotLicensed = 102,
  cudaErrorSoftwareValidityNotEstablished = 103, cudaErrorStartupFailure = 127, cudaErrorInvalidKernelImage = 200,
  cudaErrorDeviceUninitialized = 201, cudaErrorMapBufferObjectFailed = 205, cudaErrorUnmapBufferObjectFailed = 206,
  cudaErrorArrayIsMapped = 207, cudaErrorAlreadyMapped = 208, cudaErrorNoKernelImageForDevice = 209,
  cudaErrorAlreadyAcquired = 210, cudaErrorNotMapped = 211, cudaErrorNotMappedAsArray = 212,
  cudaErrorNotMappedAsPointer = 213, cudaErrorECCUncorrectable = 214, cudaErrorUnsupportedLimit = 215,
  cudaErrorDeviceAlreadyInUse = 216, cudaErrorPeerAccessUnsupported = 217, cudaErrorInvalidPtx = 218,
  cudaErrorInvalidGraphicsContext = 219, cudaErrorNvlinkUncorrectable = 220, cudaErrorJitCompilerNotFound = 221,
  cudaErrorUnsupportedPtxVersion = 222, cudaErrorJitCompilationDisabled = 223, cudaErrorUnsupportedExecAffinity =
  224, cudaErrorUnsupportedDevSideSync = 225, cudaErrorContained = 226, cudaErrorInvalidSource = 300,
  cudaErrorFileNotFound = 301, cudaErrorSharedObjectSymbolNotFound = 302, cudaErrorSharedObjectInitFailed = 303,
  cudaErrorOperatingSystem = 304, cudaErrorIllegalState = 401, cudaErrorLossyQuery = 402, cudaErrorSymbolNotFound =
  500, cudaErrorLaunchIncompatibleTexturing = 703, cudaErrorPeerAccessNotEnabled = 705, cudaErrorSetOnActiveProcess =
  708, cudaErrorContextIsDestroyed = 709, cudaErrorTooManyPeers = 711, cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorHostMemoryNotRegistered = 713, cudaErrorHardwareStackError = 714, cudaErrorIllegalInstruction = 715,
  cudaErrorInvalidAddressSpace = 717, cudaErrorInvalidPc = 718, cudaErrorTensorMemoryLeak = 721,
  cudaErrorNotPermitted = 800, cudaErrorSystemNotReady = 802, cudaErrorSystemDriverMismatch = 803,
  cudaErrorCompatNotSupportedOnDevice = 804, cudaErrorMpsConnectionFailed = 805, cudaErrorMpsRpcFailure = 806,
  cudaErrorMpsServerNotReady = 807, cudaErrorMpsMaxClientsReached = 808, cudaErrorMpsMaxConnectionsReached = 809,
  cudaErrorMpsClientTerminated = 810, cudaErrorCdpNotSupported = 811, cudaErrorCdpVersionMismatch = 812,
  cudaErrorStreamCaptureUnsupported = 900, cudaErrorStreamCaptureInvalidated = 901, cudaErrorStreamCaptureMerge =
  902, cudaErrorStreamCaptureUnmatched = 903, cudaErrorStreamCaptureUnjoined = 904, cudaErrorStreamCaptureIsolation =
  905, cudaErrorStreamCaptureImplicit = 906, cudaErrorCapturedEvent = 907, cudaErrorStreamCaptureWrongThread = 908,
  cudaErrorTimeout = 909, cudaErrorGraphExecUpdateFailure = 910, cudaErrorExternalDevice = 911,
  cudaErrorInvalidClusterSize = 912, cudaErrorFunctionNotLoaded = 913, cudaErrorInvalidResourceType = 914,
  cudaErrorInvalidResourceConfiguration = 915, cudaErrorApiFailureBase = 10000,
} cudaError_t;
#undef LAB_ENUMERATOR
