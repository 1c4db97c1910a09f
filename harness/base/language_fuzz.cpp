// A catalogue that a teacher edits, and texts that students wrote parts of: neither may crash or hang the harness.
#include "harness/base/fuzz.h"
#include "harness/base/language.h"

using namespace harness;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Speaking speaking(parse_catalogue(text));
  fuzz::must(!tr("{} of {}", 3, 4).empty(), "a text has a translation or stays English");
  (void)tr_counted(3, "case");
  (void)told(text.substr(0, 300));
  (void)told("3 of 4: 5 cases; first C[0][0]: got 1, want 2");
  return 0;
}
