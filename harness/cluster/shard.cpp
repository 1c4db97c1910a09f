#include "harness/cluster/shard.h"

#include <unistd.h>

#include <cstdlib>

#include "harness/base/interrupt.h"
#include "harness/base/stopwatch.h"
#include "harness/engine/run.h"
#include "harness/store/description.h"

namespace harness {
namespace description {

template <>
struct Type<fs::path> {
  static bool write(const fs::path& value, Json& json) { return json = value.string(), true; }
  static bool read(const Json& json, fs::path& value) {
    return json.is_string() && (value = json.get<std::string>(), true);
  }
  static Json schema(Json&) { return of_type("string"); }
};

template <>
struct Type<std::set<std::string>> {
  using List = Type<std::vector<std::string>>;
  static bool write(const std::set<std::string>& value, Json& json) {
    return List::write({value.begin(), value.end()}, json);
  }
  static bool read(const Json& json, std::set<std::string>& value) {
    std::vector<std::string> words;
    return List::read(json, words) && (value = {words.begin(), words.end()}, true);
  }
  static Json schema(Json&) { return list_of(of_type("string")); }
};

}  // namespace description

using namespace description;

static Struct describe(Of<Selection>) {
  using S = Selection;
  return Fields<S>("Selection", "What --variant, --sweep and --set select.")
      .optional("variants", &S::variants, "globs")
      .optional("sweeps", &S::sweeps, "names")
      .optional("set", &S::set, "axis: value");
}

static Struct describe(Of<DeviceOptions>) {
  using D = DeviceOptions;
  return Fields<D>("Device", "What GPU variants run on.")
      .required("gpu", &D::gpu, "auto, or the name of a toolchain")
      .required("schedule", &D::schedule, "order of the blocks and threads")
      .required("lanes", &D::lanes, "of a warp")
      .required("watch", &D::watch, "diagnostics or nothing");
}

// Without what concerns the terminal, and without `results` and `render`, which the job sets.
static Struct describe(Of<RunOptions>) {
  using O = RunOptions;
  return Fields<O>("Options", "What the run was asked to do.")
      .required("config", &O::config, "path of the configuration")
      .optional("rules", &O::rules, "path of other rules")
      .optional("root", &O::root, "the folder with labs/")
      .optional("only", &O::only, "ids of cases")
      .optional("submission", &O::submission, "folder with a student's variants")
      .required("links", &O::links, "where links may lead")
      .optional("submitted", &O::submitted, "the variants of the submission")
      .required("selection", &O::selection, "what is run")
      .optional("absent", &O::absent, "variants that may be missing")
      .optional("budget_s", &O::budget_s, "how long it may take")
      .optional("longest_call_s", &O::longest_call_s, "cases with longer calls are left out")
      .required("known", &O::known, "whether known cases are measured again")
      .optional("jobs", &O::jobs, "compilers at the same time")
      .optional("sandbox", &O::sandbox, "where untrusted code runs")
      .optional("wrap", &O::wrap, "a tool that starts workers")
      .optional("gpu_architecture", &O::gpu_architecture, "what GPU variants are built for")
      .required("device", &O::device, "what GPU variants run on")
      .optional("sanitize", &O::sanitize, "the only sanitizer")
      .optional("sanitize_submission", &O::sanitize_submission, "with sanitizers, too")
      .optional("command", &O::command, "as typed");
}

static Struct describe(Of<ShardRun>) {
  using R = ShardRun;
  return Fields<R>("Run", "One run.")
      .required("key", &R::key, "its name")
      .required("options", &R::options, "its options");
}

static Struct describe(Of<RunOutcome>) {
  using O = RunOutcome;
  return Fields<O>("RunOutcome", "What became of a run.")
      .required("key", &O::key, "its name")
      .required("node", &O::node, "where it ran")
      .optional("lab", &O::lab, "folder of its results")
      .optional("run", &O::run, "its id")
      .optional("error", &O::error, "why there is no run")
      .required("seconds", &O::seconds, "how long it took")
      .optional("exit", &O::exit, "exit code of the run");
}

namespace {

template <class T>
std::string text_of(const T& value) {
  Json json;
  Type<T>::write(value, json);
  return to_text(json) + "\n";
}

template <class T>
Result<T> read_as_json(const fs::path& file) {
  TRY_ASSIGN(const std::string text, read_file(file));
  const auto json = json_from_text(text);
  T value{};
  if (json && Type<T>::read(*json, value)) return value;
  return Error{file.string() + ": is damaged; remove its folder and start again", ExitCode::machine};
}

std::string node_name() {
  if (const char* name = std::getenv("SLURMD_NODENAME")) return name;
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

class NoEvents final : public EventSink {
 public:
  void on(const Event&) override {}
};

}  // namespace

std::string shard_text(const std::vector<ShardRun>& runs) { return text_of(runs); }

Done write_shard(const fs::path& folder, const std::vector<ShardRun>& runs) {
  TRY(make_folders(folder / "outcomes"));
  return write_file(folder / "runs.json", text_of(runs));
}

Result<std::vector<ShardRun>> read_shard(const fs::path& folder) {
  TRY_ASSIGN(auto runs, read_as_json<std::vector<ShardRun>>(folder / "runs.json"));
  for (ShardRun& run : runs) {
    run.options.results = folder;
    run.options.render = false;
  }
  return runs;
}

Result<std::vector<RunOutcome>> read_outcomes(const fs::path& folder) {
  std::vector<RunOutcome> outcomes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "outcomes", error)) {
    if (entry.path().extension() == ".tmp") continue;  // a draft
    TRY_ASSIGN(RunOutcome outcome, read_as_json<RunOutcome>(entry.path()));
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

Result<ExitCode> run_shard(const fs::path& folder) {
  TRY_ASSIGN(const auto runs, read_shard(folder));
  NoEvents events;
  for (const ShardRun& run : runs) {
    const fs::path file = folder / "outcomes" / run.key;
    if (std::error_code error; fs::exists(file, error)) continue;
    const Stopwatch watch;
    const auto summary = run_lab(run.options, events);
    if (interrupted()) return ExitCode::interrupted;
    if (!summary && summary.error().exit == ExitCode::machine) return summary.error();
    RunOutcome outcome{.key = run.key, .node = node_name()};
    outcome.seconds = watch.s();
    if (summary) {
      outcome.run = summary->run_id;
      outcome.exit = static_cast<int>(summary->exit);
      outcome.lab = summary->folder.parent_path().filename().string();
    } else {
      outcome.error = summary.error().message;
    }
    TRY(write_file(file, text_of(outcome)));
  }
  return ExitCode::ok;
}

}  // namespace harness
