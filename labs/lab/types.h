// Names shared by all kernel headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

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

/// Thrown by a variant on a problem that it does not do by design: throw lab::Unsupported("stride 1 only").
/// The case is SKIPPED with that text, and the check takes other shapes.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the last lab::Unsupported said.
inline std::string& message() {
  static std::string text;
  return text;
}

/// Exceptions must not cross into the worker, which has no C++ runtime.
template <class Body>
int guarded(const Body& body) {
#ifdef __cpp_exceptions
  try {
    body();
  } catch (const std::bad_alloc&) {
    return LAB_OUT_OF_MEMORY;
  } catch (const Unsupported& e) {
    message() = e.what();
    return LAB_UNSUPPORTED;
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

LAB_EXPORT inline const char* lab_message() { return message().c_str(); }

// The type tokens that the entry macros accept, and the names they have everywhere else.
#define LAB_TYPE_NAME_float f32
#define LAB_TYPE_NAME_double f64
#define LAB_TYPE_NAME(T) LAB_TYPE_NAME_##T

#define LAB_JOIN_(a, b) a##b
#define LAB_JOIN(a, b) LAB_JOIN_(a, b)
/// LAB_SYMBOL(lab_cpu_gemm_, float) is lab_cpu_gemm_f32
#define LAB_SYMBOL(prefix, T) LAB_JOIN(prefix, LAB_TYPE_NAME(T))

}  // namespace lab
