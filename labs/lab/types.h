// Names that all kernel headers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <initializer_list>  // for (int i : {1, 2})
#include <new>

#include "lab/abi.h"
#include "lab/bf16.h"

#if defined(__CUDACC__) || defined(__HIPCC__) || defined(LAB_EMULATED)
#include "lab/gpu.h"
#endif

/// Put it before a function that both CPU and GPU variants call.
#ifdef LAB_GPU
#define LAB_HOST_DEVICE __host__ __device__
#else
#define LAB_HOST_DEVICE
#endif

namespace lab {

#ifndef LAB_GPU
/// Replaces the stream type of the GPU runtime in CPU builds.
using Stream = void*;
#endif

/// A variant throws this for a problem that it does not support by design: throw lab::Unsupported("stride 1
/// only"). The case becomes SKIPPED with that text, and the check uses other shapes.
// Without std::string, because its header takes most of the time that a small variant compiles.
struct Unsupported : std::exception {
  explicit Unsupported(const char* why) { std::snprintf(text, sizeof text, "%s", why); }
  template <class String, class = decltype(&String::c_str)>
  explicit Unsupported(const String& why) : Unsupported(why.c_str()) {}
  const char* what() const noexcept override { return text; }
  char text[256];
};

/// The text of the last lab::Unsupported.
inline char message[sizeof(Unsupported::text)] = "";

/// Exceptions must not reach the worker, which has no C++ runtime.
template <class Body>
int guarded(const Body& body) {
#ifdef __cpp_exceptions
  try {
    body();
  } catch (const std::bad_alloc&) {
    return LAB_OUT_OF_MEMORY;
  } catch (const Unsupported& e) {
    std::snprintf(message, sizeof message, "%s", e.what());
    return LAB_UNSUPPORTED;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());  // the harness keeps what a variant prints
    return LAB_EXCEPTION;
  } catch (...) {
    return LAB_EXCEPTION;
  }
#else
  body();
#endif
  return LAB_OK;
}

LAB_EXPORT inline const char* lab_message() { return message; }

}  // namespace lab
