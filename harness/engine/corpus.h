// A folder of variants whose verdict is known: does the harness catch what it must, and accuse nobody else?
//
//   DIR/gemm.yaml                   how gemm variants are run: sizes, limits (correct/gemm.yaml: those in correct/)
//   DIR/correct/NAME.{cpp,cu}       must pass
//   DIR/wrong/NAME.{cpp,cu}         a student's mistake: must be told, with what it is
//   DIR/evil/NAME.{cpp,cu}          tries to cheat or to do harm: must be caught
//
// Folders in these three count as theirs. What is expected stands at the head of each file:
//
//   // Takes the rows of B for its columns.
//   // Caught as: WRONG, OUT_OF_BOUNDS
//   // Says: are the indices of B swapped?
//
// evil has `// Class: A` too (a letter of `exploit_classes`), and may be `Caught as: PASSED`: it met a wall,
// and its result would be wrong had there been none. `// Emulated: ...` stands for `Caught as` on the
// emulated device. `// Finds: KIND` stands for both: the emulated device reports this diagnostic, at one of
// the lines that contain `// here` if there are any. `// Open: why` says that it is not caught yet, which
// keeps the whole from being fine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/base/status.h"
#include "harness/engine/events.h"
#include "harness/engine/options.h"

namespace harness {

enum class Shelf { correct, wrong, evil };
constexpr std::string_view to_string(Shelf shelf) {
  return shelf == Shelf::correct ? "correct" : shelf == Shelf::wrong ? "wrong" : "evil";
}

/// What evil variants try, by letter.
const std::map<char, std::string>& exploit_classes();

struct CorpusEntry {
  Shelf shelf = Shelf::correct;
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
/// One file's head: `text` of `file`, whose place in the corpus is filled in already.
Done read_entry_head(const std::string& text, CorpusEntry& entry);

struct CorpusVerdict {
  const CorpusEntry* entry = nullptr;
  Status got = Status::SKIPPED;  // of its first case that failed, else PASSED or SKIPPED
  std::string reason;
  bool emulated = false;
  bool as_expected = false;
  bool counts = true;       // false: it cannot run here
  bool unverified = false;  // its time could not be verified independently
};

struct CorpusRun {
  std::vector<CorpusVerdict> verdicts;  // in the order of the entries
  std::vector<std::string> repeated;    // run again, and why
  std::vector<std::string> disturbed;   // failures of the honest baseline that ran beside them
};

/// Builds, proves and times all of them. `options` says device, sandbox, jobs.
Result<CorpusRun> run_corpus(const Corpus& corpus, const RunOptions& options, EventSink& events);

}  // namespace harness
