#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/check/check.h"

namespace harness {

namespace {

// u: unit roundoff of the accumulator (0: that of the type). u_in: of the inputs. TF32 keeps 10 bits of the
// significand and rounds or truncates: 2^-10 covers both. normwise: algorithms like Strassen's and Winograd's (Higham
// 2002, section 23.2.2). faster: tensor units reach 8 times (TF32 on an H100) and matrix units of a CPU 16 times the
// rate of the vector units.
const Precision known[] = {{"ieee"}, {"tf32", 0, 0x1p-10, false, 16}, {"normwise", 0, 0, true}};

}  // namespace

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const Precision& p : known) names.push_back(p.name);
  return names;
}

Result<Precision> find_precision(const std::string& name, Dtype dtype) {
  // The matrix units of a CPU reach 32 times the rate of its vector units with bfloat16, tensor units 16 times.
  if (name.empty()) return Precision{.faster = dtype == Dtype::bf16 ? 32.0 : 1.0};
  for (const Precision& p : known) {
    if (p.name != name) continue;
    if (name == "tf32" && dtype != Dtype::f32) return Error{"LAB_PRECISION(tf32) is for f32 only"};
    return p;
  }
  const std::vector<std::string> names = precision_names();
  return Error{fmt::format("unknown precision \"{}\" in LAB_PRECISION{}; there are {}", name, did_you_mean(name, names),
                           join(names, ", "))};
}

}  // namespace harness
