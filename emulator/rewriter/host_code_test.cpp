// What nvcc refuses beside functions of the host in kernels: functions of the device in host code, operators, launches in kernels.
#include <gtest/gtest.h>

#include <string>

#include "emulator/rewriter/rewrite.h"

namespace harness {
namespace {

std::string rewritten(const std::string& text) {
  const auto result = rewrite(text);
  return result ? *result : "ERROR " + result.error().message;
}

// nvcc has been asked about each of these.
TEST(Rewrite, HostCodeCallsNothingOfTheDevice) {
  const std::string marker = "# 1 \"gpu_x.cu\"\n", divide = "LAB_DEVICE int divide(int a, int b) { return (a + b - 1) / b; }\n",
                    call = "error: host code cannot call ", define = ": write __host__ before its __device__";
  const auto refused = [&](const std::string& text) { return rewritten(marker + text); };
  const std::pair<std::string, std::string> wrong[] = {
      {divide + "LAB_GLOBAL void k() { divide(1, 2); }\nvoid f() { k<<<dim3(divide(m, 2), divide(n, 2)), 1>>>(); }", "3:21: " + call + "\"divide\"" + define},
      {divide + "void f() { int x = n * divide(m, 2); }", "2:24: " + call + "\"divide\"" + define},
      {"template <class T> LAB_DEVICE T twice(T a) { return 2 * a; }\nvoid f() { dim3(twice<int>(3), twice<int>(4)); }", "2:17: " + call + "\"twice\"" + define},
      {"struct A { LAB_DEVICE int get() const { return 1; } };\nint f(A a) { return a.get(); }", "2:23: " + call + "\"get\"" + define},
      {"constexpr " + divide + "void f() { constexpr int a = divide(4, 2); }", "2:30: " + call + "\"divide\"" + define},
      {"constexpr " + divide + "void f() { static_assert(divide(4, 2) == 2); }", "2:26: " + call + "\"divide\"" + define},
      {"void f(int* p) { atomicAdd(p, 1); }", "1:18: " + call + "\"atomicAdd\": only kernels can"},
      {"void f() { __syncthreads(); }", "1:12: " + call + "\"__syncthreads\": only kernels can"}};
  for (const auto& [text, error] : wrong) EXPECT_EQ(refused(text), "ERROR gpu_x.cu:" + error);
  for (const std::string good :
       {divide + "LAB_HOST LAB_DEVICE int f() { return divide(1, 2); }\nLAB_GLOBAL void k() { divide(1, 2); }", divide + "int divide(float a, int b);\nint f() { return divide(1, 2); }",
        divide + "int f() { auto divide = [](int a, int b) { return a / b; }; return divide(1, 2); }", divide + "int g = divide(1, 2);\nint f() { return sizeof(divide(1, 2)); }",
        divide + "int f() { return host::divide(1, 2); }\nint g() { run(divide); }", divide + "void f() { auto l = [] LAB_DEVICE (int i) { return divide(i, 2); }; }",
        "struct A { LAB_DEVICE int divide(int); int get() { return divide(1); } };\n" + divide, std::string("LAB_DEVICE void g();\nvoid g() { __syncthreads(); }"), std::string("int atomicAdd(int* p, int x) { return *p += x; }\nvoid f(int* p) { atomicAdd(p, 1); }"),
        std::string("struct A { LAB_DEVICE int get() { return 1; } };\nstruct B { int get(); };\nint f(B b) { return b.get(); }"),
        std::string("struct A { LAB_DEVICE int size() { return 1; } };\n# 1 \"/usr/x.h\" 1 3\nstruct V { int size(); };\n# 4 \"gpu_x.cu\" 2\nint f(V v) { return v.size(); }")})
    EXPECT_EQ(refused(good).substr(0, 6), "# 1 \"g") << refused(good);
  const std::string constant = "constexpr " + divide + "int f() { return divide(1, 2); }";
  EXPECT_FALSE(rewrite(marker + constant));
  EXPECT_TRUE(rewrite(marker + constant, Constants::of_both));
}

// nvcc has been asked about each of these.
TEST(Rewrite, KernelsUseNoOperatorsOfTheHost) {
  const std::string marker = "# 1 \"gpu_x.cu\"\n", at = "float operator()(int i, int j) const { return p[i * ld + j]; } };\n",
                    matrix = "struct Mat { const float* p; int ld; ", kernel = "LAB_GLOBAL void k(Mat m, float* a) { a[0] = ",
                    call = "kernels cannot call the host function \"Mat::operator", define = "\": write __device__ before its definition";
  const auto refused = [&](const std::string& text) { return rewritten(marker + text); };
  EXPECT_EQ(refused(matrix + at + kernel + "m(1, 2); }"), "ERROR gpu_x.cu:2:45: error: " + call + "()" + define);
  EXPECT_EQ(refused(matrix + "float& operator[](int i); };\nLAB_DEVICE void f(const Mat& m) { m[1] = 0; }"), "ERROR gpu_x.cu:2:35: error: " + call + "[]" + define);
  EXPECT_EQ(refused(matrix + "Mat operator+(Mat b) const { return b; } };\nLAB_GLOBAL void k(Mat* c) { Mat a = c[0]; c[1] = a + c[2]; }"),
            "ERROR gpu_x.cu:2:50: error: " + call + "+" + define);
  EXPECT_EQ(refused("template <class T> " + matrix + at + "LAB_GLOBAL void k(Mat<float> m, float* a) { a[0] = m(1, 2); }"),
            "ERROR gpu_x.cu:2:52: error: " + call + "()" + define);
  for (const std::string good :
       {matrix + "LAB_DEVICE " + at + kernel + "m(1, 2); }", matrix + at + "void f(Mat m) { m(1, 2); }\n" + kernel + "m.p[1]; }",
        matrix + at + "LAB_GLOBAL void k(Mat* m, float* a) { a[0] = sizeof(m[1]); }", matrix + "float operator[](int i); };\nLAB_GLOBAL void k(Mat* m) { Mat n[4]; n[0] = m[1]; }",
        matrix + "bool operator==(const Mat& o) const = default; };\n" + kernel + "m == m; }", matrix + at + "LAB_GLOBAL void k(Mat m) { auto f = [](auto m) { return m(1, 2); }; }",
        matrix + "operator float() const { return 1; } };\n" + kernel + "f(m, 1) + f(1, m); }", matrix + "LAB_DEVICE float operator()(int i); " + at + kernel + "m(1, 2); }"})
    EXPECT_EQ(refused(good).substr(0, 6), "# 1 \"g") << refused(good);
}

TEST(Rewrite, KernelsLaunchAndStreamNothing) {
  const std::string marker = "# 1 \"gpu_x.cu\"\n";
  EXPECT_EQ(rewritten(marker + "LAB_GLOBAL void k(int* a) { j<<<1, 2>>>(a); }"), "ERROR gpu_x.cu:1:30: error: kernels cannot launch kernels: launch them from the host");
  EXPECT_EQ(rewritten(marker + "using namespace std;\nLAB_GLOBAL void k(int* a) { cout << a[0]; }"), "ERROR gpu_x.cu:2:29: error: kernels cannot use std::cout: use printf");
  for (const std::string good : {"LAB_GLOBAL void k(int* a) { int cout = 1; a[0] = cout << 2; }", "void f() { cout << 1; k<<<1, 2>>>(a); }"})
    EXPECT_EQ(rewritten(marker + good).substr(0, 6), "# 1 \"g") << rewritten(marker + good);
}

TEST(Rewrite, SharedArraysHaveAConstantSize) {
  const std::string marker = "# 1 \"gpu_x.cu\"\n", error = ": error: the size of a __shared__ array must be a constant";
  EXPECT_EQ(rewritten(marker + "LAB_GLOBAL void k(int* a, int n) { LAB_SHARED_ float t[n]; }"), "ERROR gpu_x.cu:1:56" + error);
  EXPECT_EQ(rewritten(marker + "LAB_GLOBAL void k(int n) { LAB_SHARED_ float t[4][2 * n + 1]; }"), "ERROR gpu_x.cu:1:55" + error);
  EXPECT_EQ(rewritten(marker + "LAB_GLOBAL void k() { LAB_SHARED_ float t[blockDim.x]; }"), "ERROR gpu_x.cu:1:43" + error);
  for (const std::string good : {"template <int n> LAB_GLOBAL void k(A<n> a) { LAB_SHARED_ float t[n][a.n][sizeof(a)]; }", "void g(int n);\nLAB_GLOBAL void k(int m) { LAB_SHARED_ float t[n]; }"})
    EXPECT_EQ(rewritten(marker + good).substr(0, 6), "# 1 \"g") << rewritten(marker + good);
}

}  // namespace
}  // namespace harness
