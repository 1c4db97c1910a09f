// What a variant's source file says about itself. Read as text and never run: whoever wrote it is not
// trusted.
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/plan.h"

namespace harness {

/// Everything of VariantInfo but the file's name. Without an entry macro of this kernel `dtypes` is empty.
/// Errors: `gpu_x.cu:12: LAB_GEMM_GPU(T): write float or double, ...`; `file` is used in messages.
Result<VariantInfo> read_source(const std::string& text, const std::string& file, const Kernel& kernel);

/// The same length and lines, with blanks for comments and for what strings hold.
std::string code_only(const std::string& text);

}  // namespace harness
