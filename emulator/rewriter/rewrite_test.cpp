#include "emulator/rewriter/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace harness {
namespace {

std::string rewritten(const std::string& text) {
  const auto result = rewrite(text);
  if (!result) return "ERROR " + result.error().message;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), std::count(result->begin(), result->end(), '\n')) << *result;
  return *result;
}

std::string launch(const std::string& callee, const std::string& configuration,
                   const std::string& arguments) {
  return "::lab::emulated::prepare(::lab::emulated::Site{\"" + callee +
         "\"}, ::lab::emulated::Configuration(" + configuration +
         "), [&](auto lab_name) -> decltype(lab_name.parameters_of(" + callee +
         ")) { return {}; }, [&](auto... lab_args) __attribute__((no_sanitize(\"thread\"))) { " + callee +
         "(lab_args...); })(" + arguments + ")";
}

TEST(Rewrite, OrdinaryCodeStaysAsItIs) {
  for (const std::string text :
       {"int a = b << c; x = y >> z; if (a < b && c > d) f<g<h>>(i);\n",
        "friend ostream& operator<< <char>(ostream&); operator<<<int>(a, b); f(&X::operator<< <T>);\n",
        "const char* const s = \"k<<<1, 2>>>(3)\"; const char c = '<'; const auto r = R\"x(k<<<1>>>() \"))x\";\n",
        "// k<<<1, 2>>>(3)\n/* k<<<1,\n2>>>(3) LAB_SHARED_ */ const int x = 1'000;\n",
        "# 1 \"a<<<b.cu\"\n#pragma k<<<1>>>()\nconst int y = 1;\n", "k<<\n<1, 2>>>(3);", "k< <<1, 2>>>(3);", "", "\"never closed\n", "R\"(", "/*", "'"})
    EXPECT_EQ(rewritten(text), text);
}

// Behind another name nothing would be refused. Only #include may give one, in the first column: a macro's # is never there.
TEST(Rewrite, NoTextMaySayThatItIsFromAnotherFile) {
  const std::string begin = "# 0 \"/s/a.cu\"\n# 0 \"<built-in>\"\n# 1 \"/s/a.cu\"\n", hidden = "int no_sanitize;\n";
  EXPECT_EQ(rewritten(begin + "\n# 1 \"/usr/x.h\"\nint a;\n"), "ERROR /s/a.cu:2:1: error: the emulated device takes no #line: take it out");
  EXPECT_EQ(rewritten(begin + "# 1 \"/s/h.h\" 1\n#pragma GCC system_header\n# 2 \"/s/h.h\" 3\n# 1 \"/usr/x.h\" 3\nint a;\n"),
            "ERROR /s/h.h:2:1: error: the emulated device takes no #line: take it out");
  EXPECT_EQ(rewritten(begin + "# 1 \"/usr/x.h\" 1 3\n" + hidden), begin + "# 1 \"/usr/x.h\" 1 3\n" + hidden);
  EXPECT_EQ(rewritten(begin + " # 1 \"/usr/x.h\" 1 3\n" + hidden).substr(0, 6), "ERROR ");
  EXPECT_EQ(rewritten(begin + "# 70 \"/s/a.cu\"\nusing a = int;\n"), begin + "# 70 \"/s/a.cu\"\nusing a = int;\n");
}

TEST(Rewrite, LaunchesBecomeCalls) {
  EXPECT_EQ(rewritten("  k<<<grid, block>>>(a, b);"), "  " + launch("k", "grid, block", "a, b") + ";");
  EXPECT_EQ(rewritten("k<<<1, 2, 3, s>>>();"), launch("k", "1, 2, 3, s", "") + ";");
  EXPECT_EQ(rewritten("k<<<dim3(f(1), 2), sizeof(X<Y<int>>)>>>( g(x >> 1), h );"),
            launch("k", "dim3(f(1), 2), sizeof(X<Y<int>>)", " g(x >> 1), h ") + ";");
  EXPECT_EQ(rewritten("k <<< g, X<Y<int>>::v >>> (p);"), launch("k", " g, X<Y<int>>::v ", "p") + ";");
  EXPECT_EQ(rewritten("k<<<g, X<Y<int>>>>>(p);"), launch("k", "g, X<Y<int>>", "p") + ";");
  EXPECT_EQ(rewritten("k << <1, 2 >> > (p);"), launch("k", "1, 2 ", "p") + ";");
  EXPECT_EQ(rewritten("k<<<1, X<Y<int>> >>>(p);"), launch("k", "1, X<Y<int>> ", "p") + ";");
  EXPECT_EQ(rewritten("return k<<<1, 2>>>(3);"), "return " + launch("k", "1, 2", "3") + ";");
}

TEST(Rewrite, FindsTheKernelsName) {
  for (const std::string callee :
       {"k", "k<16>", "k<float, 16>", "k<A<B<int>>>", "ns::k", "::ns::k<(1 > 2)>", "A<int>::k", "(*fp)",
        "fp[i]", "fp[i][j + 1]", "s.fn", "p->fn", "p->q[1].fn", "s.template fn<4>", "ns::A<T>::template k<4>",
        "get(1, 2)", "this->fn", "get()->fn", "k<sizeof(float)>"})
    for (const std::string before : {"", "; ", "{ ", "else ", "x = ", "f(), ", "case 1: ", "if (a < b) "})
      EXPECT_EQ(rewritten(before + callee + "<<<1, 2>>>(3);"), before + launch(callee, "1, 2", "3") + ";");
}

TEST(Rewrite, NullStaysAPointer) {
  EXPECT_EQ(rewritten("k<<<1, 2>>>(__null, f(__null), a + __null, __null);"),
            launch("k", "1, 2", "nullptr, f(__null), a + __null, nullptr") + ";");
}

TEST(Rewrite, ZeroMayBeAPointer) {
  std::string want = launch("k", "1, 2", "::lab::emulated::Zero(), f(0), 1 + 0, ::lab::emulated::Zero()") + ";";
  want.replace(want.find("{ k("), 2, "-> decltype(k(lab_args...)) { ");
  EXPECT_EQ(rewritten("k<<<1, 2>>>(0, f(0), 1 + 0, 0);"), want);
}

TEST(Rewrite, ZeroInATemplateStaysZero) {
  EXPECT_EQ(rewritten("k<<<1, 2>>>(T<4, 0, 8>{}, f<1, 0, 2>(3));"), launch("k", "1, 2", "T<4, 0, 8>{}, f<1, 0, 2>(3)") + ";");
}

TEST(Rewrite, LaunchesStandInsideOthers) {
  EXPECT_EQ(rewritten("k<<<1, 2>>>([] { j<<<3, 4>>>(5); });"),
            launch("k", "1, 2", "[] { " + launch("j", "3, 4", "5") + "; }") + ";");
}

TEST(Rewrite, LinesAndMarkersStay) {
  EXPECT_EQ(rewritten("ns::\nk<int>\n<<<1,\n2>>>\n(3,\n# 20 \"a.cu\"\n4);\n"),
            "::lab::emulated::prepare(::lab::emulated::Site{\"ns:: k<int>\"}, "
            "::lab::emulated::Configuration(\n\n1,\n2), "
            "[&](auto lab_name) -> decltype(lab_name.parameters_of(ns:: k<int>)) { return {}; }, "
            "[&](auto... lab_args) __attribute__((no_sanitize(\"thread\"))) { ns:: k<int>(lab_args...); })\n("
            "3,\n# 20 \"a.cu\"\n4);\n");
}

TEST(Rewrite, LongAndQuotedNamesFitTheSite) {
  const std::string longest(200, 'k');
  EXPECT_NE(rewritten(longest + "<<<1, 2>>>();").find("Site{\"" + longest.substr(0, 90) + "\"}"),
            std::string::npos);
  EXPECT_NE(rewritten("f[\"\\n\"]<<<1, 2>>>();").find("Site{\"f[\\\"\\\\n\\\"]\"}"), std::string::npos);
}

std::string variable(const std::string& name) {
  return " static char lab_tag_" + name + "; lab_shared_" + name + "& " + name +
         " = ::lab::emulated::shared<lab_shared_" + name + ">(&lab_tag_" + name + ", alignof(lab_shared_" + name + "));";
}

TEST(Rewrite, SharedVariablesBelongToTheBlock) {
  EXPECT_EQ(rewritten("{ LAB_SHARED_ float a[4]; }"),
            "{ typedef float lab_shared_a[4];" + variable("a") + " }");
  EXPECT_EQ(rewritten("{ static LAB_SHARED_ float a; LAB_SHARED_ static int b; }"),
            "{  typedef float lab_shared_a;" + variable("a") + " typedef  int lab_shared_b;" + variable("b") +
                " }");
  EXPECT_EQ(rewritten("{ volatile LAB_SHARED_ A<B<int, 2>> a[4][N + 1], b,\n* c; }"),
            "{ volatile typedef A<B<int, 2>> lab_shared_a[4][N + 1], lab_shared_b,\n* lab_shared_c;" +
                variable("a") + variable("b") + variable("c") + " }");
  EXPECT_EQ(rewritten("{ float LAB_SHARED_ a[4]; }"),
            "{ float typedef lab_shared_a[4];" + variable("a") + " }");
  EXPECT_EQ(rewritten("{ LAB_SHARED_ struct { int x, y; } a; }"),
            "{ typedef struct { int x, y; } lab_shared_a;" + variable("a") + " }");
  EXPECT_EQ(
      rewritten("{ alignas(16) LAB_SHARED_ T a[4] __attribute__((x)); }"),
      "{ __attribute__((aligned(16))) typedef T lab_shared_a[4] __attribute__((x));" + variable("a") + " }");
  EXPECT_EQ(rewritten("{ LAB_SHARED_ __attribute__((aligned(16))) unsigned char a[4]; }"),
            "{ typedef __attribute__((aligned(16))) unsigned char lab_shared_a[4];" + variable("a") + " }");
}

TEST(Rewrite, ASecondNameOfDynamicSharedMemoryGetsAWarning) {
  const auto array = [](const std::string& name, const std::string& call) {
    return "float (&" + name + ")[] = *reinterpret_cast<float (*)[]>(::lab::emulated::" + call + "());";
  };
  const std::string a = "extern LAB_SHARED_ float a[];", b = "extern LAB_SHARED_ float b[];";
  EXPECT_EQ(rewritten("void f() { " + a + b + " } void g() { " + b + " }"),
            "void f() { " + array("a", "dynamic_shared") + array("b", "dynamic_shared_again") + " } void g() { " +
                array("b", "dynamic_shared") + " }");
  EXPECT_EQ(rewritten("void f() { {" + a + "} {" + a + "} }").find("again"), std::string::npos);
  EXPECT_EQ(rewritten(a + b + "void f() { a[0] = b[0]; }"),
            ";;void f() { " + array("a", "dynamic_shared") + " " + array("b", "dynamic_shared_again") + " a[0] = b[0]; }");
}

TEST(Rewrite, DynamicSharedMemoryIsAReference) {
  const std::string value = " = *reinterpret_cast<float (*)[]>(::lab::emulated::dynamic_shared());";
  for (const std::string declaration :
       {"extern LAB_SHARED_ float s[];", "extern LAB_SHARED_ __attribute__((aligned(16))) float s[];",
        "extern __attribute__((aligned(16))) LAB_SHARED_ float s[];",
        "extern LAB_SHARED_ alignas(16) float s[];", "LAB_SHARED_ extern float s[];",
        "extern float LAB_SHARED_ s[];", "extern LAB_SHARED_ [[a]] float s[ ];"}) {
    std::string extents = declaration.find("[ ]") == std::string::npos ? "[]" : "[ ]";
    std::string want = value;
    want.replace(want.find("[]"), 2, extents);
    EXPECT_EQ(rewritten("void f() { " + declaration + " }"), "void f() { float (&s)" + extents + want + " }");
  }
  EXPECT_EQ(rewritten("void f() { extern LAB_SHARED_ volatile unsigned\nint s[][4]; }"),
            "void f() { volatile unsigned int (&s)[][4] = *reinterpret_cast<volatile unsigned int (*)[][4]>"
            "(::lab::emulated::dynamic_shared())\n; }");
  for (const std::string scope :
       {"", "namespace x { ", "namespace { ", "inline namespace a::b { ", "extern \"C\" { "})
    EXPECT_EQ(rewritten("void g() {} " + scope + "extern LAB_SHARED_ float s[]; void f() { if (1) { s[0] = s[1]; } }"),
              "void g() {} " + scope + "; void f() { float (&s)[]" + value + " if (1) { s[0] = s[1]; } }");
  EXPECT_EQ(rewritten("extern LAB_SHARED_ float s[]; struct A { void f() { a.s = s[0]; } }; void g() { a->s; }"),
            "; struct A { void f() { float (&s)[]" + value + " a.s = s[0]; } }; void g() { a->s; }");
  const std::string own = " void d(volatile float* s) { s[0] = 1; } void e() { float* s = g; s[0] = 1; }";
  EXPECT_TRUE(rewritten("extern LAB_SHARED_ float s[];" + own).ends_with(own));
  EXPECT_EQ(rewritten("extern LAB_SHARED_ float s[]; void f() { extern LAB_SHARED_ float s[]; s[0]; }"),
            "; void f() { float (&s)[]" + value + " s[0]; }");
}

TEST(Rewrite, KernelsAreDeclaredWithGlobal) {
  const std::string marker = "# 7 \"gpu_x.cu\"\n", launches = "void f() { k<<<1, 2>>>(3); }\n";
  const auto refused = [&](const std::string& text) { return rewritten(marker + text); };
  const std::string error = "the kernel \"k\" is launched but is not declared \"__global__\"";
  EXPECT_EQ(refused("void k(int) {}\n" + launches), "ERROR gpu_x.cu:7:6: error: " + error);
  EXPECT_EQ(refused("template <class T>\nstatic void k(T a) {}\nvoid f() { k<float><<<1, 2>>>(3); g.k; p->k; }"),
            "ERROR gpu_x.cu:8:13: error: " + error);
  EXPECT_EQ(refused("void k(int);\nvoid f() { if (1) k<<<1, 2>>>(3); }\nnamespace a { inline void k(int) {} }"),
            "ERROR gpu_x.cu:9:27: error: " + error);
  for (const std::string good :
       {"LAB_GLOBAL void k(int) {}\n", "static void LAB_GLOBAL k(int);\nvoid k(int) {}\n", "void k(int);\n",
        "void k(int) {}\ntemplate <class T> LAB_GLOBAL void k(T) {}\n", "struct k { void operator()(int) {} };\n"}) {
    EXPECT_EQ(rewritten(marker + good + launches).substr(0, 6), "# 7 \"g") << good;
    EXPECT_EQ(rewritten(marker + good).find("LAB_GLOBAL"), std::string::npos) << good;
  }
  for (const std::string good : {"void g() { auto k = other; k<<<1, 2>>>(3); }\n", "void g(void (*k)(int)) { k<<<1, 2>>>(3); }\n"})
    EXPECT_EQ(refused("void k(int) {}\n" + good).substr(0, 6), "# 7 \"g") << good;
  EXPECT_EQ(rewritten("# 1 \"/x/y/gpu_x.cu\"\n# 1 \"/usr/x.h\" 1 3\nvoid k(int) {}\n# 2 \"/x/y/gpu_x.cu\" 2\n" + launches).substr(0, 5), "# 1 \"");
  EXPECT_EQ(refused("void k(int) {}\nvoid f() { k(3); a::k<<<1, 2>>>(3); g.k<<<1, 2>>>(3); }\n").substr(0, 6), "# 7 \"g");
}

TEST(Rewrite, LambdasCaptureSharedMemory) {
  const auto begin = [](const std::string& lambda) {
    return rewritten("# 1 \"gpu_x.cu\"\nLAB_GLOBAL void k() { LAB_SHARED_ float a[4]; float x; auto f = " + lambda + "; }");
  };
  for (const auto& [lambda, changed] : {std::pair<std::string, std::string>{"[=](int i) { return a[i]; }", "[=, &a](int i) { return a[i]; }"},
                                        {"[] { return [] { return a[1]; }; }", "[&a] { return [&a] { return a[1]; }; }"},
                                        {"[x](auto i) mutable -> float { return a[i] * x; }", "[x, &a](auto i) mutable -> float { return a[i] * x; }"}})
    EXPECT_NE(begin(lambda).find("auto f = " + changed + ";"), std::string::npos) << begin(lambda);
  for (const std::string same : {"[&](int i) { return a[i]; }", "[&, x] { return a[1]; }", "[=](float* a) { return a[1]; }", "[=] { return x.a; }", "[] { float a = 1; return a; }"})
    EXPECT_NE(begin(same).find("auto f = " + same + ";"), std::string::npos) << begin(same);
  const std::string file_scope = rewritten("# 1 \"gpu_x.cu\"\nextern LAB_SHARED_ float s[];\nLAB_GLOBAL void k() { auto f = [=] { return s[1]; }; auto [u, t] = p; b[u] = c; }");
  EXPECT_NE(file_scope.find("[=, &s] { return s[1]; }; auto [u, t] = p; b[u] = c; }"), std::string::npos) << file_scope;
  const std::string host = "void f() { int s = 1; auto f = [=] { return s; }; }";
  EXPECT_TRUE(rewritten("# 1 \"gpu_x.cu\"\nextern LAB_SHARED_ float s[];\n" + host).ends_with(host));
  const std::string block = rewritten("# 1 \"gpu_x.cu\"\nint a;\nLAB_DEVICE void k() { { LAB_SHARED_ float a[4]; } auto f = [] { return a; }; }");
  EXPECT_NE(block.find("[] { return a; }"), std::string::npos) << block;
}

TEST(Rewrite, VariablesOfTheHostSayWhereTheyAre) {
  const auto told = [](const std::string& text, const std::string& name) {
    const std::string all = rewritten("# 1 \"gpu_x.cu\"\n" + text);
    return all.find("static const ::lab::emulated::HostVariable lab_host_" + name + "(__builtin_addressof(" + name + "), sizeof " + name + ");") != std::string::npos;
  };
  for (const std::string host : {"float x[4];", "static int x = 3;", "namespace a { const float x[2] = {1, 2}; }", "void f() { static int x; }", "int f() { g(); static float x[3] = {1}; return 0; }",
                                 "static float x[1 << 18];", "static float a[2], x[2];", "float *a = f(1, 2), *x = b;"})
    EXPECT_TRUE(told(host, "x")) << host;
  for (const std::string other : {"LAB_DEVICE float x[4];", "const int x = 3;", "LAB_CONSTANT float x[4];", "extern int x[2];", "LAB_GLOBAL void k() { static int x; }",
                                  "LAB_HOST LAB_DEVICE void f() { static int x; }", "struct A { int x[2]; };", "void f() { int x[2]; }", "void f() { static const int x = 2; }",
                                  "template <class T> T x;", "static thread_local int x;", "static std::vector<int> x;", "int& x = y;", "int A::x = 3;", "# 2 \"/usr/x.h\" 3\nint x;\n"})
    EXPECT_FALSE(told(other, "x")) << other;
}

// nvcc has been asked about each of these.
TEST(Rewrite, KernelsUseNothingOfTheHost) {
  const std::string marker = "# 1 \"gpu_x.cu\"\n";
  const auto refused = [&](const std::string& text) { return rewritten(marker + text); };
  const std::string call = "error: kernels cannot call the host function ", define = ": write __device__ before its definition",
                    parameter = ": give it to the kernel as a parameter", constant = ": declare it with __constant__ or __device__";
  const std::pair<std::string, std::string> wrong[] = {
      {"float f(float x) { return x; }\nLAB_GLOBAL void k(float* a) { a[0] = f(a[1]); }", "2:38: " + call + "\"f\"" + define},
      {"template <class T> T f(T x) { return x; }\nLAB_DEVICE void d(float* a) { a[0] = f<float>(a[1]); }", "2:38: " + call + "\"f\"" + define},
      {"struct P { int x; int get() const { return x; } };\nLAB_GLOBAL void k(P* p) { p->x = p->get(); }", "2:37: " + call + "\"get\"" + define},
      {"LAB_GLOBAL void k(int* a) { a[0] = rand(); }", "1:36: " + call + "\"rand\""},
      {"LAB_GLOBAL void k(int* a) { memmove(a, a + 1, 4); }", "1:29: " + call + "\"memmove\""},
      {"LAB_GLOBAL void k(int* a) { a[0] = std::rand(); }", "1:41: " + call + "\"rand\""},
      {"static int n = 3;\nLAB_GLOBAL void k(int* a) { int b = a[0] * n; }", "2:44: error: kernels cannot read the host variable \"n\"" + parameter},
      {"const float* p;\nLAB_GLOBAL void k(float* a) { a[0] = p[0]; }", "2:38: error: kernels cannot read the host variable \"p\"" + parameter},
      {"static int a = 2, n = 3;\nLAB_GLOBAL void k(int* a) { int b = a[0] * n; }", "2:44: error: kernels cannot read the host variable \"n\"" + parameter},
      {"constexpr float w[3] = {1, 2, 3};\nLAB_GLOBAL void k(float* a) { a[0] = w[2]; }", "2:38: error: kernels cannot read the host array \"w\"" + constant},
      // nvcc wants --expt-relaxed-constexpr for these, although the compiler knows the value.
      {"constexpr int f(int x) { return x; }\nLAB_GLOBAL void k(int* a) { constexpr int b = f(4); }", "2:47: " + call + "\"f\"" + define},
      {"constexpr int f(int x) { return x; }\nLAB_GLOBAL void k(int* a) { float b[f(4)]; }", "2:37: " + call + "\"f\"" + define},
      {"LAB_GLOBAL void k(int* a) { LAB_SHARED_ float b[std::max(4, 8)]; }", "1:54: error: kernels cannot use std::max: use max"},
      {"LAB_GLOBAL void k(int* a) { constexpr float b = std::numeric_limits<float>::lowest(); }",
       "1:54: error: kernels cannot call functions of std::numeric_limits: use FLT_MAX or INFINITY"},
      {"LAB_GLOBAL void k(int* a) { a[0] = std::min(a[1], 3); }", "1:41: error: kernels cannot use std::min: use min"},
      {"LAB_GLOBAL void k(int* a) { if (a) throw 1; }", "1:36: error: kernels cannot use \"throw\": take it out"}};
  for (const auto& [text, error] : wrong) EXPECT_EQ(refused(text), "ERROR gpu_x.cu:" + error);
  for (const std::string good :
       {"LAB_DEVICE LAB_HOST float f(float x) { return n * 2; }\nLAB_GLOBAL void k(float* a) { a[0] = f(1); }", "float f(float);\nLAB_GLOBAL void k(float* a) { decltype(f(1)) b = 2; }",
        "float f(float x) {}\nLAB_DEVICE int f(int x) {}\nLAB_GLOBAL void k(int* a) { a[0] = f(3); }", "float f(float x) {}\nLAB_GLOBAL void k(int* a) { auto f = [](int x) { return x; }; f(1); a.f(1); b::f(2); }",
        "int n = 3;\nLAB_GLOBAL void k(int* a, int n) { a[n] = a.n; }", "int n = 3;\nLAB_GLOBAL void k(int* a) { int m = 2, n = 4; a[n] = m; }", "int n = 3;\nvoid f() { n; }",
        "const int n = 3;\nLAB_CONSTANT float w[3] = {1, 2, 3};\nLAB_GLOBAL void k(float* a) { a[n] = w[1]; }", "int w[3];\nLAB_GLOBAL void k(int* a) { a[0] = sizeof(w); }",
        "constexpr int w[3] = {1, 2, 3};\nLAB_GLOBAL void k(int* a) { constexpr int b = w[1]; }", "namespace n { }\nnamespace m = n;\nLAB_GLOBAL void k(int* a) { m::f(); }",
        "struct A { LAB_DEVICE int& operator*() { return x; } LAB_DEVICE int get() {} };\nvoid f() { rand(); throw 1; }\nLAB_GLOBAL void k(A a) { *a = a.get(); }"})
    EXPECT_EQ(refused(good).substr(0, 6), "# 1 \"g") << refused(good);
}

// A name of the host may mean something else in a kernel. nvcc accepts all of these.
TEST(Rewrite, KernelsMayUseNamesOfTheHost) {
  const std::string begin = "# 1 \"/x/y/gpu_x.cu\"\nstatic int n = 3;\nint size() { return n; }\nclass Timer { void sync() {} };\n";
  const auto kernel = [](const std::string& body) { return "LAB_GLOBAL void k(int* a) { " + body + " }\n"; };
  for (const std::string good :
       {std::string("struct S { int n; LAB_DEVICE int get() { return n + size(); } int size; };\n"),
        std::string("template <int n> struct S { LAB_DEVICE int get() { return n; } };\n"),
        std::string("struct B { enum { n = 2 }; };\nstruct S : B { LAB_DEVICE int get() { return 2 * n; } };\n"),
        std::string("namespace other { constexpr int n = 2; LAB_DEVICE int get() { return n; } }\n"),
        std::string("struct A { friend LAB_GLOBAL void k(int* a); };\n") + kernel("a[0] = 1;"),
        kernel("auto [n, m] = split(a); a[0] = n;"), kernel("auto& [m, n] = *a; a[0] = n;"), kernel("switch (a[0]) { case 1: int n = 3; a[1] = n; }"),
        kernel("alignas(16) int n[4] = {}; a[0] = n[1];"), kernel("enum { m, n = 16 }; a[0] = n;"), kernel("int (&n)[4] = two[0]; a[0] = n[1];"),
        kernel("[[maybe_unused]] int n = 1; a[0] = n;"), kernel("auto f = [n = a[1]] { return n; }; a[0] = f();"), kernel("::dim3 n(1); a[0] = n.x;"),
        kernel("const float* n = b; a[0] = n[1];"), kernel("if (a[0]) goto n; a[0] = 1; n: return;"), kernel("a[0] = sizeof n + offsetof(P, m) + noexcept(n + 1);"),
        std::string("struct S { int n; LAB_DEVICE int get(); };\nLAB_DEVICE int S::get() { return 2 / n; }\n"),
        std::string("consteval int square(int x) { return x * x; }\n") + kernel("a[0] = square(3);"), kernel("a[0] = std::is_same_v<int, std::pair<int, int>> + std::numeric_limits<float>::digits;"),
        std::string("LAB_GLOBAL void k(int* a, int (*f)(const int&), std::remove_reference_t<int&> b, int c = n & 1) {}\n"),
        std::string("LAB_GLOBAL void step(int* a) {}\nstruct R { void step(int) {} void run() { step(1); } };\ntemplate <class F> void time(F&& step) { step(1); }\n"), kernel("A<int> n; a[0] = n[1];"), kernel("a[0] = sizeof(n) + b.n + c->n + d::n;"),
        "# 2 \"/usr/x.h\" 1 3\nstruct Block { void sync(); };\n# 9 \"/x/y/gpu_x.cu\" 2\n" + kernel("block.sync();")})
    EXPECT_EQ(rewritten(begin + good).substr(0, 6), "# 1 \"/") << good << rewritten(begin + good);
  for (const std::string bad : {"a[0] = n;", "a[n] = 1;", "a[0] = b * n + 1;", "int b = n;", "f(a, n);", "if (a[0] < n) a[0] = size();", "a[0] = std::numeric_limits<int>::max();", "timer.sync();", "for (int i = 0; i < n; ++i) a[i] = 0;"})
    EXPECT_EQ(rewritten(begin + kernel(bad)).substr(0, 6), "ERROR ") << bad;
}

// hipcc takes constexpr functions, constants and static members for those of the device too.
TEST(Rewrite, HipGivesConstantsToTheDevice) {
  const std::string begin = "# 1 \"/x/y/gpu_x.hip.cpp\"\n", kernel = "LAB_GLOBAL void k(float* a) { a[0] = ";
  for (const std::string good : {"constexpr float f(float x) { return x; }\n" + kernel + "f(1); }", "constexpr float w[2] = {1, 2};\n" + kernel + "w[1]; }",
                                 kernel + "std::min(a[1], a[2]); }", std::string("struct A { static LAB_GLOBAL void k(int* a) {} };")})
    EXPECT_EQ(rewritten(begin + good).substr(0, 6), "# 1 \"/") << rewritten(begin + good);
  EXPECT_EQ(rewritten(begin + "int n = 3;\n" + kernel + "n; }").substr(0, 6), "ERROR ");
  const std::string relaxed = "# 1 \"/x/y/gpu_x.cu\"\n" + kernel + "std::min(a[1], a[2]); }";
  EXPECT_TRUE(rewrite(relaxed, Constants::of_both));
  EXPECT_FALSE(rewrite(relaxed));
}

TEST(Rewrite, KernelsAreNotLikeOtherFunctions) {
  const std::string marker = "# 1 \"gpu_x.cu\"\n";
  const auto refused = [&](const std::string& text) { return rewritten(marker + text); };
  const std::string launch_it = "error: \"k\" is a kernel: launch it with k<<<blocks, threads>>>(...)";
  EXPECT_EQ(refused("LAB_GLOBAL void k(int* a) {}\nvoid f() { k(0); }"), "ERROR gpu_x.cu:2:12: " + launch_it);
  EXPECT_EQ(refused("LAB_GLOBAL void k(int* a) {}\nvoid f() { if (1) k(0); }"), "ERROR gpu_x.cu:2:19: " + launch_it);
  EXPECT_EQ(refused("struct A { static LAB_GLOBAL void k(int* a) {} };"), "ERROR gpu_x.cu:1:35: error: the kernel \"k\" cannot be a member of a class");
  EXPECT_EQ(refused("template <class T> LAB_GLOBAL void k(T* a, const A& b) {}"), "ERROR gpu_x.cu:1:51: error: a kernel gets its parameters by value: take out the &");
  EXPECT_EQ(refused("LAB_GLOBAL void k(int* a, ...) {}"), "ERROR gpu_x.cu:1:27: error: a kernel cannot take any number of parameters (...): name each");
  EXPECT_EQ(refused("LAB_GLOBAL void k(std::initializer_list<int> a) {}"),
            "ERROR gpu_x.cu:1:24: error: a kernel cannot have a parameter of type std::initializer_list: use a struct with an array");
  for (const std::string good : {"template <class... A> LAB_GLOBAL void k(int* a, A... b) {}", "LAB_GLOBAL void k(int* a) {}\nvoid f() { x = k(0); }", "LAB_GLOBAL void k(int* a) {}\nvoid f() { auto k = [] {}; k(0); }", "template <> LAB_GLOBAL void k<int>(int a, int b = x & 1);"})
    EXPECT_EQ(refused(good).substr(0, 6), "# 1 \"g") << refused(good);
}

TEST(Rewrite, AColumnIsThatOfTheFile) {
  const std::string file = ::testing::TempDir() + "column.cu";
  std::ofstream(file) << "ENTRY { throw_it(); k(0); }\n";
  const std::string begin = "# 1 \"" + file + "\"\n", longer = "extern \"C\" void entry(int a, int b) { throw_it(); k(0); }\n";
  EXPECT_EQ(rewritten(begin + "LAB_GLOBAL void k(int a) {}\n# 1 \"" + file + "\" 2\n" + longer),
            "ERROR " + file + ":1:21: error: \"k\" is a kernel: launch it with k<<<blocks, threads>>>(...)");
}

TEST(Rewrite, KernelsReturnNothing) {
  const std::string marker = "# 7 \"gpu_x.cu\"\n";
  EXPECT_EQ(rewritten(marker + "LAB_GLOBAL int k(int a) {}"), "ERROR gpu_x.cu:7:12: error: the kernel \"k\" must return \"void\"");
  EXPECT_EQ(rewritten(marker + "LAB_GLOBAL static unsigned k(int a);"),
            "ERROR gpu_x.cu:7:19: error: the kernel \"k\" must return \"void\"");
  EXPECT_EQ(rewritten(marker + "LAB_GLOBAL auto k(int a) {}"), "ERROR gpu_x.cu:7:12: error: the kernel \"k\" must return \"void\"");
  EXPECT_EQ(rewritten(marker + "LAB_GLOBAL LAB_DEVICE void k(int a) {}"), "ERROR gpu_x.cu:7:28: error: the kernel \"k\" cannot be __device__ as well: take __device__ out");
  const std::string blank(10, ' ');
  for (const std::string good : {" void k(int a) {}", " auto k(int a) -> void {}", " void LAB_UNROLLED k(int a);", " k(int a);", " int", "(", ""})
    EXPECT_EQ(rewritten(marker + "LAB_GLOBAL" + good), marker + blank + good);
  EXPECT_EQ(rewritten("LAB_GLOBAL("), blank + "(");
}

TEST(Rewrite, CallsThatTakeAKernelKnowItsType) {
  EXPECT_EQ(rewritten("cudaFuncSetAttribute((const void*)k<float, 4>, a, 1);"), "cudaFuncSetAttribute(k<float, 4>, a, 1);");
  EXPECT_EQ(rewritten("cudaFuncSetAttribute(reinterpret_cast<const void*>(&k), a, 1); cudaFuncSetAttribute(k, a, (void*)p);"),
            "cudaFuncSetAttribute((&k), a, 1); cudaFuncSetAttribute(k, a, (void*)p);");
  EXPECT_EQ(rewritten("cudaLaunchCooperativeKernel((void*)k, g, b, p);"),
            "::lab::emulated::launch_together(::lab::emulated::Site{\"k\"}, k, g, b, p);");
}

TEST(Rewrite, NoinlineIsIgnored) {
  EXPECT_EQ(rewritten("__noinline__ void f(); __attribute__((__noinline__)) void g(); [[gnu::noinline]] void h();"),
            " void f(); __attribute__((unused)) void g(); [[gnu::unused]] void h();");
}

TEST(Rewrite, FilesBelowTheFolderOfTheSourceAreTheStudents) {
  const std::string first = "# 1 \"/x/y/gpu_x.cu\"\n", text = "no_sanitize_thread";
  const std::string system = first + "# 7 \"/usr/include/x.h\" 1 3\n" + text;
  EXPECT_EQ(rewritten(system), system);
  // A macro of the student in a header of the system; what #pragma GCC system_header makes one.
  EXPECT_TRUE(rewritten(first + "# 1 \"/usr/include/x.h\" 1 3\n# 7 \"/usr/include/x.h\"\n" + text).starts_with("ERROR /usr/include/x.h:7"));
  for (const std::string own : {"/x/y/z.h", "/x/y/z/emulator/device/warp.h", "/usr/include/../../x/y/z.h", "z.h"})
    EXPECT_EQ(rewritten(first + "# 7 \"" + own + "\" 1 3\n" + text),
              "ERROR " + own + ":7:1: error: the emulated device watches all accesses of a variant: take this out");
}

TEST(Rewrite, UnrollingByAMacroIsRefused) {
  const std::string loop = "for (;;);\n";
  EXPECT_EQ(rewritten("# 7 \"gpu_x.cu\"\nint a;\n#pragma unroll U\n\n" + loop),
            "ERROR gpu_x.cu:8:1: error: nvcc does not replace macros in #pragma unroll: write constexpr int n = U; and "
            "#pragma unroll n");
  for (const std::string good : {"constexpr int U = 4;\n#pragma unroll U\n", "#pragma unroll\n", "#pragma unroll 4\n",
                                 "template <int U> void f() {}\n#pragma unroll (U)\n"})
    EXPECT_EQ(rewritten("# 7 \"gpu_x.cu\"\n" + good + loop), "# 7 \"gpu_x.cu\"\n" + good + loop);
}

TEST(Rewrite, ErrorsNameTheStudentsPosition) {
  const std::string marker = "# 12 \"gpu_x.cu\"\n";
  EXPECT_EQ(rewritten(marker + "    <<<1, 2>>>(3);"),
            "ERROR gpu_x.cu:12:5: error: a launch needs a kernel before \"<<<\"");
  EXPECT_EQ(rewritten(marker + "\n  return <<<1, 2>>>(3);"),
            "ERROR gpu_x.cu:13:10: error: a launch needs a kernel before \"<<<\"");
  EXPECT_EQ(rewritten(marker + "k<<<1, 2>>(3);"),
            "ERROR gpu_x.cu:12:2: error: the \"<<<\" of this launch is never closed with \">>>\"");
  EXPECT_EQ(rewritten(marker + "f(R\"(\n)\")<<<1, 2>>>(3);"),
            "ERROR gpu_x.cu:12:1: error: a launch or a __shared__ declaration contains a string over several lines");
  EXPECT_EQ(rewritten(marker + "{ LAB_SHARED_ alignas(16 float s[4]; }"),
            "ERROR gpu_x.cu:12:3: error: a __shared__ variable is declared like this, without a first value: "
            "__shared__ float a[16];");
  EXPECT_EQ(rewritten(marker + "{ extern LAB_SHARED_ float s[] __attribute__((aligned(16; }"),
            "ERROR gpu_x.cu:12:10: error: declare one extern __shared__ array a statement");
  EXPECT_EQ(rewritten(marker + "k<<<1, 2>>\n>(3);"),
            "ERROR gpu_x.cu:12:2: error: the \"<<<\" of this launch is never closed with \">>>\"");
  EXPECT_EQ(rewritten(marker + "k<<<1, 2>>>;"),
            "ERROR gpu_x.cu:12:9: error: a launch needs the kernel's arguments in \"(...)\" behind \">>>\"");
  EXPECT_EQ(rewritten(marker + "k<<<1, 2>>>(3;"),
            "ERROR gpu_x.cu:12:12: error: the \"(\" of this launch is never closed");
  EXPECT_EQ(rewritten(marker + "k<<<1, 2>>>(3, {4, 5});"),
            "ERROR gpu_x.cu:12:16: error: the emulated device needs the type of this argument: write it before the \"{\"");
  EXPECT_EQ(rewritten(marker + "k<<<1, j<<<1, 2>>>(3);"),
            "ERROR gpu_x.cu:12:8: error: this launch does not end inside the one around it");
  EXPECT_EQ(
      rewritten(marker + "{ extern LAB_SHARED_ float s[4]; }"),
      "ERROR gpu_x.cu:12:10: error: extern __shared__ declares an array without a size: extern __shared__ "
      "float s[];");
  EXPECT_EQ(rewritten(marker + "{ extern LAB_SHARED_ float s[], t[]; }"),
            "ERROR gpu_x.cu:12:10: error: declare one extern __shared__ array a statement");
  EXPECT_EQ(
      rewritten(marker + "{ extern LAB_SHARED_"),
      "ERROR gpu_x.cu:12:10: error: extern __shared__ declares an array without a size: extern __shared__ "
      "float s[];");
}

TEST(Rewrite, SharedDeclarationsThatCannotBe) {
  for (const std::string declaration :
       {"LAB_SHARED_ float a = 1;", "LAB_SHARED_ ;", "LAB_SHARED_", "LAB_SHARED_ float (*a)[4];",
        "LAB_SHARED_ float a[4] }", "LAB_SHARED_ A<float a;", "LAB_SHARED_ float a[4;"})
    EXPECT_EQ(
        rewritten("# 12 \"gpu_x.cu\"\n{ " + declaration),
        "ERROR gpu_x.cu:12:3: error: a __shared__ variable is declared like this, without a first value: "
        "__shared__ float a[16];")
        << declaration;
  EXPECT_EQ(rewritten("# 12 \"gpu_x.cu\"\nLAB_SHARED_ float a[4];"),
            "ERROR gpu_x.cu:12:1: error: declare __shared__ variables inside the kernel");
}

TEST(Rewrite, InlinePtxIsRefusedInStudentsFilesOnly) {
  const std::string text = "    asm volatile(\"add.u32 %0, %1;\" : \"=r\"(a) : \"r\"(b));\n";
  EXPECT_EQ(rewritten("# 7 \"gpu_x.cu\" 2\n" + text),
            "ERROR gpu_x.cu:7:5: error: the emulated device has no inline PTX (asm)");
  for (const std::string marker : {"# 7 \"/usr/include/x.h\" 1 3\n", "# 7 \"/usr/include/x.h\" 2 3 4\n"})
    EXPECT_EQ(rewritten("# 1 \"/x/sub/gpu_x.cu\"\n" + marker + text), "# 1 \"/x/sub/gpu_x.cu\"\n" + marker + text);
  const std::string barrier = "# 7 \"gpu_x.cu\" 2\nasm volatile(\"\" ::: \"memory\"); const int asm_ = 1;\n";
  EXPECT_EQ(rewritten(barrier), barrier);
}

}  // namespace
}  // namespace harness
