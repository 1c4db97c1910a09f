// Opens a foreign or damaged results/harness.sqlite: the result is an error or runs that can be read.
#include <cstdlib>
#include <fstream>

#include "harness/base/fuzz.h"
#include "harness/store/store.h"

using namespace harness;

namespace {

/// Asks the store for everything that it names. All paths must stay inside the folder.
void read_all(const fs::path& results) {
  auto store = Store::open(results);
  if (!store) return fuzz::must_be_message(store.error().message);
  for (const char* key : {"k0", "k1"}) (void)store->find_case(key);
  const auto run = store->resolve_run("latest");
  if (!run) return fuzz::must_be_message(run.error().message);
  (void)store->run_json(*run);
  (void)store->write_run_folder(results, *run);
  (void)store->update_run(*run, RunRecord{});
  (void)store->close_torn_runs("lab5");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const TemporaryFolder folder;
  static const fs::path results = folder.path() / "a/b/results";
  std::error_code error;
  fs::create_directories(results, error);
  std::ofstream(results / "harness.sqlite").write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  read_all(results);
  size_t outside = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path(), error)) {
    const std::string path = entry.path().string();
    outside += path.rfind(results.string(), 0) != 0 && results.string().rfind(path, 0) != 0;
  }
  fuzz::must(outside == 0, "nothing is written beside the results");
  fs::remove_all(results, error);
  return 0;
}
