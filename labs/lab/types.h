// Names shared by all kernel headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>

#include "lab/abi.h"

#if defined(__CUDACC__) || defined(__HIPCC__) || defined(LAB_EMULATED)
#include "lab/gpu.h"
#endif

/// Before a function that CPU and GPU variants both call.
#ifdef LAB_GPU
#define LAB_HOST_DEVICE __host__ __device__
#else
#define LAB_HOST_DEVICE
#endif

namespace lab {

#ifndef LAB_GPU
/// Stands in for the GPU runtime's stream where there is none.
using Stream = void*;
#endif

/// Exceptions must not cross into the worker, which has no C++ runtime.
template <class Body>
int guarded(const Body& body) {
#ifdef __cpp_exceptions
  try {
    body();
  } catch (const std::bad_alloc&) {
    return LAB_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());  // kept with what the variant prints
    return LAB_EXCEPTION;
  } catch (...) {
    return LAB_EXCEPTION;
  }
#else
  body();
#endif
  return LAB_OK;
}

// The type tokens that the entry macros accept, and the names they have everywhere else.
#define LAB_TYPE_NAME_float f32
#define LAB_TYPE_NAME_double f64
#define LAB_TYPE_NAME(T) LAB_TYPE_NAME_##T

#define LAB_JOIN_(a, b) a##b
#define LAB_JOIN(a, b) LAB_JOIN_(a, b)
/// LAB_SYMBOL(lab_cpu_gemm_, float) is lab_cpu_gemm_f32
#define LAB_SYMBOL(prefix, T) LAB_JOIN(prefix, LAB_TYPE_NAME(T))

}  // namespace lab
