// harness-rewriter IN OUT [relaxed]: rewrites the preprocessed CUDA in IN. The harness starts it in the sandbox. relaxed: kernels may use
// constexpr functions of the host.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "emulator/rewriter/rewrite.h"

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fputs("usage: harness-rewriter IN OUT [relaxed]\n", stderr);
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) {
    std::fprintf(stderr, "%s: cannot read\n", argv[1]);
    return 1;
  }
  const auto result = harness::rewrite(text, argc == 4 ? harness::Constants::of_both : harness::Constants::of_the_host);
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return 1;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out << *result << std::flush;
  if (!out) {
    std::fprintf(stderr, "%s: cannot write\n", argv[2]);
    return 1;
  }
  return 0;
}
