// Finds the variants: the lab's own files, and those of a submission.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/base/enums.h"
#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/plan.h"

namespace harness {

/// The variants in a lab's folder, sorted by name. Tests, headers and files without an entry point are not variants.
Result<std::vector<VariantInfo>> scan_variants(const fs::path& folder, const Kernel& kernel);

/// Nothing longer is taken for a source.
inline constexpr uintmax_t largest_source = 1 << 20;

/// ".cpp", ".c", ".cu", ...
std::span<const std::string_view> source_endings();
/// True for the ending of a source that can be a variant: .cpp, .c, .cu, ...
bool has_source_ending(const fs::path& file);

/// "cpu_avx" of "cpu_avx.hip.cpp", or empty if the file cannot be a variant.
std::string variant_name(const fs::path& file);
/// "a.cpp" of "a.CPP", "a.C" and "a.c++": the name that a source with an ending that compilers do not agree about should
/// have, else empty.
std::string better_name(const fs::path& file);

/// Where links in a submission may lead.
enum class Links { inside, anywhere };
template <>
struct Spelling<Links> {
  static constexpr std::string_view words[] = {"inside", "anywhere"};
};

/// Adds a student's file, or the files of a folder. A file with the name of a variant replaces it; others are added.
/// Files without an entry point are added with no dtypes, so that the student gets a message. If `names` is not empty,
/// other sources of a folder are no variants: variants may include them.
Done add_submission(std::vector<VariantInfo>& variants, const fs::path& folder_or_file, const Kernel& kernel,
                    Links links = Links::inside, const std::vector<std::string>& names = {});

}  // namespace harness
