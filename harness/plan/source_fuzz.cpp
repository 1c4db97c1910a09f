// A student's source and table of tuned parameters, which the trusted process reads as text: what it says about itself.
#include "harness/base/fuzz.h"
#include "harness/plan/source.h"
#include "harness/plan/tuned.h"
#include "harness/kernel/test_kernel.h"

using namespace harness;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string code = code_only(text);
  fuzz::must(code.size() == text.size(), "blanking keeps the length");
  for (size_t i = 0; i < text.size(); ++i) {
    fuzz::must((text[i] == '\n') == (code[i] == '\n'), "blanking keeps the lines");
    fuzz::must(code[i] == text[i] || code[i] == ' ', "blanking only blanks");
  }
  const auto info = read_source(text, "a.cpp", TestKernel());
  if (!info) {
    fuzz::must_be_message(info.error());
    return 0;
  }
  if (const auto rows = read_tuned(text, "a.tuned", *info); !rows)
    fuzz::must(rows.error().message.rfind("a.tuned:", 0) == 0, "an error names the position");
  for (const char c : info->summary) fuzz::must(c != '\n' && c != '\x1b', "a summary is one printable line");
  return 0;
}
