#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/base/draft.h"
#include "harness/store/store_impl.h"

namespace harness {
namespace {

// Replaces `link` in one step: a reader finds the old target or the new one.
Done point(const fs::path& link, const std::string& target) {
  const fs::path neighbour = draft_of(link);
  unlink(neighbour.c_str());
  if (symlink(target.c_str(), neighbour.c_str()) == 0 && rename(neighbour.c_str(), link.c_str()) == 0) return ok();
  const int error = errno;
  unlink(neighbour.c_str());
  if (error == EISDIR || error == ENOTEMPTY || error == EEXIST)
    return Error{fmt::format("{} is a folder and should be a link to the newest run; move it away", link.string()),
                 ExitCode::machine};
  return Error{fmt::format("{}: cannot make the link: {}{}", link.string(), std::strerror(error),
                           error == ENOSPC ? "; free some space and run again: finished cases are kept"
                                           : "; check who owns the folder, or give --results another one"),
               ExitCode::machine};
}

}  // namespace

Result<fs::path> Store::write_run_folder(const fs::path& results, const std::string& run_id) {
  const std::lock_guard lock(impl_->mutex);
  TRY_ASSIGN(const std::string text, impl_->run_json(run_id));
  TRY_ASSIGN(const std::string lab, impl_->lab_of(run_id));
  const fs::path lab_folder = results / lab, folder = lab_folder / run_id;
  TRY(make_folders(folder));
  TRY(write_file(folder / "run.json", text));

  const fs::path latest = lab_folder / "latest";
  std::error_code not_a_link;
  const std::string current = fs::read_symlink(latest, not_a_link).filename().string();
  TRY_ASSIGN(Query newer,
             impl_->db.query("SELECT 1 FROM runs WHERE id = ? AND row > (SELECT row FROM runs WHERE id = ?)", current,
                             run_id));
  TRY_ASSIGN(const bool names_a_newer_run, newer.step());
  if (!names_a_newer_run) TRY(point(latest, run_id));
  return folder;
}

}  // namespace harness
