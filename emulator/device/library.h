// Memory that a library (cuBLAS, cuDNN) was given, checked before the library touches it: on a device, a
// wrong leading dimension or a host pointer ends in a fault somewhere inside.
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
  /// Elements from the first to behind the last, or more than any memory has.
  int64_t reach() const;
};
/// BLAS's vector: a negative increment walks the same elements from the other end.
Box vector_box(int64_t length, int64_t increment);
/// Column-major.
Box matrix_box(int64_t rows, int64_t columns, int64_t ld, int64_t batch = 1, int64_t batch_stride = 0);

class LibraryCall {
 public:
  /// `return_address`: where in the student's code the call is.
  LibraryCall(const char* function, const void* return_address)
      : function_(function), return_address_(return_address) {}

  /// False: it may not be done, which was told and the context lost. `what`: "matrix A".
  bool reads(const char* what, const void* p, const Box& box, size_t element) const;
  bool writes(const char* what, const void* p, const Box& box, size_t element) const;
  /// After writing.
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
