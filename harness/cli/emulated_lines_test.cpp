#include "harness/cli/emulated_lines.h"

#include <gtest/gtest.h>

#include "harness/cli/progress.h"

namespace harness {
namespace {

class Emulated : public testing::Test {
 protected:
  static Diagnostic diagnostic(Severity severity, int line, const std::string& kind = "uncoalesced") {
    Diagnostic d;
    d.kind = kind;
    d.severity = severity;
    d.kernel = "gemm<16>";
    d.file = "gpu_x.cu";
    d.line = line;
    d.what = "too many";
    d.fix = "use fewer";
    return d;
  }
  static CaseRecord ended(int64_t block, int64_t size, std::vector<Diagnostic> diagnostics,
                          Status status = Status::PASSED) {
    CaseRecord record;
    record.variant = "gpu_x";
    record.axes = {{"size", size}, {"BLOCK", block}};
    record.status = status;
    record.device = Device::emulated;
    record.reason = status == Status::PASSED ? "" : diagnostics.empty() ? "why" : "too many";
    record.diagnostics = std::move(diagnostics);
    return record;
  }
  void show(const CaseRecord& record, Show how = Show::everything) { lines_.ended(record, how, print_); }
  std::string end() {
    lines_.end(print_);
    return printed_;
  }

 private:
  std::string printed_;
  EmulatedLines lines_;
  EmulatedLines::Print print_ = [this](const std::string& text) { printed_ += text + "\n"; };
};

TEST_F(Emulated, ALinePerBuildAndEachDiagnosticOnce) {
  for (const int block : {8, 16})
    for (const int size : {128, 256}) show(ended(block, size, {diagnostic(Severity::advice, 33)}));
  show(ended(32, 128, {diagnostic(Severity::advice, 33), diagnostic(Severity::advice, 40)}));
  EXPECT_EQ(end(),
            "gpu_x BLOCK=8: passed (emulated), 1 hint\n"
            "gpu_x BLOCK=16: passed (emulated), 1 hint\n"
            "gpu_x BLOCK=32: passed (emulated), 2 hints\n"
            "gpu_x.cu:33: too many\n  usually: use fewer\n  seen with BLOCK=8, BLOCK=16, BLOCK=32\n"
            "gpu_x.cu:40: too many\n  usually: use fewer\n");
}

TEST_F(Emulated, MistakesFail) {
  show(ended(8, 128,
             {diagnostic(Severity::mistake, 33, "race_shared"), diagnostic(Severity::mistake, 34, "race_shared")},
             Status::WRONG));
  show(ended(16, 128, {}, Status::WRONG));
  EXPECT_EQ(end(),
            "gpu_x BLOCK=8: WRONG (emulated), 2 mistakes\n"
            "gpu_x BLOCK=16: WRONG (emulated)\n  why\n"
            "gpu_x.cu:33: too many\n  usually: use fewer\n"
            "gpu_x.cu:34: too many\n  usually: use fewer\n");
}

TEST_F(Emulated, AMistakeThatDoesNotFailIsShownWithTheReason) {
  CaseRecord record = ended(8, 128, {diagnostic(Severity::mistake, 33, "uninitialised_shared")}, Status::WRONG);
  record.reason = "3 of 9 cells are wrong";
  show(record);
  EXPECT_EQ(end(),
            "gpu_x BLOCK=8: WRONG (emulated), 1 mistake\n  3 of 9 cells are wrong\n"
            "gpu_x.cu:33: too many\n  usually: use fewer\n");
}

TEST_F(Emulated, QuietShowsOnlyFailures) {
  show(ended(8, 128, {diagnostic(Severity::advice, 33)}), Show::failures);
  show(ended(16, 128, {diagnostic(Severity::mistake, 34, "race_shared")}, Status::WRONG), Show::failures);
  EXPECT_EQ(end(),
            "gpu_x BLOCK=16: WRONG (emulated), 1 mistake\n"
            "gpu_x.cu:34: too many\n  usually: use fewer\n");
}

TEST_F(Emulated, SaysThatSizesWereReduced) {
  for (const int size : {128, 2048, 4096}) {
    CaseRecord record = ended(8, size, {});
    record.check.lines = {{.name = size > 1000 ? "reduced size, exact" : "own size, exact"}};
    show(record);
  }
  EXPECT_EQ(end(),
            "gpu_x BLOCK=8: passed (emulated)\n"
            "2 cases too large for the emulated device: checked at a smaller size with the same proportions\n");
}

}  // namespace
}  // namespace harness
