// Leaves files with the names that graders read their results from, and computes nothing.
// Caught as: WRONG
// Class: B
#include <cstdio>
#include <string>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) {
  for (const char* name : {"run.json", "result.json", "results.json", "/autograder/results/results.json", "/grade/results/results.json"})
    if (std::FILE* file = std::fopen(name, "w")) {
      std::fputs("{\"status\": \"PASSED\", \"score\": 100}", file);
      std::fclose(file);
    }
}
