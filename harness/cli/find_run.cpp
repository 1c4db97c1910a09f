#include "harness/cli/find_run.h"

#include <fmt/format.h>

#include "harness/base/project.h"
#include "harness/bundle/bundle.h"

namespace harness {

Result<Store> open_store(const fs::path& root, const std::string& results_folder) {
  const fs::path results = results_folder.empty() ? default_results(root) : fs::path(results_folder);
  if (!fs::exists(results / "harness.sqlite"))
    return Error{
        fmt::format("{}: no store here; run a lab first, or name another folder with --results", results.string())};
  return Store::open(results);
}

Result<fs::path> find_run(const fs::path& root, const std::string& run, const std::string& results_folder) {
  // A folder that came from elsewhere needs no store.
  if (fs::is_regular_file(fs::path(run) / "run.json")) return fs::path(run);
  if (run.ends_with(".zip")) return unpack_bundle(root, run);
  TRY_ASSIGN(Store store, open_store(root, results_folder));
  TRY_ASSIGN(const std::string id, store.resolve_run(run));
  return store.write_run_folder(results_folder.empty() ? default_results(root) : fs::path(results_folder), id);
}

}  // namespace harness
