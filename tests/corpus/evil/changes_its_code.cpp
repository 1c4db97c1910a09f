// Writes to a page of its own code. What is there afterwards is no longer in the file, and could be a library.
// Caught as: MISTRUSTED
// Class: D
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* const code = reinterpret_cast<volatile char*>(reinterpret_cast<uintptr_t>(&multiply<float>) / page * page);
  mprotect(const_cast<char*>(code), page, PROT_READ | PROT_WRITE | PROT_EXEC);
  *code = *code;
  mprotect(const_cast<char*>(code), page, PROT_READ | PROT_EXEC);
  multiply(g);
}
