// The fields of a build and of a case. To add one: a member in records.h, a line here, then run
// `bin/harness schema --run > docs/run.schema.json && .venv/bin/python -m reports.generate`.
#include "harness/measure/call_time.h"
#include "harness/store/description.h"
#include "harness/store/records.h"

namespace harness {
namespace description {

template <>
struct Type<NoteCode> {
  static bool write(NoteCode code, Json& json) { return json = to_string(code), true; }
  static bool read(const Json& json, NoteCode& code) {
    const auto known = json.is_string() ? parse_note_code(json.get_ref<const std::string&>()) : std::nullopt;
    return known && (code = *known, true);
  }
  static Json schema(Json&) { return {{"type", "string"}, {"minLength", 1}}; }
};

}  // namespace description

using namespace description;

static Struct describe(Of<Note>) {
  using N = Note;
  return Fields<N>("Note", "A remark of a case.")
      .required("code", &N::code, "`few_samples`: a row of `harness/store/note.cpp`")
      .required("arguments", &N::arguments, "values by name")
      .derived<to_string>("text", "the sentence that the code and the arguments make");
}

static Struct describe(Of<Metric>) {
  using M = Metric;
  return Fields<M>("Metric", "A measured or derived number. It has no interval if there are fewer than 6 samples.")
      .required("median", &M::median, "the number itself; for times the median of the samples")
      .optional("low", &M::low, "lower end of the 95 % interval")
      .optional("high", &M::high, "upper end of the 95 % interval")
      .optional("n", &M::n, "number of samples")
      .optional("min", &M::min, "smallest sample")
      .optional("max", &M::max, "largest sample")
      .optional("q1", &M::q1, "first quartile")
      .optional("q3", &M::q3, "third quartile")
      .optional("limit", &M::limit, "`percent_of_limit`: name of the machine limit")
      .optional("over", &M::over, "speedups and `percent_of_vendor`: the variant or table that it is relative to")
      .optional("source", &M::source, "`speedup_recorded`: where the recorded times come from")
      .optional("of", &M::of, "`efficiency`: the speedup that is divided by the occupied warps")
      .optional("paired", &M::paired, "both variants were timed in the same rounds")
      .optional("equal", &M::equal, "the interval does not exclude equal times")
      .optional("blocks", &M::blocks, "`warps_occupied`: blocks of the launch")
      .optional("threads_per_block", &M::threads_per_block, "threads of a block")
      .optional("maximum", &M::maximum, "warps that the device can hold at once")
      .optional("lanes", &M::lanes, "threads of a warp")
      .optional("stated", &M::stated, "`maximum` and `lanes` are from the configuration, not from this device")
      .optional("device_warps", &M::device_warps, "warps that this device can hold at once")
      .optional("device_lanes", &M::device_lanes, "threads of a warp of this device")
      .rule(R"({"dependencies": {"low": ["high"], "high": ["low"]},
          "if": {"required": ["n"], "properties": {"n": {"maximum": 5}}}, "then": {"not": {"required": ["low"]}}})");
}

static Struct describe(Of<CheckLine>) {
  using C = CheckLine;
  return Fields<C>("CheckLine", "One part of the check.")
      .required("name", &C::name, "`exact`, `componentwise`, `projection`, `memory`, `timed output`, ...", not_empty)
      .required("right", &C::right, "the output passed it")
      .optional("worst_ratio", &C::worst_ratio, "largest error relative to its tolerance", at_least_0)
      .optional("worst_ratio_gamma", &C::worst_ratio_gamma, "the same relative to the worst-case bound", at_least_0)
      .required("detail", &C::detail, "how it was checked, or what is wrong");
}

static Struct describe(Of<CheckRecord>) {
  using C = CheckRecord;
  return Fields<C>("Check", "What the check found.")
      .required("lines", &C::lines, "its parts")
      .required("shapes", &C::shapes, "number of test problems that the build passed")
      .optional("left_out", &C::left_out, "number of test problems that the build does not support")
      .optional("deterministic", &C::deterministic, "two calls gave the same bits")
      .required("timed_output", &C::timed_output, "an output of the timed calls was checked")
      .required("message", &C::message, "for the student, if something is wrong");
}

static Struct describe(Of<Diagnostic>) {
  using D = Diagnostic;
  return Fields<D>("Diagnostic", "What the emulated device saw at one line of the source.")
      .required("kind", &D::kind, "`uncoalesced`, `race_shared`: a row of `harness/diagnostics/table.cpp`", not_empty)
      .required("severity", &D::severity, "a mistake fails the case unless it may do no harm; advice never does")
      .required("kernel", &D::kernel, "function of the source")
      .required("file", &D::file, "source file; empty if unknown")
      .required("line", &D::line, "line in `file`")
      .required("other_file", &D::other_file, "where the second thread was; empty if there is none")
      .required("other_line", &D::other_line, "line in `other_file`")
      .required("source", &D::source, "text of the line")
      .required("what", &D::what, "what happened, one sentence", not_empty)
      .required("fix", &D::fix, "how to fix it, one sentence", not_empty)
      .required("count", &D::count, "how often it happened")
      .required("have", &D::have, "advice: what the kernel needs, for example memory transactions")
      .required("ideal", &D::ideal, "advice: what would be enough")
      .required("block", &D::block, "block of the first thread that did it")
      .required("thread", &D::thread, "that thread");
}

static Struct describe(Of<KernelFunction>) {
  using K = KernelFunction;
  return Fields<K>("KernelFunction", "A function that runs on the GPU, as the compiler built it.")
      .required("name", &K::name, "`gemm<int, double>`", not_empty)
      .required("architecture", &K::architecture, "`sm_90`")
      .required("registers", &K::registers, "of a thread")
      .optional("shared_bytes", &K::shared_bytes, "shared memory of a block, without what the launch adds")
      .optional("dynamic_shared", &K::dynamic_shared, "the source has shared memory whose size the launch sets")
      .optional("stack_bytes", &K::stack_bytes, "of a thread, in slow memory")
      .optional("spill_store_bytes", &K::spill_store_bytes, "registers that a thread moves to slow memory")
      .optional("spill_load_bytes", &K::spill_load_bytes, "and back")
      .optional("threads_per_block", &K::threads_per_block, "`__launch_bounds__`; absent if the source has none")
      .optional("blocks", &K::blocks, "blocks that a multiprocessor can hold at once, computed from documented limits")
      .optional("warps", &K::warps, "warps of these blocks")
      .optional("max_warps", &K::max_warps, "warps that a multiprocessor can hold; absent if that is not known")
      .optional("occupancy", &K::occupancy, "`warps` divided by `max_warps`", at_least_0)
      .optional("limited_by", &K::limited_by, "what admits no further block: `registers`, ...");
}

Struct describe(Of<BuildRecord>) {
  using B = BuildRecord;
  return Fields<B>("Build", "One variant compiled with one set of macros.")
      .required("key", &B::key, "hash of all that decides the result; empty if the source cannot be compiled")
      .required("variant", &B::variant, "name of the variant", not_empty)
      .required("macros", &B::macros, "macros as the compiler gets them")
      .required("state", &B::state, "how it ended")
      .optional("seconds", &B::seconds, "time of the compiler", at_least_0)
      .required("command", &B::command, "command line of the compiler")
      .required("compiler", &B::compiler, "its version")
      .required("log", &B::log, "what it printed")
      .required("source_hash", &B::source_hash, "hash of the source")
      .optional("warnings", &B::warnings, "the compiler's first warnings about files of the variant: `mine.cpp:3:7: warning: ...`")
      .optional("kernel_functions", &B::kernel_functions, "functions for an NVIDIA GPU; only if nvcc built it");
}

Struct describe(Of<CaseRecord>) {
  using C = CaseRecord;
  return Fields<C>("Case", "One variant at one point of a sweep.")
      .required("id", &C::id, "`lab5/cpu_sizes/cpu_avx size=1024`", not_empty)
      .required("sweep", &C::sweep, "name of the sweep", not_empty)
      .required("variant", &C::variant, "name of the variant", not_empty)
      .required("dtype", &C::dtype, "element type")
      .required("axes", &C::axes, "value of each axis, in the order of the configuration")
      .required("parameters", &C::parameters, "parameters of the problem")
      .required("label", &C::label, "the problem in words: `m=1024 n=1024 k=1024`")
      .required("threads", &C::threads, "CPU threads", at_least_1)
      .required("device", &C::device, "where it ran")
      .required("gpu", &C::gpu, "UUID of the GPU; empty on a CPU")
      .optional("owner", &C::owner, "`submission` or `lab`: whose file it is; only if the run has a submission")
      .required("status", &C::status, "how it ended; `statuses` explains it")
      .required("reason", &C::reason, "why it has this status; empty if it passed")
      .required("build_key", &C::build_key, "`key` of its build")
      .required("run_key", &C::run_key, "hash of all that decides the result; a case with the same key is reused")
      .required("reused_from", &C::reused_from, "id of the run that measured it; empty if it was this run")
      .required("check", &C::check, "what the check found")
      .optional("flops", &C::flops, "floating-point operations of the problem", at_least_0)
      .optional("bytes", &C::bytes, "the fewest bytes that the problem must move", at_least_0)
      .required("metrics", &C::metrics, "numbers by name; `metrics_info` explains the names")
      .required("samples_ms", &C::samples_ms, "time of one call: each sample is the median of a batch")
      .optional("overhead_spread_ms", &C::overhead_spread_ms,
                "so much more than was subtracted from each sample may be the overhead of a call; intervals include it",
                at_least_0)
      .required("rounds", &C::rounds, "round of each sample; variants are compared within a round")
      .required("warmup_ms", &C::warmup_ms, "times of the calls before the first sample")
      .required("calls_per_sample", &C::calls_per_sample, "calls in a batch", at_least_1)
      .required("stop_reason", &C::stop_reason, "why sampling stopped: `precision`, `time_cap`, ...")
      .required("notes", &C::notes, "remarks for the reader")
      .optional("diagnostics", &C::diagnostics, "what the emulated device saw")
      .rule(R"({"if": {"properties": {"status": {"enum": ["PASSED", "UNSTABLE", "THROTTLED", "SUSPECT"]}}},
          "else": {"properties": {"metrics": {"maxProperties": 0}}},
          "allOf": [{"if": {"properties": {"status": {"const": "SKIPPED"}}},
          "then": {"properties": {"reason": {"minLength": 1}}}}]})");
}

namespace {

// If a sample was not measured, its round is removed too. An interval with one end is no interval.
CaseRecord without_unmeasured(CaseRecord record) {
  const bool has_rounds = record.rounds.size() == record.samples_ms.size();
  for (size_t i = record.samples_ms.size(); i-- > 0;) {
    if (std::isfinite(record.samples_ms[i])) continue;
    record.samples_ms.erase(record.samples_ms.begin() + static_cast<ptrdiff_t>(i));
    if (has_rounds) record.rounds.erase(record.rounds.begin() + static_cast<ptrdiff_t>(i));
  }
  for (auto& [name, metric] : record.metrics)
    if (!metric.low || !metric.high || !std::isfinite(*metric.low) || !std::isfinite(*metric.high))
      metric.low = metric.high = std::nullopt;
  return record;
}

}  // namespace

const Metric* CaseRecord::find(MetricName name) const {
  for (const auto& [known, metric] : metrics)
    if (known == name) return &metric;
  return nullptr;
}

Summary CaseRecord::summary() const {
  return with_overhead(summarize(samples_ms), overhead_spread_ms.value_or(0));
}

nlohmann::ordered_json to_json(const Axes& axes) {
  nlohmann::ordered_json json;
  description::Type<Axes>::write(axes, json);
  return json;
}

nlohmann::ordered_json to_json(const BuildRecord& record) {
  nlohmann::ordered_json json;
  description::Type<BuildRecord>::write(record, json);
  return json;
}

nlohmann::ordered_json to_json(const CaseRecord& record) {
  nlohmann::ordered_json json;
  description::Type<CaseRecord>::write(without_unmeasured(record), json);
  return json;
}

std::optional<CaseRecord> case_from_json(const nlohmann::ordered_json& json) {
  CaseRecord record;
  if (!description::Type<CaseRecord>::read(json, record)) return std::nullopt;
  return record;
}

}  // namespace harness
