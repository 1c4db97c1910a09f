#include "harness/watch/symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace harness {
namespace {

// Without these limits a file could be made that takes hours to read.
constexpr int most_tables = 2;
constexpr size_t longest_name = 64;

template <class T>
std::optional<T> read_at(std::string_view bytes, uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string_view part(std::string_view bytes, uint64_t at, uint64_t size) {
  return at > bytes.size() ? std::string_view{} : bytes.substr(at, size);
}

/// What the names of a library's functions begin with; names of Fortran's BLAS are whole.
const std::map<std::string, std::vector<std::string>>& prefixes() {
  static const std::vector<std::string> blas = {"cblas_", "sgemm_", "dgemm_"};
  const auto with_blas = [](std::vector<std::string> own) {
    own.insert(own.end(), blas.begin(), blas.end());
    return own;
  };
  static const std::map<std::string, std::vector<std::string>> all = {
      {"armpl", with_blas({"armpl_"})},
      {"atlas", with_blas({"ATL_"})},
      {"blas", blas},
      {"blis", with_blas({"bli_"})},
      {"dnnl", {"dnnl_"}},
      {"gsl", {"gsl_"}},
      {"lapack", {"LAPACKE_"}},
      {"mkl", with_blas({"mkl_"})},
      {"openblas", with_blas({"openblas_"})},
  };
  return all;
}

}  // namespace

std::vector<std::string> defined_functions(std::string_view elf) {
  std::vector<std::string> found;
  const auto header = read_at<Elf64_Ehdr>(elf, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return found;
  const auto section = [&](uint64_t i) {
    return i < header->e_shnum ? read_at<Elf64_Shdr>(elf, header->e_shoff + i * sizeof(Elf64_Shdr)) : std::nullopt;
  };
  int tables = 0;
  for (uint64_t i = 0; i < header->e_shnum && tables < most_tables; ++i) {
    const auto table = section(i);
    if (!table || (table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM)) continue;
    const auto names = section(table->sh_link);
    if (!names) continue;
    ++tables;
    const std::string_view symbols = part(elf, table->sh_offset, table->sh_size);
    const std::string_view text = part(elf, names->sh_offset, names->sh_size);
    for (uint64_t at = 0; const auto symbol = read_at<Elf64_Sym>(symbols, at); at += sizeof(Elf64_Sym)) {
      const std::string_view rest = part(text, symbol->st_name, longest_name);
      const std::string_view name = rest.substr(0, rest.find('\0'));
      const auto type = ELF64_ST_TYPE(symbol->st_info);
      const bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;  // the last: of assembly
      if (is_function && symbol->st_shndx != SHN_UNDEF && !name.empty()) found.emplace_back(name);
    }
  }
  return found;
}

static bool is_whole_name(std::string_view name) { return name == "sgemm_" || name == "dgemm_"; }

std::optional<std::string> find_symbol_of(const std::vector<std::string>& libraries,
                                          const std::vector<std::string>& symbols) {
  for (const std::string& library : libraries) {
    const auto known = prefixes().find(library);
    if (known == prefixes().end()) continue;
    for (const std::string& symbol : symbols)
      for (const std::string& prefix : known->second)
        if (is_whole_name(prefix) ? symbol == prefix : symbol.starts_with(prefix)) return symbol;
  }
  return std::nullopt;
}

}  // namespace harness
