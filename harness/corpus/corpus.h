// A folder of variants whose verdict is known. It tests whether the harness catches what it must, and nothing else.
//
//   DIR/gemm.yaml                   sizes and resources of gemm variants (correct/gemm.yaml: of those in correct/)
//   DIR/correct/NAME.{cpp,cu}       must pass
//   DIR/wrong/NAME.{cpp,cu}         a student's mistake: must be found and explained
//   DIR/evil/NAME.{cpp,cu}          tries to cheat or to do harm: must be caught
//
// These three may have folders of their own. The head of each file says what is expected:
//
//   // Takes the rows of B for its columns.
//   // Caught as: WRONG, OUT_OF_BOUNDS
//   // Says: are the indices of B swapped?
//
// A file in evil/ also has `// Class: A`, a letter of `exploit_classes`. It may be `Caught as: PASSED`: then the
// sandbox stops it, and without the sandbox its result would be wrong. `// Emulated: ...` replaces `Caught as` on the
// emulated device. `// Finds: KIND` replaces both: the emulated device reports this diagnostic, at one of the lines
// that contain `// here` if there are any. `// Open: why` says that it is not caught yet, and the corpus fails.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/status.h"
#include "harness/engine/events.h"
#include "harness/engine/options.h"

namespace harness {

enum class CorpusFolder { correct, wrong, evil };
template <>
struct Spelling<CorpusFolder> {
  static constexpr std::string_view words[] = {"correct", "wrong", "evil"};
};

/// What evil variants try, by letter.
const std::map<char, std::string>& exploit_classes();

struct CorpusEntry {
  CorpusFolder folder = CorpusFolder::correct;
  std::string name;    // the variant's
  fs::path file;       // as found
  fs::path config;     // that it is run with
  std::string label;   // "wrong/zeros.cpp"
  std::string kernel;  // "gemm"
  std::string about;   // its first line
  bool gpu = false;
  char exploit = ' ';               // evil only
  std::vector<Status> caught_as;    // one of them
  std::vector<Status> emulated_as;  // the same on the emulated device; empty: caught_as
  std::vector<std::string> says;    // each is part of the reason
  std::string finds;                // kind of a diagnostic of the emulated device
  std::vector<int> lines;           // where it is: those with "// here"; empty: anywhere
  std::string open;                 // why it is not caught yet

  const std::vector<Status>& expected(bool emulated) const {
    return emulated && !emulated_as.empty() ? emulated_as : caught_as;
  }
};

struct Corpus {
  fs::path folder;
  std::vector<CorpusEntry> entries;
};

/// Errors: `DIR/wrong/x.cpp:2:15: unknown status "WORNG" (did you mean "WRONG"?); ...`
Result<Corpus> read_corpus(const fs::path& folder);
/// Reads the head of a file. Folder, name and path of the entry are filled in already.
Done read_entry_head(const std::string& text, CorpusEntry& entry);

struct CorpusVerdict {
  const CorpusEntry* entry = nullptr;
  Status got = Status::SKIPPED;  // status of the first case that failed, else PASSED or SKIPPED
  std::string reason;
  bool emulated = false;
  bool as_expected = false;
  bool counts = true;       // false: it cannot run here
  bool unverified = false;  // its time could not be verified independently
};

struct CorpusRun {
  std::vector<CorpusVerdict> verdicts;  // in the order of the entries
  std::vector<std::string> repeated;    // what ran again, and why
  std::vector<std::string> disturbed;   // failures of the correct baseline that ran with them
};

/// Builds, checks and times all of them. `options` has device, sandbox and jobs.
Result<CorpusRun> run_corpus(const Corpus& corpus, const RunOptions& options, EventSink& events);

}  // namespace harness
