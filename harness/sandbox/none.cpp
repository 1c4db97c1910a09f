// No sandbox: for machines that have none, and for your own code.
#include "harness/sandbox/sandbox.h"

namespace harness {
namespace {

class None final : public Sandbox {
 public:
  std::string name() const override { return "none"; }
  std::string summary() const override { return "no isolation at all: only for code you would run yourself"; }
  Done available() const override { return ok(); }
  std::vector<std::string> command_line(const SandboxRequest& request, const fs::path& launcher) const override {
    return limited(request, launcher, "0");
  }
};

const None none;
const Register<Sandbox> register_none(&none);

}  // namespace
}  // namespace harness
