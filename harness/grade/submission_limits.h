// What of a submission is read, from a folder (submission.cpp) and from an archive (archive.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace harness {

inline constexpr size_t most_entries = 10'000, most_sources = 1'000;
inline constexpr uintmax_t most_source_bytes = 16 << 20;

inline constexpr std::string_view header_endings[] = {".h",   ".hh",  ".hpp", ".hxx", ".cuh",
                                                      ".inl", ".inc", ".ipp", ".tpp", ".tcc", ".txx", ".def", ".tuned"};
/// What a source with a wrong name may end in, in small letters. Not what reports end in, such as .pdf and .md.
inline constexpr std::string_view misnamed_endings[] = {".txt",  ".text", ".bak", ".old", ".orig", ".doc",
                                                        ".docx", ".rtf",  ".c++", ".cp",  ""};

}  // namespace harness
