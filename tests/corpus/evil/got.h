// What a variant does that wants other functions in the worker's place: the worker's imports lie in its memory.
#pragma once

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

struct Import {
  const char* name;
  void* with;
  void* before;  // null: not found
};

static int replace_in(dl_phdr_info* object, size_t, void* import_) {
  auto& import = *static_cast<Import*>(import_);
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < object->dlpi_phnum; ++i)
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
  if (!entry) return 0;
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela)* table[2] = {};
  size_t bytes[2] = {};
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_JMPREL) table[0] = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_PLTRELSZ) bytes[0] = entry->d_un.d_val;
    if (entry->d_tag == DT_RELA) table[1] = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_RELASZ) bytes[1] = entry->d_un.d_val;
  }
  for (int t = 0; symbols && names && t < 2; ++t)
    for (size_t i = 0; table[t] && i < bytes[t] / sizeof(ElfW(Rela)); ++i) {
      const ElfW(Rela)& r = table[t][i];
      if (std::strcmp(names + symbols[ELF64_R_SYM(r.r_info)].st_name, import.name) != 0) continue;
      auto** slot = reinterpret_cast<void**>(object->dlpi_addr + r.r_offset);
      void* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(slot) / 4096 * 4096);
      if (mprotect(page, 8192, PROT_READ | PROT_WRITE) != 0 && mprotect(page, 4096, PROT_READ | PROT_WRITE) != 0)
        continue;
      import.before = *slot;
      *slot = import.with;
    }
  return 1;  // the first object is the program itself
}

/// From now on the worker calls `with` where it called `name`. What it called before, or null.
static void* replace_import(const char* name, void* with) {
  Import import{name, with, nullptr};
  dl_iterate_phdr(replace_in, &import);
  return import.before;
}
