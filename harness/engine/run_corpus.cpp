#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/client/steal.h"
#include "harness/engine/corpus.h"
#include "harness/engine/lane.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

// Entries that share a run: those of one folder and kernel, so that what is evil runs beside nothing that
// must pass but the config's baseline.
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

/// Keeps what became of each variant's cases, and passes everything on.
class Collector final : public EventSink {
 public:
  explicit Collector(EventSink& next) : next_(next) {}
  void on(const std::string& name, const nlohmann::json& fields) override {
    if (name == "case") cases[fields.value("variant", "")].push_back(fields);
    next_.on(name, fields);
  }
  std::map<std::string, std::vector<nlohmann::json>> cases;

 private:
  EventSink& next_;
};

Status status_of(const nlohmann::json& fields) {
  return parse_status(fields.value("status", "")).value_or(Status::CANCELLED);
}

/// Does the emulated device report the diagnostic of this entry where it is?
bool is_found(const CorpusEntry& entry, const std::vector<nlohmann::json>& cases) {
  const auto is_there = [&](const nlohmann::json& diagnostic, const char* line) {
    return std::find(entry.lines.begin(), entry.lines.end(), diagnostic.value(line, 0)) != entry.lines.end();
  };
  for (const auto& fields : cases)
    for (const auto& diagnostic : fields.value("diagnostics", nlohmann::json::array()))
      if (diagnostic.value("kind", "") == entry.finds &&
          (entry.lines.empty() || is_there(diagnostic, "line") || is_there(diagnostic, "other_line")))
        return true;
  return false;
}

bool meets(const CorpusEntry& entry, const CorpusVerdict& verdict, const std::vector<nlohmann::json>& cases) {
  if (!entry.finds.empty()) return is_found(entry, cases);
  const auto& expected = entry.expected(verdict.emulated);
  const bool told = verdict.emulated && !entry.emulated_as.empty()
                        ? true
                        : std::all_of(entry.says.begin(), entry.says.end(), [&](const std::string& part) {
                            return verdict.reason.find(part) != std::string::npos;
                          });
  return told && std::find(expected.begin(), expected.end(), verdict.got) != expected.end();
}

std::optional<std::string> unverified_time(const std::vector<nlohmann::json>& cases) {
  for (const auto& fields : cases)
    for (const auto& note : fields.value("notes", nlohmann::json::array()))
      if (const auto code = parse_note_code(note.value("code", "")); code && is_unverified_time({*code}))
        return note.value("text", "");
  return std::nullopt;
}

CorpusVerdict judge_entry(const CorpusEntry& entry, const std::vector<nlohmann::json>& cases) {
  CorpusVerdict verdict;
  verdict.entry = &entry;
  for (const auto& fields : cases) {
    const Status status = status_of(fields);
    verdict.emulated = fields.value("device", "") == "emulated";
    const bool says_more = info(status).fails || verdict.got == Status::SKIPPED;
    if (info(verdict.got).fails || !says_more) continue;
    verdict.got = status;
    verdict.reason = fields.value("reason", "");
  }
  verdict.counts = verdict.got != Status::SKIPPED && verdict.got != Status::CANCELLED &&
                   (entry.finds.empty() || verdict.emulated);
  // What only its clock gives away needs a machine on which clocks can be held together.
  if (verdict.got == Status::PASSED && entry.caught_as == std::vector{Status::SUSPECT})
    if (auto note = unverified_time(cases)) {
      verdict.counts = false;
      verdict.unverified = true;
      verdict.reason = *std::move(note);
    }
  // Unsteady times accuse nobody.
  const bool fine = verdict.got == Status::UNSTABLE || verdict.got == Status::THROTTLED;
  CorpusVerdict judged = verdict;
  if (fine) judged.got = Status::PASSED;
  verdict.as_expected = !verdict.counts || meets(entry, judged, cases);
  return verdict;
}

Result<std::string> baseline_of(const fs::path& config) {
  TRY_ASSIGN(const Config read, load_config(config.string()));
  return read.baseline;
}

/// Returns how the honest baseline beside them failed.
Result<std::vector<std::string>> run_once(const Corpus& corpus, const Together& together, const RunOptions& asked,
                                          EventSink& events, CorpusRun& run) {
  const TemporaryFolder folder;
  const fs::path submission = folder.path() / "submission";
  TRY(make_folders(submission));
  RunOptions options = asked;
  options.config = corpus.entries[together.front()].config.string();
  options.submission = submission;
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
      !baseline.empty() && std::find(options.selection.variants.begin(), options.selection.variants.end(),
                                     baseline) == options.selection.variants.end();
  if (beside) options.selection.variants.push_back(baseline);
  Collector collector(events);
  TRY(run_lab(options, collector));
  for (const size_t i : together)
    run.verdicts[i] = judge_entry(corpus.entries[i], collector.cases[corpus.entries[i].name]);
  std::vector<std::string> failed;
  if (beside)
    for (const auto& fields : collector.cases[baseline])
      if (info(status_of(fields)).fails)
        failed.push_back(fmt::format("{} beside {}/: {}: {}", baseline,
                                     to_string(corpus.entries[together.front()].shelf), fields.value("status", ""),
                                     fields.value("reason", "")));
  return failed;
}

// What went wrong while a virtual machine's host took its processors away proves nothing.
Done run_together(const Corpus& corpus, Together together, const RunOptions& options, EventSink& events,
                  CorpusRun& run) {
  const size_t first = together.front();
  for (int left = tries_more; !interrupted(); --left) {
    const StealWatch steal;
    const auto start = std::chrono::steady_clock::now();
    TRY_ASSIGN(std::vector<std::string> failed, run_once(corpus, together, options, events, run));
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
    const double stolen = steal.stolen_ms() / passed.count();
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
