// Submissions after the deadline: what their points count.
#pragma once

#include <string>

#include "harness/config/grade.h"

namespace harness {

struct Lateness {
  double factor = 1;
  std::string why;  // empty: in time
};

/// `late_s`: seconds after the deadline, with the student's extension.
Lateness lateness(const LatePolicy& policy, double late_s);

}  // namespace harness
