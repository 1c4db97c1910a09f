#include <gtest/gtest.h>

#include "harness/build/builder.h"

namespace harness {
namespace {

TEST(FirstError, Gcc) {
  EXPECT_EQ(first_error("In file included from /x/a.h:1,\n                 from /lab/sub/my.cpp:1:\n"
                        "/lab/sub/my.cpp:7:3: warning: unused\n"
                        "/lab/sub/my.cpp:12:5: error: 'foo' was not declared in this scope\n"
                        "/lab/sub/my.cpp:13:5: error: second\n",
                        "/lab/sub/my.cpp"),
            "my.cpp:12:5: error: 'foo' was not declared in this scope");
}

TEST(FirstError, AHeaderThatRefusesIsTheLineThatIncludesIt) {
  EXPECT_EQ(first_error("In file included from /lab/sub/my.cu:3:\n"
                        "/own/include/curand.h:1:2: error: #error \"no cuRAND (curand.h)\"\n",
                        "/lab/sub/my.cu"),
            "my.cu:3: error: no cuRAND (curand.h)");
}

TEST(FirstError, ATemplateIsUsedInTheStudentsLine) {
  EXPECT_EQ(first_error("/own/device/launch.h: In instantiation of 'void launch(Site, Arguments ...)':\n"
                        "/lab/sub/my.cu:5:79:   required from here\n"
                        "/own/device/launch.h:56:53: error: static assertion failed: a kernel cannot take objects with virtual functions\n",
                        "/lab/sub/my.cu"),
            "my.cu:5: error: static assertion failed: a kernel cannot take objects with virtual functions");
  EXPECT_EQ(first_error("/own/a.h: In instantiation of 'void f(T)':\n/lab/my.cu:2:1:   required from here\n/own/a.h:1:2: warning: w\n"
                        "/own/b.h: In instantiation of 'void g(T)':\n/lab/my.cu:7:3:   required from 'void kernel(T)'\n"
                        "/lab/my.cu:9:5:   required from here\n/own/b.h:1:2: error: no roles\n",
                        "/lab/my.cu"),
            "my.cu:7: error: no roles")
      << "the innermost line of the error, and not of the warning";
}

TEST(FirstError, CallsOfALibraryThatIsNotNamed) {
  EXPECT_EQ(
      first_error("/usr/bin/ld: variant.o: in function `f':\n/lab/my.cu:10: undefined reference to `cublasCreate'\n",
                  "/lab/my.cu"),
      "my.cu:10: undefined reference to `cublasCreate'; write LAB_NEEDS(cublas); to use this library");
  EXPECT_EQ(first_error("/usr/bin/ld: variant.o: in function `f':\n/lab/my.cpp:10: undefined reference to `cblas_sgemm'\n", "/lab/my.cpp"),
            "my.cpp:10: undefined reference to `cblas_sgemm'; write LAB_NEEDS(openblas); to use this library");
}

TEST(FirstError, WithoutTheInterface) {
  EXPECT_EQ(first_error("/lab/my.cpp:1:27: error: 'lab' does not name a type\n", "/lab/my.cpp"),
            "my.cpp:1:27: error: 'lab' does not name a type; the interface of the lab is not included: #include \"lab/...h\"");
}

TEST(FirstError, AFileThatIncludesItself) {
  EXPECT_EQ(first_error("/lab/my.cpp:1:18: error: #include nested depth 200 exceeds maximum of 200 (use "
                        "-fmax-include-depth=DEPTH to increase the maximum)\n"
                        "/lab/my.cpp:2:27: error: 'lab' does not name a type\n",
                        "/lab/my.cpp"),
            "my.cpp:1:18: error: #include nested depth 200 exceeds maximum of 200 (use -fmax-include-depth=DEPTH to increase "
            "the maximum)");
}

TEST(FirstError, ADefinitionInAnotherFile) {
  EXPECT_EQ(first_error("/usr/bin/ld: variant.o: in function `f':\n/lab/my.cpp:10: undefined reference to `add(float)'\n",
                        "/lab/my.cpp"),
            "my.cpp:10: undefined reference to `add(float)'; a variant is one file: if the definition is in another one, "
            "#include that");
}

TEST(FirstError, AnEntryPointWithOtherParameters) {
  EXPECT_EQ(
      first_error("/usr/bin/ld: variant.o: in function `f':\n/lab/my.cu:10: undefined reference to "
                  "`lab_body_gemm_f32(lab::Gemm<float> const&, lab_stream*)'\n",
                  "/lab/my.cu"),
      "my.cu:10: undefined reference to `lab_body_gemm_f32(lab::Gemm<float> const&, lab_stream*)'; the entry point has "
      "other parameters than its macro: a CPU variant gets the problem by const reference, a GPU variant also "
      "\"lab::Stream stream\"");
}

TEST(FirstError, Nvcc) {
  EXPECT_EQ(first_error("/lab/my.cu(12): error: identifier \"foo\" is undefined\n", "/lab/my.cu"),
            "my.cu:12: error: identifier \"foo\" is undefined");
}

TEST(FirstWarnings, OfTheStudentsFiles) {
  const std::string log =
      "/usr/include/x.h:1:2: warning: not ours\n"
      "/lab/sub/my.cpp:3: warning: ignoring '#pragma omp parallel' [-Wunknown-pragmas]\n"
      "/lab/sub/my.h:7:3: warning: unused variable 'x' [-Wunused-variable]\n"
      "/lab/sub/my.h:7:3: warning: unused variable 'x' [-Wunused-variable]\n"
      "/lab/sub/my.cu(9): warning #177-D: variable \"y\" was declared but never referenced\n"
      "/lab/sub/my.h:8:3: warning: fourth\n";
  EXPECT_EQ(
      first_warnings(log, "/lab/sub/my.cu"),
      (std::vector<std::string>{
          "my.cpp:3: warning: ignoring '#pragma omp parallel' [-Wunknown-pragmas]; write LAB_NEEDS(openmp); to use "
          "OpenMP",
          "my.h:7:3: warning: unused variable 'x' [-Wunused-variable]",
          "my.cu:9: warning #177-D: variable \"y\" was declared but never referenced", "1 more warning in run.json"}));
  EXPECT_EQ(first_warnings("/lab/my.cu:5:3: warning: call to 'lab::emulated::f()' declared with attribute warning: take parts [-W]\n",
                           "/lab/my.cu"),
            std::vector<std::string>{"my.cu:5:3: warning: take parts [-W]"});
}

TEST(FirstError, NvccItself) {
  EXPECT_EQ(first_error("nvcc warning : Support for older targets ends\n"
                        "nvcc fatal   : Unsupported gpu architecture 'compute_20'\n",
                        "/lab/my.cu"),
            "nvcc fatal   : Unsupported gpu architecture 'compute_20'");
}

TEST(FirstError, LinkerAndForeignFiles) {
  EXPECT_EQ(first_error("/usr/bin/ld: variant.o: undefined reference to `foo()'\n", "/lab/my.cpp"),
            "ld: variant.o: undefined reference to `foo()'; a variant is one file: if the definition is in another one, #include "
            "that");
  EXPECT_EQ(first_error("/usr/bin/ld: variant.o: undefined reference to `omp_get_max_threads'\n", "/lab/my.cpp"),
            "ld: variant.o: undefined reference to `omp_get_max_threads'; write LAB_NEEDS(openmp); to use this library");
  EXPECT_EQ(first_error("/usr/bin/ld: variant.o:(.rodata+0x0): multiple definition of `lab_device'; a.o: "
                        "first defined here\n"
                        "collect2: error: ld returned 1 exit status\n",
                        "/lab/my.cpp"),
            "ld: variant.o:(.rodata+0x0): multiple definition of `lab_device'; a.o: first defined here");
  EXPECT_EQ(first_error("all is well\n", "/lab/my.cpp"), "");
}

TEST(FirstError, Assembler) {
  EXPECT_EQ(
      first_error("/tmp/cceLz6aM.s: Assembler messages:\n/tmp/cceLz6aM.s:635: Error: symbol `f' is already defined\n",
                  "/lab/my.cpp"),
      "the assembler: symbol `f' is already defined");
  EXPECT_EQ(first_error("/lab/my.cpp: Assembler messages:\n/lab/my.cpp:5: Fatal error: macros nested too deeply\n",
                        "/lab/my.cpp"),
            "my.cpp:5: Fatal error: macros nested too deeply");
}

TEST(FirstError, TooLittleMemory) {
  EXPECT_EQ(first_error("\ncc1plus: out of memory allocating 65536 bytes after a total of 84684800 bytes\n", "/lab/my.cpp"),
            "the compiler ran out of memory: cc1plus: out of memory allocating 65536 bytes after a total of 84684800 bytes");
  EXPECT_EQ(first_error("g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n", "/lab/my.cpp"),
            "the compiler ran out of memory: g++: fatal error: Killed signal terminated program cc1plus");
}

TEST(FirstError, AMacroOfOursPointsAtTheStudentsLine) {
  EXPECT_EQ(first_error("/root/labs/lab/gemm.h:61:29: error: redefinition of 'int lab_cpu_gemm_f32(const void*)'\n"
                        "   61 |   LAB_EXPORT int\n"
                        "/lab/sub/twice.cpp:7:1: note: in expansion of macro 'LAB_GEMM_CPU'\n",
                        "/lab/sub/twice.cpp"),
            "twice.cpp:7:1: error: redefinition of 'int lab_cpu_gemm_f32(const void*)'");
}

}  // namespace
}  // namespace harness
