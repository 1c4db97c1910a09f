#include "harness/watch/symbols.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/base/files.h"
#include "harness/base/random.h"

extern "C" {
__attribute__((used, noinline)) int bli_defined_here(int x) { return x + 1; }
// Its resolver runs before anything of a sanitizer.
__attribute__((used, no_sanitize("address", "undefined"))) static int (*choose_gsl())(int) { return bli_defined_here; }
__attribute__((used)) int mkl_data_of_a_student = 1;
int gsl_chosen_when_loaded(int x) __attribute__((used, ifunc("choose_gsl")));
}

namespace harness {
namespace {

TEST(Symbols, AreThoseThatAFileDefines) {
  const auto self = read_file("/proc/self/exe");
  ASSERT_TRUE(self) << self.error().message;
  const auto symbols = defined_functions(*self);
  EXPECT_TRUE(std::ranges::find(symbols, "bli_defined_here") != symbols.end());
  EXPECT_EQ(find_symbol_of({"blis"}, symbols), "bli_defined_here");
  EXPECT_EQ(find_symbol_of({"gsl"}, symbols), "gsl_chosen_when_loaded") << "an indirect function is one";
  EXPECT_EQ(find_symbol_of({"mkl"}, symbols), std::nullopt) << "data may have any name, and so may a source file";
  EXPECT_EQ(find_symbol_of({"dnnl", "no such library"}, symbols), std::nullopt);
}

TEST(Symbols, OfALibraryHaveItsNames) {
  EXPECT_EQ(find_symbol_of({"openblas"}, {"multiply", "cblas_sgemm"}), "cblas_sgemm");
  EXPECT_EQ(find_symbol_of({"mkl"}, {"sgemm_"}), "sgemm_");
  EXPECT_EQ(find_symbol_of({"openblas"}, {"_Z11cblas_sgemmi", "my_sgemm"}), std::nullopt);
}

TEST(Symbols, AFunctionOfTheStudentsOwnIsNone) {
  EXPECT_EQ(find_symbol_of({"mkl"}, {"sgemm_tiled"}), std::nullopt);
  EXPECT_EQ(find_symbol_of({"mkl"}, {"sgemm_"}), "sgemm_");
}

TEST(Symbols, DamagedFilesHaveNone) {
  EXPECT_TRUE(defined_functions("").empty());
  EXPECT_TRUE(defined_functions("\x7f"
                              "ELF")
                  .empty());
  const auto self = read_file("/proc/self/exe");
  ASSERT_TRUE(self);
  std::string damaged = self->substr(0, 4096);  // its tables are behind the end
  EXPECT_TRUE(defined_functions(damaged).empty());
  for (uint64_t i = 0; i < 2000; ++i) {  // it must not read outside, whatever the numbers are
    std::string changed = i % 2 ? *self : damaged;
    for (uint64_t k = 0; k < 4; ++k) changed[16 + random_bits(i, k) % 48] = static_cast<char>(random_bits(i, 100 + k));
    if (i % 2 == 0 || i < 20) defined_functions(changed);
  }
}

}  // namespace
}  // namespace harness
