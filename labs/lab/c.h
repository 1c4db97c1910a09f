// What the kernel headers share in C.
//
// A variant that does not support a problem by design calls lab_unsupported("stride 1 only") and returns from its entry
// point. The case becomes SKIPPED with that text.
#pragma once

#include <stdio.h>

#include "lab/abi.h"

static char lab_text[256];

static inline void lab_unsupported(const char* text) { snprintf(lab_text, sizeof lab_text, "%s", text); }

LAB_EXPORT const char* lab_message(void) { return lab_text; }

/// Defines lab_cpu_<kernel>_<type>: unpacks the problem and calls the body that follows the macro.
#define LAB_C_CPU(kernel, T)                                                                                      \
  static void lab_body_##kernel##_##T(const lab_##kernel##_##T* problem);                                         \
  LAB_EXPORT int LAB_SYMBOL(lab_cpu_##kernel##_, T)(const void* problem, void* const* buffers, void* workspace) { \
    const lab_##kernel##_##T unpacked = lab_unpack_##kernel##_##T(problem, buffers, workspace);                   \
    lab_text[0] = 0;                                                                                              \
    lab_body_##kernel##_##T(&unpacked);                                                                           \
    return lab_text[0] ? LAB_UNSUPPORTED : LAB_OK;                                                                \
  }                                                                                                               \
  static void lab_body_##kernel##_##T

#define LAB_C_WORKSPACE(kernel, T)                                                      \
  static size_t lab_space_##kernel##_##T(const lab_##kernel##_##T* problem);            \
  LAB_EXPORT size_t LAB_SYMBOL(lab_workspace_##kernel##_, T)(const void* problem) {     \
    const lab_##kernel##_##T unpacked = lab_unpack_##kernel##_##T(problem, NULL, NULL); \
    return lab_space_##kernel##_##T(&unpacked);                                         \
  }                                                                                     \
  static size_t lab_space_##kernel##_##T
