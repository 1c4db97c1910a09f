// The names of functions in an object, for libraries that are linked into it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// The functions that an ELF file of 64 bits defines; none if it is not one. The bytes may be anything. The list does not have
/// the names of source files and variables, because a student may give them any name.
std::vector<std::string> defined_functions(std::string_view elf);

/// The first symbol that belongs to one of these libraries (of `forbid`), as cblas_sgemm to openblas.
std::optional<std::string> find_symbol_of(const std::vector<std::string>& libraries,
                                          const std::vector<std::string>& symbols);

}  // namespace harness
