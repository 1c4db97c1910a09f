#include "harness/kernel/kind.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

class NamedKind : public Kind {
 public:
  explicit NamedKind(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::string formula() const override { return "y = x"; }
  std::vector<Parameter> parameters() const override { return {}; }
  Result<ProblemPtr> problem(Dtype, const Axes&) const override { return Error{"has no problems"}; }
  std::vector<ProblemPtr> check_problems(Dtype, const Axes&, const Axes&) const override { return {}; }
  std::vector<WrongKernel> wrong_kernels(Dtype) const override { return {}; }

 private:
  std::string name_;
};

const NamedKind stencil("stencil"), reduction("reduction");
const Register<Kind> register_stencil(&stencil), register_reduction(&reduction);

TEST(Kind, RegisteredKindsAreFoundByName) {
  EXPECT_EQ(find_kind("stencil"), &stencil);
  EXPECT_EQ(find_kind("reduction"), &reduction);
  EXPECT_EQ(find_kind("gemm"), nullptr);
  EXPECT_EQ(kind_names(), (std::vector<std::string>{"reduction", "stencil"}));
}

}  // namespace
}  // namespace harness
