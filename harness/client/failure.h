// What went wrong with one variant.
#pragma once

#include <cstdint>
#include <string>

#include "harness/base/result.h"
#include "harness/base/status.h"

namespace harness {

/// Why a case did not pass: the status, and a sentence for the student.
struct Failure {
  Status status = Status::CRASHED;
  std::string message;
  enum class Whose { variant, machine } whose = Whose::variant;
  /// What the wrong cells show, for choosing the shape that explains a mistake best.
  enum class Shows { nothing, pattern, not_a_number } shows = Shows::nothing;
  bool by_chance = false;  // these data cannot show whether the variant is right; it must be called with other data
  bool starts_threads = false;  // a thread or a process where it may have one thread
  uint64_t code = 0;  // where it happened: an offset in the variant's object; 0: not known
};
template <class T>
using Tried = Result<T, Failure>;

}  // namespace harness
