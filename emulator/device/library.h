// Checks the memory that is passed to a library (cuBLAS, cuDNN) before the library uses it. On a real device,
// a wrong leading dimension or a host pointer causes a fault somewhere inside the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lab/diagnostics.h"

namespace lab::emulated {

/// Elements at index * stride from the first one, in up to four dimensions, the innermost last.
struct Box {
  int64_t extent[4] = {1, 1, 1, 1};
  int64_t stride[4] = {0, 0, 0, 0};  // in elements, none of them negative

  bool empty() const;
  /// The number of elements from the first to the last one, gaps included, or more than any memory has.
  int64_t reach() const;
};
/// A BLAS vector. A negative increment uses the same elements in reverse order.
Box vector_box(int64_t length, int64_t increment);
/// Column-major.
Box matrix_box(int64_t rows, int64_t columns, int64_t ld, int64_t batch = 1, int64_t batch_stride = 0);

class LibraryCall {
 public:
  /// `return_address` tells where in the student's code the call is.
  LibraryCall(const char* function, const void* return_address)
      : function_(function), return_address_(return_address) {}

  /// False: the access is not allowed; it was reported and the context is lost. `what` is for example "matrix
  /// A".
  bool reads(const char* what, const void* p, const Box& box, size_t element) const;
  bool writes(const char* what, const void* p, const Box& box, size_t element) const;
  /// To be called after the library has written.
  void wrote(const void* p, const Box& box, size_t element) const;
  /// A scalar that the library reads or writes on the host.
  bool on_host(const char* what, const void* p) const;

 private:
  bool allowed(const char* what, const void* p, const Box& box, size_t element, lab_access access) const;
  lab_diagnostic diagnostic(lab_diagnostic_kind kind, size_t element, lab_access access) const;
  bool refuse(const lab_diagnostic& f, const char* what, const std::string& why) const;

  const char* function_;
  const void* return_address_;
};

}  // namespace lab::emulated
