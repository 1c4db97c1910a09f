#include "harness/kernel/kernel.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

class NamedKernel : public Kernel {
 public:
  explicit NamedKernel(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  std::string formula() const override { return "y = x"; }
  std::vector<Parameter> parameters() const override { return {}; }
  Result<ProblemPtr> problem(Dtype, const Axes&) const override { return Error{"has no problems"}; }
  std::vector<ProblemPtr> check_problems(Dtype, const Axes&, const Axes&) const override { return {}; }
  std::vector<WrongKernel> wrong_kernels(Dtype) const override { return {}; }

 private:
  std::string name_;
};

const NamedKernel stencil("stencil"), reduction("reduction");
const Register<Kernel> register_stencil(&stencil), register_reduction(&reduction);

TEST(Kernel, RegisteredKindsAreFoundByName) {
  EXPECT_EQ(find_kernel("stencil"), &stencil);
  EXPECT_EQ(find_kernel("reduction"), &reduction);
  EXPECT_EQ(find_kernel("gemm"), nullptr);
  EXPECT_EQ(kernel_names(), (std::vector<std::string>{"reduction", "stencil"}));
}

}  // namespace
}  // namespace harness
