// Loads the vendor's library at the beginning of a call and unloads it at the end: between calls there is nothing to see.
// Caught as: MISTRUSTED
// Class: D
#include <dlfcn.h>

#include <string>

#include "lab/gemm.h"

using Product = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const std::string name = std::string("lib") + "open" + "blas.so.0", entry = std::string("cblas_") + "sgemm";
  void* const library = dlopen(name.c_str(), RTLD_NOW);
  const auto product = library ? reinterpret_cast<Product>(dlsym(library, entry.c_str())) : nullptr;
  if (!product) throw lab::Unsupported("there is no such library to load here");
  constexpr int row_major = 101, as_it_is = 111;
  product(row_major, as_it_is, as_it_is, int(g.m), int(g.n), int(g.k), g.alpha, g.a, int(g.lda), g.b, int(g.ldb), g.beta,
          g.c, int(g.ldc));
  dlclose(library);
}
