#include "harness/base/embedded.h"

#include "harness/base/draft.h"
#include "harness/base/hash.h"

namespace harness {

Result<fs::path> unpack(std::string_view group, const fs::path& cache, const std::vector<EmbeddedFile>& files) {
  Hash hash;
  for (const EmbeddedFile& file : files)
    if (file.group == group) hash.add(file.name).add(file.bytes);
  const fs::path folder = cache / (std::string(group) + "-" + hash.hex().substr(0, 16));
  std::error_code error;
  if (fs::exists(folder, error)) return folder;
  TRY(make_folders(cache));
  remove_abandoned_drafts(cache, Depth::this_folder);
  const fs::path draft = draft_of(folder);
  fs::remove_all(draft, error);
  for (const EmbeddedFile& file : files) {
    if (file.group != group) continue;
    const fs::path path = draft / file.name;
    TRY(make_folders(path.parent_path()));
    TRY(write_file(path, file.bytes));
    const bool is_program = file.bytes.starts_with(
        "\x7f"
        "ELF");
    if (is_program) {
      fs::permissions(path, fs::perms(0755), error);
      if (error) return Error{path.string() + ": cannot be made a program: " + error.message(), ExitCode::machine};
    }
  }
  TRY(open_to_readers(draft));
  fs::rename(draft, folder, error);
  if (!error) return folder;
  fs::remove_all(draft, error);
  if (fs::exists(folder, error)) return folder;  // another process was faster
  return Error{folder.string() + ": cannot create it", ExitCode::machine};
}

}  // namespace harness
