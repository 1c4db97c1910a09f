#include "harness/client/program.h"

#include <sys/stat.h>

#include <cstdio>
#include <string_view>

#include "harness/base/draft.h"
#include "harness/base/hash.h"

// HARNESS_WORKER: path of the built program, from CMake.
asm(".section .rodata\n"
    ".global harness_worker_begin\n"
    ".global harness_worker_end\n"
    "harness_worker_begin:\n"
    ".incbin \"" HARNESS_WORKER
    "\"\n"
    "harness_worker_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char harness_worker_begin[], harness_worker_end[];

namespace harness {

Result<fs::path> worker_program(const fs::path& cache) {
  const std::string_view bytes(harness_worker_begin,
                               static_cast<size_t>(harness_worker_end - harness_worker_begin));
  const fs::path folder = cache / ("worker-" + sha256(bytes).substr(0, 16));
  fs::path program = folder / "harness-worker";
  std::error_code error;
  if (fs::exists(program, error)) return program;
  TRY(make_folders(folder));
  remove_abandoned_drafts(folder, Depth::this_folder);
  // Executable before it has its final name: another run may be looking for it.
  const fs::path fresh = folder / ("harness-worker" + draft_ending());
  TRY(write_file(fresh, bytes));
  if (chmod(fresh.c_str(), 0755) != 0 || rename(fresh.c_str(), program.c_str()) != 0)
    return Error{program.string() + ": cannot make it executable", ExitCode::machine};
  return program;
}

}  // namespace harness
