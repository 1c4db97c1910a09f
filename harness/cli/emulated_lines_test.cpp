#include "harness/cli/emulated_lines.h"

#include <gtest/gtest.h>

#include "harness/cli/progress.h"

namespace harness {
namespace {

using nlohmann::json;

class Emulated : public testing::Test {
 protected:
  static json diagnostic(const std::string& severity, int line, const std::string& kind = "uncoalesced") {
    return {{"kind", kind}, {"severity", severity}, {"kernel", "gemm<16>"}, {"file", "gpu_x.cu"},
            {"line", line}, {"what", "too many"},   {"fix", "use fewer"}};
  }
  static json ended(int block, int size, json diagnostics, const std::string& status = "PASSED") {
    const std::string reason = status == "PASSED" ? "" : diagnostics.empty() ? "why" : "too many";
    return {{"variant", "gpu_x"},
            {"dtype", "f32"},
            {"axes", {{"size", size}, {"BLOCK", block}}},
            {"status", status},
            {"diagnostics", std::move(diagnostics)},
            {"device", "emulated"},
            {"reason", reason}};
  }
  void show(const json& fields, Show how = Show::everything) { lines_.ended(fields, how, print_); }
  std::string end() {
    lines_.diagnostics(print_);
    return printed_;
  }

 private:
  std::string printed_;
  EmulatedLines lines_;
  EmulatedLines::Print print_ = [this](const std::string& text) { printed_ += text + "\n"; };
};

TEST_F(Emulated, ALineABuildAndADiagnosticOnce) {
  for (const int block : {8, 16})
    for (const int size : {128, 256}) show(ended(block, size, {diagnostic("advice", 33)}));
  show(ended(32, 128, {diagnostic("advice", 33), diagnostic("advice", 40)}));
  EXPECT_EQ(end(),
            "gpu_x BLOCK=8: passed (emulated), 1 hint\n"
            "gpu_x BLOCK=16: passed (emulated), 1 hint\n"
            "gpu_x BLOCK=32: passed (emulated), 2 hints\n"
            "gpu_x.cu:33: too many\n  usually: use fewer\n  seen with BLOCK=8, BLOCK=16, BLOCK=32\n"
            "gpu_x.cu:40: too many\n  usually: use fewer\n");
}

TEST_F(Emulated, MistakesFail) {
  show(
      ended(8, 128, {diagnostic("mistake", 33, "race_shared"), diagnostic("mistake", 34, "race_shared")}, "WRONG"));
  show(ended(16, 128, json::array(), "WRONG"));
  EXPECT_EQ(end(),
            "gpu_x BLOCK=8: WRONG (emulated), 2 mistakes\n"
            "gpu_x BLOCK=16: WRONG (emulated)\n  why\n"
            "gpu_x.cu:33: too many\n  usually: use fewer\n"
            "gpu_x.cu:34: too many\n  usually: use fewer\n");
}

TEST_F(Emulated, AMistakeThatDoesNotFailStandsBesideTheReason) {
  json fields = ended(8, 128, {diagnostic("mistake", 33, "uninitialised_shared")}, "WRONG");
  fields["reason"] = "3 of 9 cells are wrong";
  show(fields);
  EXPECT_EQ(end(),
            "gpu_x BLOCK=8: WRONG (emulated), 1 mistake\n  3 of 9 cells are wrong\n"
            "gpu_x.cu:33: too many\n  usually: use fewer\n");
}

TEST_F(Emulated, QuietShowsWhatFailsOnly) {
  show(ended(8, 128, {diagnostic("advice", 33)}), Show::failures);
  show(ended(16, 128, {diagnostic("mistake", 34, "race_shared")}, "WRONG"), Show::failures);
  EXPECT_EQ(end(),
            "gpu_x BLOCK=16: WRONG (emulated), 1 mistake\n"
            "gpu_x.cu:34: too many\n  usually: use fewer\n");
}

}  // namespace
}  // namespace harness
