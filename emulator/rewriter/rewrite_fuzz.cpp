// A student's preprocessed CUDA, rewritten in the sandbox: an error of the rewriter would look like one of the student's.
#include <algorithm>

#include "harness/base/fuzz.h"
#include "emulator/rewriter/rewrite.h"

using namespace harness;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto result = rewrite(text);
  if (!result) {
    fuzz::must(!result.error().message.empty(), "an error says something");
    return 0;
  }
  fuzz::must(std::count(text.begin(), text.end(), '\n') == std::count(result->begin(), result->end(), '\n'),
             "rewriting keeps the lines");
  return 0;
}
