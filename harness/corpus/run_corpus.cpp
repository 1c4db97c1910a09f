#include <fmt/format.h>

#include <algorithm>

#include "harness/base/interrupt.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/corpus/corpus.h"
#include "harness/engine/run.h"
#include "harness/machine/noise.h"

namespace harness {
namespace {

// Entries of one folder and kernel share a run, so that evil variants run together with the config's baseline only.
using Together = std::vector<size_t>;

constexpr double much_stolen = 0.03;  // of one processor
constexpr int tries_more = 2;

std::vector<Together> runs_of(const Corpus& corpus) {
  std::map<std::pair<fs::path, std::string>, Together> runs;
  for (size_t i = 0; i < corpus.entries.size(); ++i)
    runs[{corpus.entries[i].file.parent_path(), corpus.entries[i].kernel}].push_back(i);
  std::vector<Together> all;
  for (auto& [key, together] : runs) all.push_back(std::move(together));
  return all;
}

/// Keeps the records of each variant, and passes all events on.
class Collector final : public EventSink {
 public:
  explicit Collector(EventSink& next) : next_(next) {}
  void on(const Event& event) override {
    if (const auto* ended = std::get_if<event::CaseEnded>(&event))
      cases[ended->record.variant].push_back(ended->record);
    next_.on(event);
  }
  std::map<std::string, std::vector<CaseRecord>> cases;

 private:
  EventSink& next_;
};

/// True if the emulated device reports the diagnostic of this entry, at one of its lines.
bool is_found(const CorpusEntry& entry, const std::vector<CaseRecord>& cases) {
  const auto is_there = [&](int line) { return contains(entry.lines, line); };
  for (const CaseRecord& record : cases)
    for (const Diagnostic& d : record.diagnostics)
      if (d.kind == entry.finds && (entry.lines.empty() || is_there(d.line) || is_there(d.other_line))) return true;
  return false;
}

bool meets(const CorpusEntry& entry, const CorpusVerdict& verdict, const std::vector<CaseRecord>& cases) {
  if (!entry.finds.empty()) return is_found(entry, cases);
  const auto& expected = entry.expected(verdict.emulated);
  const bool told = verdict.emulated && !entry.emulated_as.empty()
                        ? true
                        : std::ranges::all_of(entry.says, [&](const std::string& part) {
                            return verdict.reason.find(part) != std::string::npos;
                          });
  return told && contains(expected, verdict.got);
}

const Note* find_unverified_time(const std::vector<CaseRecord>& cases) {
  for (const CaseRecord& record : cases)
    for (const Note& note : record.notes)
      if (is_unverified_time(note)) return &note;
  return nullptr;
}

CorpusVerdict verdict_of(const CorpusEntry& entry, const std::vector<CaseRecord>& cases) {
  CorpusVerdict verdict;
  verdict.entry = &entry;
  for (const CaseRecord& record : cases) {
    verdict.emulated = record.device == Device::emulated;
    const bool says_more = info(record.status).fails || verdict.got == Status::SKIPPED;
    if (info(verdict.got).fails || !says_more) continue;
    verdict.got = record.status;
    verdict.reason = record.reason;
  }
  verdict.counts =
      verdict.got != Status::SKIPPED && verdict.got != Status::CANCELLED && (entry.finds.empty() || verdict.emulated);
  // Some variants are only caught by a comparison of clocks, which a busy machine does not allow.
  if (verdict.got == Status::PASSED && entry.caught_as == std::vector{Status::SUSPECT})
    if (const Note* note = find_unverified_time(cases)) {
      verdict.counts = false;
      verdict.unverified = true;
      verdict.reason = to_string(*note);
    }
  // A variant with unstable times has not been caught.
  CorpusVerdict stable = verdict;
  if (verdict.got == Status::UNSTABLE || verdict.got == Status::THROTTLED) stable.got = Status::PASSED;
  verdict.as_expected = !verdict.counts || meets(entry, stable, cases);
  return verdict;
}

Result<std::string> baseline_of(const fs::path& config) {
  TRY_ASSIGN(const Config read, load_config(config.string()));
  return read.baseline;
}

/// Returns the failures of the correct baseline that ran with them.
Result<std::vector<std::string>> run_once(const Corpus& corpus, const Together& together, const RunOptions& asked,
                                          EventSink& events, CorpusRun& run) {
  const TemporaryFolder folder;
  const fs::path submission = folder.path() / "submission";
  TRY(make_folders(submission));
  RunOptions options = asked;
  options.config = corpus.entries[together.front()].config.string();
  options.submission = submission;
  options.links = Links::anywhere;
  options.results = folder.path() / "results";
  options.known = Known::measure_again;
  options.render = false;
  std::error_code error;
  for (const size_t i : together) {
    const CorpusEntry& entry = corpus.entries[i];
    // The builder follows the link: objects are cached by the real file.
    fs::create_symlink(fs::absolute(entry.file), submission / entry.file.filename(), error);
    if (error) return Error{fmt::format("{}: {}", entry.file.string(), error.message()), ExitCode::machine};
    options.selection.variants.push_back(entry.name);
  }
  TRY_ASSIGN(const std::string baseline, baseline_of(options.config));
  const bool beside =
      !baseline.empty() && !contains(options.selection.variants, baseline);
  if (beside) options.selection.variants.push_back(baseline);
  Collector collector(events);
  TRY(run_lab(options, collector));
  for (const size_t i : together)
    run.verdicts[i] = verdict_of(corpus.entries[i], collector.cases[corpus.entries[i].name]);
  std::vector<std::string> failed;
  if (beside)
    for (const CaseRecord& record : collector.cases[baseline])
      if (info(record.status).fails)
        failed.push_back(fmt::format("{} beside {}/: {}: {}", baseline,
                                     to_string(corpus.entries[together.front()].folder), to_string(record.status),
                                     record.reason));
  return failed;
}

// A result counts for nothing if the host of a virtual machine took its processors away meanwhile.
Done run_together(const Corpus& corpus, Together together, const RunOptions& options, EventSink& events,
                  CorpusRun& run) {
  const size_t first = together.front();
  for (int left = tries_more; !interrupted(); --left) {
    const double stolen_before_s = stolen_s();
    const Stopwatch watch;
    TRY_ASSIGN(std::vector<std::string> failed, run_once(corpus, together, options, events, run));
    const double stolen = (stolen_s() - stolen_before_s) / watch.s();
    std::erase_if(together, [&](size_t i) {
      const CorpusVerdict& verdict = run.verdicts[i];
      return verdict.as_expected && !verdict.unverified;
    });
    if (together.empty() && !failed.empty()) together.push_back(first);
    if (together.empty() || left == 0 || stolen < much_stolen) {
      run.disturbed.insert(run.disturbed.end(), failed.begin(), failed.end());
      return ok();
    }
    for (const size_t i : together)
      run.repeated.push_back(fmt::format("{}: {}: {}; the host of this virtual machine took {:.0f} % of a processor",
                                         corpus.entries[i].label, to_string(run.verdicts[i].got),
                                         run.verdicts[i].reason, 100 * stolen));
  }
  return ok();
}

}  // namespace

Result<CorpusRun> run_corpus(const Corpus& corpus, const RunOptions& options, EventSink& events) {
  CorpusRun run;
  run.verdicts.resize(corpus.entries.size());
  for (const Together& together : runs_of(corpus)) {
    TRY(run_together(corpus, together, options, events, run));
    if (interrupted()) return Error{"interrupted", ExitCode::interrupted};
  }
  return run;
}

}  // namespace harness
