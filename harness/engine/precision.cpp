// LAB_PRECISION(...): the arithmetic that a variant declares, if it is not that of its type.
#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/engine/check_build.h"

namespace harness {

Result<Precision> find_precision(const std::string& name, Dtype dtype) {
  // u: unit roundoff of the accumulator (0: that of the type). u_in: of the inputs. TF32 keeps 10 bits of the
  // significand and rounds or truncates: 2^-10 covers both. normwise: algorithms like Strassen's and Winograd's (Higham
  // 2002, section 23.2.2).
  const Precision known[] = {{"ieee", 0, 0, false}, {"tf32", 0, 0x1p-10, false}, {"normwise", 0, 0, true}};
  if (name.empty()) return known[0];
  std::vector<std::string> names;
  for (const Precision& p : known) {
    if (p.name == name) {
      if (name == "tf32" && dtype != Dtype::f32) return Error{"LAB_PRECISION(tf32) is for f32 only"};
      return p;
    }
    names.push_back(p.name);
  }
  return Error{fmt::format("unknown precision \"{}\" in LAB_PRECISION{}; there are {}", name, did_you_mean(name, names),
                           join(names, ", "))};
}

}  // namespace harness
