// A student's preprocessed CUDA, rewritten in the sandbox: an error of the rewriter would look like one of the student's.
#include <algorithm>

#include "harness/base/fuzz.h"
#include "emulator/rewriter/rewrite.h"

using namespace harness;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Text out, error;
  if (!rewrite(text, out, error)) {
    fuzz::must(!error.view().empty(), "an error says something");
    return 0;
  }
  fuzz::must(std::count(text.begin(), text.end(), '\n') == std::count(out.view().begin(), out.view().end(), '\n'),
             "rewriting keeps the lines");
  return 0;
}
