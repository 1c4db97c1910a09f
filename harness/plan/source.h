// Reads what a variant's source file says about itself. The file is untrusted: it is read as text and never run.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/plan.h"

namespace harness {

/// Everything in VariantInfo except the file's name. Without an entry macro of this kernel `dtypes` is empty.
/// Errors: `gpu_x.cu:12: LAB_GEMM_GPU(T): write float or double, ...`; `file` is used in messages.
Result<VariantInfo> read_source(const std::string& text, const std::string& file, const Kernel& kernel);

/// The same text with blanks instead of comments and of the contents of strings. Lines and length stay the same.
std::string code_only(const std::string& text);

constexpr size_t longest_file_name_bytes = 255;

/// The name of the file that a line includes, without its folder, or empty.
std::string included_file(std::string_view line);

}  // namespace harness
