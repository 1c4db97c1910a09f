#include "harness/machine/cpu_probes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace harness {
namespace {

// Two pipes of four to five cycles need 8 to 10 multiply-adds in flight; 12 and two constants still fit into
// the 16 registers of AVX2.
constexpr int kChains = 12;

// The chains are summed here, so that the compiler cannot remove any of them.
volatile double sink;

// One loop for all instruction sets: x <- x * scale + shift, which tends to 1 and meets neither zero nor
// infinity. A macro, because a function template cannot name its target.
#define FMA_LOOP(name, target, Vector, Element, multiply_add)                                                    \
  target void name(int64_t steps) {                                                                              \
    Vector chain[kChains], scale, shift;                                                                         \
    for (size_t lane = 0; lane < sizeof(Vector) / sizeof(Element); ++lane) {                                     \
      reinterpret_cast<Element*>(&scale)[lane] = Element(0.9990234375);                                          \
      reinterpret_cast<Element*>(&shift)[lane] = Element(0.0009765625);                                          \
      for (int i = 0; i < kChains; ++i) reinterpret_cast<Element*>(&chain[i])[lane] = Element(0.5) + Element(i); \
    }                                                                                                            \
    for (int64_t s = 0; s < steps; ++s) {                                                                        \
      _Pragma("GCC unroll 12") for (int i = 0; i < kChains; ++i) multiply_add;                                   \
    }                                                                                                            \
    double sum = 0;                                                                                              \
    for (int i = 0; i < kChains; ++i) sum += reinterpret_cast<Element*>(&chain[i])[0];                           \
    sink = sum;                                                                                                  \
  }

// For every processor, with the compiler's own 16-byte vectors: SSE2 on x86-64, NEON on Arm.
typedef float f32x4 __attribute__((vector_size(16), may_alias));
typedef double f64x2 __attribute__((vector_size(16), may_alias));
FMA_LOOP(plain_f32, , f32x4, float, chain[i] = chain[i] * scale + shift)
FMA_LOOP(plain_f64, , f64x2, double, chain[i] = chain[i] * scale + shift)

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))
FMA_LOOP(avx2_f32, AVX2, __m256, float, chain[i] = _mm256_fmadd_ps(chain[i], scale, shift))
FMA_LOOP(avx2_f64, AVX2, __m256d, double, chain[i] = _mm256_fmadd_pd(chain[i], scale, shift))
FMA_LOOP(avx512_f32, AVX512, __m512, float, chain[i] = _mm512_fmadd_ps(chain[i], scale, shift))
FMA_LOOP(avx512_f64, AVX512, __m512d, double, chain[i] = _mm512_fmadd_pd(chain[i], scale, shift))
#endif

FmaProbe probe(const char* instructions, size_t vector_bytes, Dtype dtype, void (*run)(int64_t)) {
  return {instructions, static_cast<int64_t>(2 * kChains * vector_bytes / size_of(dtype)), run};
}

typedef int64_t Line __attribute__((vector_size(16), may_alias));

void copy_ordinary(char* to, const char* from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64)
    for (int i = 0; i < 4; ++i) reinterpret_cast<Line*>(to + at)[i] = reinterpret_cast<const Line*>(from + at)[i];
}

#if defined(__x86_64__)
// Writes past the caches, so that the processor does not read the overwritten lines first.
void copy_past_caches(char* to, const char* from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 64)
    for (int i = 0; i < 4; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at) + i,
                       _mm_load_si128(reinterpret_cast<const __m128i*>(from + at) + i));
  _mm_sfence();
}
#endif

}  // namespace

std::vector<FmaProbe> fma_probes(Dtype dtype) {
  const bool f32 = dtype == Dtype::f32;
  std::vector<FmaProbe> probes;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) probes.push_back(probe("AVX-512", 64, dtype, f32 ? avx512_f32 : avx512_f64));
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    probes.push_back(probe("AVX2 and FMA", 32, dtype, f32 ? avx2_f32 : avx2_f64));
#endif
  probes.push_back(probe("16-byte vectors", 16, dtype, f32 ? plain_f32 : plain_f64));
  return probes;
}

FmaProbe widest_fma_probe(Dtype dtype) { return fma_probes(dtype).front(); }

std::vector<CopyProbe> copy_probes() {
  std::vector<CopyProbe> probes = {{"ordinary stores", copy_ordinary}};
#if defined(__x86_64__)
  probes.push_back({"non-temporal stores", copy_past_caches});
#endif
  return probes;
}

}  // namespace harness
