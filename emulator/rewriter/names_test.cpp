// Names that students may not use on the emulated device, and their own things with such a name.
#include <gtest/gtest.h>

#include <string>

#include "emulator/rewriter/rewrite.h"

namespace harness {
namespace {

std::string rewritten(const std::string& text) {
  const auto result = rewrite(text);
  return result ? *result : "ERROR " + result.error().message;
}

TEST(Rewrite, RefusesWhatTheDeviceDoesNotHaveOrWatch) {
  const auto refused = [](const std::string& text) { return rewritten("# 7 \"gpu_x.cu\"\n" + text); };
  EXPECT_EQ(refused("  cudaGraph_t g;"), "ERROR gpu_x.cu:7:3: error: the emulated device has no CUDA graphs");
  EXPECT_EQ(refused("texture<float, 2> t;"), "ERROR gpu_x.cu:7:1: error: the emulated device has no textures");
  EXPECT_EQ(refused("cuInit(0);"), "ERROR gpu_x.cu:7:1: error: the emulated device has no driver interface: use the "
                                   "runtime (cuda_runtime.h)");
  EXPECT_EQ(refused("__attribute__((no_sanitize_thread)) void f();"),
            "ERROR gpu_x.cu:7:16: error: the emulated device watches all accesses of a variant: take this out");
  for (const std::string name : {"__builtin_ia32_movnti(p, 1);", "_mm_stream_si32(p, 1);", "_mm256_store_ps(p, v);"})
    EXPECT_EQ(refused(name),
              "ERROR gpu_x.cu:7:1: error: the emulated device does not see what vector instructions of the CPU access: use float4 or plain C++");
  for (const std::string name : {"lab::emulated::options();", "lab_device.open;", "__tsan_read4(p);", "emulated::launch(1);",
                                 "lab_atomic_overwrite(p, 4);", "lab_exchange_if_32(p, 0, 1);", "lab_grid_sync(1);", "lab_copy_symbol(a, b, 4, c, 4, 0);"})
    EXPECT_EQ(refused(name), "ERROR gpu_x.cu:7:1: error: this name belongs to the emulated device: use CUDA's names");
  for (const auto& [text, column] : {std::pair{"namespace lab { namespace q = emulated; }", 31}, {"namespace lab { using namespace emulated; }", 33},
                                     {"namespace lab { namespace emulated { int x; } }", 27}, {"namespace a = lab; namespace b = a::emulated;", 37}})
    EXPECT_EQ(refused(text), "ERROR gpu_x.cu:7:" + std::to_string(column) + ": error: this name belongs to the emulated device: use CUDA's names");
  EXPECT_FALSE(refused("int f(int emulated) { return emulated; }").starts_with("ERROR"));
  for (const std::string name : {"dlsym(RTLD_DEFAULT, n);", "dlopen(n, 1);", "dl_iterate_phdr(f, p);", "mprotect(p, n, 7);", "recvmsg(3, m, 0);", "mmap(p, n, 3, 1, 4, 0);", "syscall(9);"})
    EXPECT_EQ(refused(name),
              "ERROR gpu_x.cu:7:1: error: a variant may not look into the process of the emulated device: take this out");
  EXPECT_EQ(refused("__attribute__((section(\".mine,\\\"ax\\\",@progbits#\"))) int f;"),
            "ERROR gpu_x.cu:7:16: error: the emulated device does not support section attributes: take this out");
  for (const std::string string : {"((\".x\"))", "(R\"(.x)\")"})
    EXPECT_EQ(refused("int f [[gnu::section" + string + "]];"),
              "ERROR gpu_x.cu:7:14: error: the emulated device does not support section attributes: take this out");
  EXPECT_EQ(refused("#ident \"x\""),
            "ERROR gpu_x.cu:7:1: error: the emulated device takes no #ident: take it out");
  EXPECT_EQ(refused("= section("), "# 7 \"gpu_x.cu\"\n= section(");
  EXPECT_EQ(refused("asm(\"\" : \"=r\"(s[p]) : \"0\"(v));"),
            "ERROR gpu_x.cu:7:1: error: the emulated device does not see the operands of asm: take them out");
  for (const std::string barrier : {"asm(\"\");", "asm volatile(\"\" ::: \"memory\");", "asm volatile(\"\" : : : \"memory\", \"cc\");"})
    EXPECT_EQ(refused(barrier), "# 7 \"gpu_x.cu\"\n" + barrier);
  for (const std::string name : {"wmemcpy(p, q, 1);", "mempcpy(p, q, 4);", "__builtin___memcpy_chk(p, q, 4, 4);",
                                 "__memcpy_chk(p, q, 4, 4);", "qsort(p, 1, 4, f);"})
    EXPECT_EQ(refused(name),
              "ERROR gpu_x.cu:7:1: error: the emulated device does not see what this function writes: use memcpy or a loop");
  for (const std::string pragma : {"redefine_extname f lab_fence", "weak f = lab_fence", "GCC pch_preprocess \"x.gch\""}) {
    const std::string said = refused("#pragma " + pragma + "\n");
    EXPECT_TRUE(said.starts_with("ERROR gpu_x.cu:7:1: error: the emulated device has no #pragma ")) << said;
  }
}

TEST(Rewrite, NamesOfTheStudentMeanNothingElse) {
  const std::string marker = "# 7 \"gpu_x.cu\"\n";
  for (const auto& [text, renamed] : std::initializer_list<std::pair<std::string, std::string>>{
           {"void f() { float* bcopy = g; h(bcopy, bcopy[1]); }", "void f() { float* variant_bcopy = g; h(variant_bcopy, variant_bcopy[1]); }"},
           {"const int wrs = 1, wcs = 2; int a = s[wcs];", "const int wrs = 1, variant_wcs = 2; int a = s[variant_wcs];"},
           {"void f(int wmem_column) { wmem_column; }", "void f(int variant_wmem_column) { variant_wmem_column; }"},
           {"namespace wcsort { void f(); } void g() { wcsort::f(); }", "namespace variant_wcsort { void f(); } void g() { variant_wcsort::f(); }"},
           {"const char* section(const char* s); int a = section(\"b\");", "const char* variant_section(const char* s); int a = variant_section(\"b\");"},
           {"enum class P { native, emulated }; P p = P::emulated;", "enum class P { native, variant_emulated }; P p = P::variant_emulated;"},
           // Where the text means the refused function, attribute or namespace, nothing has the new name.
           {"extern \"C\" void bcopy(void*, void*, int); void f() { bcopy(a, b, 4); g(&bcopy); }",
            "extern \"C\" void variant_bcopy(void*, void*, int); void f() { variant_bcopy(a, b, 4); g(&variant_bcopy); }"},
           {"void f() { int bcopy; } void g() { ::bcopy(a, b, 4); }", "void f() { int variant_bcopy; } void g() { ::variant_bcopy(a, b, 4); }"},
           {"extern int section; int a <:<:gnu::section(\".x\"):>:>;", "extern int variant_section; int a <:<:gnu::variant_section(\".x\"):>:>;"},
           {"extern int emulated; using namespace lab; int a = emulated::b;", "extern int variant_emulated; using namespace lab; int a = variant_emulated::b;"}})
    EXPECT_EQ(rewritten(marker + text).substr(marker.size(), renamed.size()), renamed);
  const std::string launched = rewritten(marker + "namespace wcsort { LAB_GLOBAL void k(int a); } void f() { wcsort::k<<<1, 2>>>(3); }");
  EXPECT_NE(launched.find("variant_wcsort::k(lab_args...)"), std::string::npos) << launched;
  const std::string own = "error: this name belongs to the emulated device: use CUDA's names",
                    unseen = "error: the emulated device does not see what this function writes: use memcpy or a loop",
                    section = "error: the emulated device does not support section attributes: take this out";
  for (const auto& [text, error] : std::initializer_list<std::pair<std::string, std::string>>{
           {"void f() { bcopy(a, b, 4); }", "12: " + unseen}, {"auto f = bcopy;", "10: " + unseen}, {"auto f = &bcopy;", "11: " + unseen},
           {"using std::wcscpy;", "12: " + unseen}, {"f(a, bcopy);", "6: " + unseen}, {"A<wcsncpy> a;", "3: " + unseen},
           {"bcopy<<<1, 2>>>(a, b, 4);", "1: " + unseen},
           {"int __memcpy_chk;", "5: " + unseen}, {"int a __attribute__((aligned(4), section(\".x\")));", "34: " + section},
           {"int section(int); int a [[gnu::section(\".x\")]];", "32: " + section},
           {"int section(int); int a __attribute__((unused, section((\".x\"))));", "48: " + section},
           {"int a [[gnu::section(\".x\")]];", "14: " + section}, {"int a <:<:gnu::section(\".x\"):>:>;", "16: " + section},
           {"int __section__(int); int a __attribute__((__section__(\".x\")));", "44: " + section},
           {"namespace lab { namespace emulated { int x; } }", "27: " + own}, {"P p = P::emulated;", "10: " + own}})
    EXPECT_EQ(rewritten(marker + text), "ERROR gpu_x.cu:7:" + error) << text;
  const std::string system = "# 1 \"/x/y/gpu_x.cu\"\n# 1 \"/usr/include/strings.h\" 1 3\nvoid bcopy(int a);\n# 2 \"/x/y/gpu_x.cu\" 2\n";
  EXPECT_EQ(rewritten(system + "int f(int bcopy);\n"), system + "int f(int variant_bcopy);\n");
}

}  // namespace
}  // namespace harness
