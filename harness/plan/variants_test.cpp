#include "harness/plan/variants.h"

#include <gtest/gtest.h>

#include "harness/plan/source.h"
#include "harness/kernel/test_kernel.h"

namespace harness {
namespace {

VariantInfo source(const std::string& text) {
  auto info = read_source(text, "x.cu", TestKernel());
  EXPECT_TRUE(info) << info.error().message;
  return info ? *info : VariantInfo{};
}

TEST(Source, TellsWhatItIs) {
  const VariantInfo info = source(
      "// One thread an element of C.\n"
      "//\n"
      "//   indented: $$C$$\n"
      "\n"
      "#include \"lab/gemm.h\"\n"
      "LAB_NEEDS(avx2, fma);\n"
      "LAB_PRECISION(tf32);\n"
      "#ifndef BLOCK\n"
      "#define BLOCK 64  // edge\n"
      "#endif\n"
      "# ifndef TILE_M\n\n#  define TILE_M (BLOCK / 4)\n#endif\n"
      "#ifndef X_H\n#define X_H\n#endif\n"
      "#ifndef small\n#define small 1\n#endif\n"
      "#ifndef ONLY_ASKED\n#endif\n#define NEVER_ASKED 1\n"
      "LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream s) {}\n"
      "LAB_GEMM_GPU( double )(const lab::Gemm<double>& g, lab::Stream s) {}\n");
  EXPECT_EQ(info.summary, "One thread an element of C.");
  EXPECT_EQ(info.head, "One thread an element of C.\n\n  indented: $$C$$");
  EXPECT_TRUE(info.gpu);
  EXPECT_EQ(info.dtypes, (std::vector<Dtype>{Dtype::f32, Dtype::f64}));
  EXPECT_EQ(info.needs, (std::vector<std::string>{"avx2", "fma"}));
  EXPECT_EQ(info.precision, "tf32");
  EXPECT_EQ(info.macros,
            (std::vector<std::pair<std::string, std::string>>{{"BLOCK", "64"}, {"TILE_M", "(BLOCK / 4)"}}));
}

TEST(Source, HeadCommentsOfBothKinds) {
  EXPECT_EQ(source("\n\n/* Loops.\n * Slow.\n */\nint x;  // no\n").head, "Loops.\nSlow.");
  EXPECT_EQ(source("/**\n * Loops.\n */").summary, "Loops.");
  EXPECT_EQ(source("\xef\xbb\xbf// Loops.\r\n// Slow.\r\n").head, "Loops.\nSlow.");
  EXPECT_EQ(source("#include <a>\n// late\n").summary, "");
  EXPECT_EQ(source("").summary, "");
  EXPECT_EQ(source("/* never closed").head, "never closed");
}

TEST(Source, TheParagraphAfterDrawing) {
  EXPECT_EQ(source("// Loops.\n//\n// Drawing:\n//   rows = BLOCK\n//   row = t / 2\n//\n// More.\n").drawing,
            "  rows = BLOCK\n  row = t / 2");
  EXPECT_EQ(source("// Loops.\n// Drawing:\n//   rows = 1\nint x;\n").drawing, "  rows = 1");
  EXPECT_EQ(source("// Loops.\n// Drawing: none\n").drawing, "");
}

TEST(Source, CommentsAndStringsDeclareNothing) {
  for (const char* text : {"// LAB_GEMM_CPU(float)\n", "/* LAB_GEMM_CPU(float) */",
                           "auto s = \"LAB_GEMM_CPU(float)\";", "// continued \\\nLAB_GEMM_CPU(float)\n",
                           "auto s = R\"x(\" LAB_GEMM_CPU(float) )x\";", "MY_LAB_GEMM_CPU(float)",
                           "LAB_GEMM_CPU", "LAB_CONV2D_CPU(float)", "auto s = \"\\\"LAB_GEMM_CPU(float)\";"})
    EXPECT_TRUE(source(text).dtypes.empty()) << text;
  for (const char* text :
       {"char c = '\"'; LAB_GEMM_CPU(float)", "int n = 1'000'000; LAB_GEMM_CPU(float)",
        "auto s = \"/*\"; LAB_GEMM_CPU(float) // */", "bool FOUR = 1; auto s = \"\"; LAB_GEMM_CPU(float)",
        "auto s = u8R\"(\")\"; LAB_GEMM_CPU(float)"})
    EXPECT_EQ(source(text).dtypes, std::vector<Dtype>{Dtype::f32}) << text;
  EXPECT_FALSE(source("LAB_GEMM_CPU(float)").gpu);
}

TEST(Source, NoDeclarationBeginsALineOfAMessage) {
  const auto info = source("LAB_GEMM_CPU(float)\nLAB_NEEDS(x\n::error::y,\n\tavx2);\nLAB_PRECISION(tf32\r\n::error::z);\n");
  EXPECT_EQ(info.needs, (std::vector<std::string>{"x ::error::y", "avx2"}));
  EXPECT_EQ(info.precision, "tf32  ::error::z");
}

TEST(Source, WhatIfZeroDisablesDeclaresNothing) {
  const auto info = source(
      "#if 0  // later\nLAB_GEMM_GPU(float)\n#ifdef A\n#else\nLAB_PRECISION(tf32);\n#endif\nLAB_NEEDS(cublas);\n# else\n"
      "LAB_GEMM_CPU(float)\n#endif\n#if 0\n#elif 1\nLAB_NEEDS(threads);\n#endif\n");
  EXPECT_FALSE(info.gpu);
  EXPECT_EQ(info.dtypes, std::vector<Dtype>{Dtype::f32});
  EXPECT_EQ(info.precision, "");
  EXPECT_EQ(info.needs, std::vector<std::string>{"threads"});
  EXPECT_EQ(source("#if 0\\\n+1\nLAB_GEMM_CPU(float)\n#endif\n").dtypes.size(), 1u);
  EXPECT_EQ(source("#if 00 || 1\nLAB_GEMM_CPU(float)\n#endif\n").dtypes.size(), 1u);
}

TEST(Source, BlankingKeepsTheNumberOfEveryLine) {
  const std::string text = "a /* x\n y */ b // z\n\"q\n'w\n1'0";
  EXPECT_EQ(code_only(text), "a     \n      b     \n\" \n' \n1'0");
}

// Each of these took minutes or tens of gigabytes once: the limit of a test's time is what fails.
TEST(Source, NoTextTakesLong) {
  const auto repeated = [](const std::string& part, const std::string& end) {
    std::string text;
    while (text.size() < 1 << 20) text += part;
    return text + end;
  };
  for (const char* part : {"1'", "a'", "R\"", "u8R\"a", "R\"12345678901234567(", "R\"a(", "/*", "//", "'\\", "LAB_NEEDS("}) {
    const std::string text = repeated(part, "");
    EXPECT_EQ(code_only(text).size(), text.size());
    EXPECT_TRUE(read_source(text, "x.cpp", TestKernel())) << part;
  }
  const std::string name(200, 'A');
  std::string tuned = "LAB_GEMM_CPU(float)\n";
  for (int i = 0; i < 2000; ++i) tuned += fmt::format("#ifndef {0}{1}\n#define {0}{1} 1\n#endif\nLAB_TUNE({0}B{1}, 1);\n", name, i);
  EXPECT_NE(read_source(tuned, "x.cpp", TestKernel())->defect, "");
  std::string values = "#ifndef B\n#define B 1\n#endif\nLAB_GEMM_CPU(float)\nLAB_TUNE(B";
  for (int i = 0; i < 140'000; ++i) values += fmt::format(",{}", i);
  EXPECT_EQ(read_source(values + ");", "x.cpp", TestKernel())->tune.at(0).values.size(), 140'000u);
  EXPECT_FALSE(read_source(repeated("LAB_GEMM_CPU(", ")"), "x.cpp", TestKernel()));
  EXPECT_TRUE(read_source(repeated("LAB_GEMM_CPU(float)\n", ""), "x.cpp", TestKernel()));
}

TEST(Source, MayNotBeUtf16) {
  const auto info = read_source("\xff\xfeL", "x.cpp", TestKernel());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->defect, "it is UTF-16 text; save it as UTF-8");
}

TEST(Source, HasItsEntryMacroInFull) {
  for (const char* text : {"#define E LAB_GEMM_CPU\nE(float)(const lab::Gemm<float>& g) {}\n", "LAB_GEMM_CPU\n(float)(const lab::Gemm<float>& g) {}\n"}) {
    const auto info = read_source(text, "x.cpp", TestKernel());
    ASSERT_TRUE(info) << text;
    EXPECT_EQ(info->defect,
              "it defines no entry point: write LAB_GEMM_CPU and its type in parentheses on one line where the function begins, "
              "not through another macro; the harness reads the source as text");
  }
}

TEST(Source, MayNotContradictItself) {
  const auto defect = [](const char* text, const char* file) { return read_source(text, file, TestKernel())->defect; };
  EXPECT_EQ(defect("LAB_GEMM_CPU(float)\nLAB_PRECISION(tf32);\nLAB_PRECISION(bf16);\n", "x.cpp"),
            "it declares LAB_PRECISION(tf32) and LAB_PRECISION(bf16); keep one");
  EXPECT_EQ(defect("LAB_GEMM_CPU(float)\n", "x.cu"),
            "its entry point is for the CPU, and a file that ends in .cu is for a GPU; let it end in .cpp");
  EXPECT_EQ(defect("LAB_GEMM_CPU(float)\n", "mine/gpu_x.cpp"),
            "its entry point is for the CPU, and a name that begins with gpu_ is for the GPU; write LAB_GEMM_GPU there");
  EXPECT_EQ(defect("LAB_GEMM_GPU(float)\n", "cpu_x.cu"),
            "its entry point is for the GPU, and a name that begins with cpu_ is for the CPU; write LAB_GEMM_CPU there");
  EXPECT_EQ(defect("LAB_GEMM_GPU(float)\n", "gpu_/my_cpu_x.cu"), "");
}

TEST(Source, TypesMustStandThereInFull) {
  const auto info =
      read_source("\n#define ENTRY(T) LAB_GEMM_GPU(T)(const lab::Gemm<T>& g)\n", "x.cu", TestKernel());
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().message,
            "x.cu:2: LAB_GEMM_GPU(T): write float, double or bf16 there; the harness reads the source as text");
}

class VariantFiles : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const fs::path path = folder_.path() / name;
    EXPECT_TRUE(make_folders(path.parent_path()));
    EXPECT_TRUE(write_file(path, text));
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string submission_error(const std::string& name) {
    std::vector<VariantInfo> variants;
    const Done done = add_submission(variants, folder_.path() / name, kernel_);
    return done ? "no error" : done.error().message;
  }

  TemporaryFolder folder_;
  TestKernel kernel_;
};

TEST_F(VariantFiles, AFolderIsScannedByName) {
  write("lab/gpu_b.cu", "// B\nLAB_GEMM_GPU(float)");
  write("lab/cpu_a.cpp", "// A\nLAB_GEMM_CPU(float)");
  write("lab/gpu_c.hip.cpp", "// C\nLAB_GEMM_GPU(double)");
  write("lab/cpu_a_test.cpp", "LAB_GEMM_CPU(float)");
  write("lab/no_entry.cpp", "int x;");
  write("lab/common.h", "LAB_GEMM_CPU(float)");
  const auto variants = scan_variants(at("lab"), kernel_);
  ASSERT_TRUE(variants) << variants.error().message;
  ASSERT_EQ(variants->size(), 3u);
  EXPECT_EQ((*variants)[0].name, "cpu_a");
  EXPECT_EQ((*variants)[0].summary, "A");
  EXPECT_EQ((*variants)[0].file, at("lab/cpu_a.cpp"));
  EXPECT_FALSE((*variants)[0].from_submission);
  EXPECT_EQ((*variants)[1].name, "gpu_b");
  EXPECT_EQ((*variants)[2].name, "gpu_c");
}

TEST_F(VariantFiles, ASubmissionReplacesAndJoins) {
  write("lab/cpu_a.cpp", "// teacher's\nLAB_GEMM_CPU(float)");
  write("lab/cpu_b.cpp", "LAB_GEMM_CPU(float)");
  write("mine/cpu_a.cpp", "// student's\nLAB_GEMM_CPU(float)");
  write("mine/cpu_aa.cpp", "LAB_GEMM_CPU(float)");
  write("mine/gpu_empty.cu", "int main() {}");
  auto variants = scan_variants(at("lab"), kernel_);
  ASSERT_TRUE(variants);
  const Done done = add_submission(*variants, at("mine"), kernel_);
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(variants->size(), 4u);
  EXPECT_EQ((*variants)[0].summary, "student's");
  EXPECT_TRUE((*variants)[0].from_submission);
  EXPECT_EQ((*variants)[1].name, "cpu_aa");
  EXPECT_EQ((*variants)[2].name, "cpu_b");
  EXPECT_FALSE((*variants)[2].from_submission);
  EXPECT_EQ((*variants)[3].name, "gpu_empty");
  EXPECT_TRUE((*variants)[3].dtypes.empty()) << "so that the build can say: defines no entry point";
  EXPECT_TRUE((*variants)[3].gpu);
}

TEST_F(VariantFiles, ASourceThatOthersIncludeIsNoVariant) {
  write("mine/cpu_a.cpp", " # include \"parts/../common.cpp\"\nLAB_GEMM_CPU(float)");
  write("mine/cpu_b.cpp", "#include \"cpu_a.cpp\"\nLAB_GEMM_CPU(double)");
  write("mine/common.cpp", "#include <deeper.cpp>\nint x;");
  write("mine/deeper.cpp", "int y;");
  write("mine/alone.cpp", "#include \"alone.cpp\"\nint y;");
  std::vector<VariantInfo> variants;
  const Done done = add_submission(variants, at("mine"), kernel_);
  ASSERT_TRUE(done) << done.error().message;
  std::vector<std::string> names;
  for (const VariantInfo& info : variants) names.push_back(info.name);
  EXPECT_EQ(names, (std::vector<std::string>{"alone", "cpu_a", "cpu_b"}));
}

TEST_F(VariantFiles, OtherSourcesOfASubmissionReplaceNothing) {
  write("lab/cpu_a.cpp", "// teacher's\nLAB_GEMM_CPU(float)");
  write("mine/cpu_a.cpp", "// student's\nLAB_GEMM_CPU(float)");
  write("mine/cpu_aa.cpp", "LAB_GEMM_CPU(float)");
  write("mine/my tiles.cpp", "int x;");
  auto variants = scan_variants(at("lab"), kernel_);
  ASSERT_TRUE(variants);
  const Done done = add_submission(*variants, at("mine"), kernel_, Links::inside, {"cpu_aa", "cpu_b"});
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(variants->size(), 2u);
  EXPECT_EQ((*variants)[0].summary, "teacher's");
  EXPECT_EQ((*variants)[1].name, "cpu_aa");
}

TEST_F(VariantFiles, ASubmissionMayBeOneFile) {
  write("gpu_x.cu", "LAB_GEMM_GPU(float)");
  std::vector<VariantInfo> variants;
  ASSERT_TRUE(add_submission(variants, at("gpu_x.cu"), kernel_));
  ASSERT_EQ(variants.size(), 1u);
  EXPECT_EQ(variants[0].name, "gpu_x");
}

TEST_F(VariantFiles, WhatCannotBeAVariant) {
  EXPECT_EQ(submission_error("nope"), at("nope") + ": no such file or folder");
  write("notes.txt", "");
  EXPECT_EQ(submission_error("notes.txt"),
            at("notes.txt") + ": not a variant; its file name ends in one of .hip.cpp, .cpp, .cc, .cxx, .c, .cu, but not in _test");
  EXPECT_EQ(submission_error(""),
            at("") + ": no variant in this folder; its file name ends in one of .hip.cpp, .cpp, .cc, .cxx, .c, .cu, but not in _test");
  write("two/gpu_x.cu", "");
  write("two/gpu_x.cpp", "");
  EXPECT_EQ(submission_error("two"), at("two/gpu_x.cu") + ": the variant \"gpu_x\" is in " +
                                         at("two/gpu_x.cpp") + " as well; keep one");
  write("my file.cpp", "");
  EXPECT_EQ(submission_error("my file.cpp"),
            at("my file.cpp") + ": a variant's file name has only letters, digits, \"_\" and \"-\"");
  const std::string odd = "\"" + at("a") + "\\nb\\xff";
  write("a\nb\xff.cpp", "");
  EXPECT_EQ(submission_error("a\nb\xff.cpp"),
            odd + ".cpp\": a variant's file name has only letters, digits, \"_\" and \"-\"");
  write("a\nb\xff.CPP", "");
  EXPECT_EQ(submission_error("a\nb\xff.CPP"), odd + ".CPP\": rename it to \"a\\nb\\xff.cpp\"");
  write("huge.cpp", std::string(3 << 20, ' '));
  EXPECT_EQ(submission_error("huge.cpp"),
            at("huge.cpp") + ": 3 MiB are too much for a source file; the limit is 1 MiB");
  const auto missing = scan_variants(at("nope"), kernel_);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, at("nope") + ": cannot read: No such file or directory");
}

}  // namespace
}  // namespace harness
