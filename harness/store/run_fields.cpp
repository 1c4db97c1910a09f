// The fields of run.json, except those of builds and cases: see case_fields.cpp.
#include "harness/store/description.h"
#include "harness/store/run_record.h"

namespace harness {

using namespace description;

Struct describe(Of<BuildRecord>);  // case_fields.cpp
Struct describe(Of<CaseRecord>);

const Json time_pattern = pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$");

Struct describe(Of<ProgramVersion>) {
  using V = ProgramVersion;
  return Fields<V>("ProgramVersion", "The harness that made the run.")
      .required("version", &V::version, "`0.1.0`")
      .required("commit", &V::commit, "full hash, or `unknown`")
      .required("dirty", &V::dirty, "files differed from the commit");
}

static Struct describe(Of<ConfigText>) {
  using C = ConfigText;
  return Fields<C>("ConfigText", "The configuration of the lab.")
      .required("path", &C::path, "as given")
      .required("text", &C::text, "the whole file");
}

static Struct describe(Of<RunInfo>) {
  using R = RunInfo;
  return Fields<R>("RunInfo", "When and how the run was made.")
      .required("id", &R::id, "`20261121-091500-3f2a`: start in UTC and a random part",
                pattern("^[0-9]{8}-[0-9]{6}-[0-9a-f]{4}$"))
      .required("lab", &R::lab, "short name of the lab", not_empty)
      .required("title", &R::title, "title of the report")
      .optional("about", &R::about, "text of the first page of the report")
      .required("started", &R::started, "UTC", time_pattern)
      .optional("finished", &R::finished, "UTC", time_pattern)
      .required("state", &R::state, "how it ended", one_of({"running", "complete", "interrupted"}))
      .optional("seconds", &R::seconds, "time from start to end; absent if the clock was set back", at_least_0)
      .required("harness", &R::harness, "the program")
      .required("command", &R::command, "words of the command line")
      .optional("settings", &R::settings, "`AXIS=VALUE` for each value of an axis that the user set (`--set`)")
      .optional("budget_s", &R::budget_s, "time that the user gave to the run", at_least_0)
      .optional("seed", &R::seed, "where the inputs come from")
      .required("sandbox", &R::sandbox, "what isolated the variants", not_empty)
      .required("config", &R::config, "the configuration")
      .rule(R"({"if": {"properties": {"state": {"const": "complete"}}}, "then": {"required": ["finished"]}})");
}

static Struct describe(Of<KernelInfo>) {
  using K = KernelInfo;
  return Fields<K>("Kernel", "What is computed.")
      .required("name", &K::name, "`gemm`", not_empty)
      .required("formula", &K::formula, "`C = alpha A B + beta C`")
      .required("dtype", &K::dtype, "element type of the lab");
}

static Struct describe(Of<CpuInfo>) {
  using C = CpuInfo;
  return Fields<C>("Cpu", "The processor. A field that Linux does not tell is absent.")
      .required("model", &C::model, "name of the product")
      .optional("vendor", &C::vendor, "`GenuineIntel`")
      .required("cores", &C::cores, "cores that this process may use")
      .required("features", &C::features, "`avx2`, `fma`, `avx512f`, ...")
      .optional("l1d_bytes", &C::l1d_bytes, "data cache of a core")
      .optional("l2_bytes", &C::l2_bytes, "second-level cache of a core")
      .optional("l3_bytes", &C::l3_bytes, "last-level cache")
      .optional("governor", &C::governor, "Linux's policy for clock rates")
      .optional("turbo", &C::turbo, "whether the clock may exceed its nominal rate");
}

static Struct describe(Of<GpuCapacity>) {
  using G = GpuCapacity;
  return Fields<G>("GpuCapacity", "What a GPU has, as its driver tells a program. A field that it does not tell is absent.")
      .optional("multiprocessors", &G::multiprocessors, "multiprocessors")
      .optional("warp_size", &G::warp_size, "lanes of a warp")
      .optional("threads_per_block", &G::threads_per_block, "most threads of a block")
      .optional("threads_per_multiprocessor", &G::threads_per_multiprocessor, "most threads of a multiprocessor")
      .optional("registers_per_block", &G::registers_per_block, "most registers of a block, of 32 bits")
      .optional("shared_bytes_per_block", &G::shared_bytes_per_block, "most shared memory of a block")
      .optional("shared_bytes_per_multiprocessor", &G::shared_bytes_per_multiprocessor, "shared memory of a multiprocessor")
      .optional("l2_bytes", &G::l2_bytes, "second-level cache")
      .optional("grid", &G::grid, "most blocks along x, y and z");
}

static Struct describe(Of<GpuInfo>) {
  using G = GpuInfo;
  return Fields<G>("Gpu", "A GPU.")
      .required("index", &G::index, "number that its tool gives it")
      .required("name", &G::name, "name of the product")
      .required("uuid", &G::uuid, "cases and machine limits refer to it")
      .required("driver", &G::driver, "version of the driver")
      .required("vendor", &G::vendor, "`nvidia` or `amd`")
      .required("architecture", &G::architecture, "`sm_90`, `gfx90a`")
      .required("memory_bytes", &G::memory_bytes, "device memory")
      .optional("capacity", &G::capacity, "threads, registers, shared memory; only of a GPU that cases of the run use")
      .optional("details", &G::details, "clocks, power limit, ECC: as its tool says");
}

static Struct describe(Of<Tool>) {
  using T = Tool;
  return Fields<T>("Tool", "A compiler or another program that was found.")
      .required("name", &T::name, "`g++`", not_empty)
      .required("version", &T::version, "the line that it prints")
      .required("path", &T::path, "where it is");
}

static Struct describe(Of<Machine>) {
  using M = Machine;
  return Fields<M>("Machine", "The machine. In a container the tools are those of the image.")
      .required("cpu", &M::cpu, "the processor")
      .required("memory_bytes", &M::memory_bytes, "main memory")
      .optional("available_bytes", &M::available_bytes, "main memory that was free at the start")
      .required("os", &M::os, "name and version of the system")
      .required("kernel", &M::kernel, "version of Linux")
      .required("gpus", &M::gpus, "GPUs")
      .required("tools", &M::tools, "compilers, sandboxes and other tools")
      .optional("virtualization", &M::virtualization, "`kvm`, `container`, `kvm, container`")
      .optional("hostname_hash", &M::hostname_hash, "tells machines apart without naming them");
}

static Struct describe(Of<Noise>) {
  using N = Noise;
  return Fields<N>("Noise", "What else the machine did: load, steal, throttling, GPU clocks.")
      .optional("before", &N::before, "before the first case")
      .optional("after", &N::after, "after the last case");
}

static Struct describe(Of<MachineLimit>) {
  using L = MachineLimit;
  return Fields<L>("MachineLimit", "A measured machine limit.")
      .required("name", &L::name, "`fma_f32`, `fma_f64`, `copy`", not_empty)
      .required("device", &L::device, "`cpu` or the UUID of a GPU", not_empty)
      .required("threads", &L::threads, "CPU threads", at_least_1)
      .required("value", &L::value, "FLOP/s; `copy`: bytes/s, read and written", above_0)
      .optional("method", &L::method, "how it was measured");
}

static Struct describe(Of<MeasurePolicy>) {
  using P = MeasurePolicy;
  return Fields<P>("Policy", "How samples are taken.")
      .required("precision", &P::precision, "sampling stops at this relative half width of the interval", above_0)
      .required("max_time_s", &P::max_time_s, "time for a case", above_0)
      .required("min_batch_ms", &P::min_batch_ms, "CPU: a batch takes at least this long", at_least_0)
      .required("min_samples", &P::min_samples, "fewest samples", at_least_1)
      .required("max_samples", &P::max_samples, "most samples", at_least_1)
      .optional("drop_slower", &P::drop_slower, "sampling of a case stopped early if another one of its group was clearly faster")
      .optional("cpu_cache", &P::cpu_cache, "whether a call on the CPU finds its inputs in the shared cache or in memory")
      .required("gpu_cache", &P::gpu_cache, "whether the cache of the GPU is flushed before a call");
}

static Struct describe(Of<RecordedBaseline>) {
  using B = RecordedBaseline;
  return Fields<B>("RecordedBaseline", "A table of recorded times that speedups are relative to.")
      .required("file", &B::file, "CSV file", not_empty)
      .required("source", &B::source, "where the times come from");
}

static Struct describe(Of<StatedDevice>) {
  using D = StatedDevice;
  return Fields<D>("StatedDevice", "The device that the configuration states for occupied warps.")
      .required("max_warps", &D::max_warps, "warps that it can hold at once", at_least_1)
      .required("lanes", &D::lanes, "threads of a warp", at_least_1);
}

static Struct describe(Of<SelfTest::Row>) {
  using R = SelfTest::Row;
  return Fields<R>("SelfTestRow", "A wrong kernel that the check must reject.")
      .required("name", &R::name, "`last_k_dropped`", not_empty)
      .required("mistake", &R::mistake, "what is wrong with it")
      .required("rejected", &R::rejected, "the check rejected it")
      .optional("by", &R::by, "the parts of the check that did");
}

static Struct describe(Of<SelfTest>) {
  using S = SelfTest;
  return Fields<S>("SelfTest", "The check, tested on wrong kernels before the run.")
      .required("accepts_reference", &S::accepts_reference, "it accepted a right kernel")
      .required("rows", &S::rows, "the wrong kernels");
}

static Struct describe(Of<MetricInfo>) {
  using M = MetricInfo;
  return Fields<M>("MetricInfo", "What a metric is.")
      .required("label", &M::label, "its name on an axis", not_empty)
      .required("unit", &M::unit, "empty for a pure number")
      .required("better", &M::better, "which values are better")
      .required("doc", &M::doc, "what it measures");
}

static Struct describe(Of<StatusRow>) {
  using S = StatusRow;
  return Fields<S>("StatusRow", "What a status means.")
      .required("name", &S::name, "the status")
      .required("fails", &S::fails, "a case with it fails the run")
      .required("meaning", &S::meaning, "for the legend of the report");
}

static Struct describe(Of<VariantRecord>) {
  using V = VariantRecord;
  return Fields<V>("Variant", "One implementation of the kernel.")
      .required("name", &V::name, "file name without extension", not_empty)
      .required("file", &V::file, "source file")
      .required("summary", &V::summary, "first line of its head comment")
      .required("gpu", &V::gpu, "it runs on a GPU")
      .required("needs", &V::needs, "what it declares with `LAB_NEEDS`")
      .required("about", &V::about, "what the library that it uses says about itself")
      .required("from_submission", &V::from_submission, "it is a student's")
      .required("precision", &V::precision, "what it declares with `LAB_PRECISION`")
      .optional("macros", &V::macros, "its parameters with their defaults, as the source has them")
      .optional("drawing", &V::drawing, "what it declares after `Drawing:` in its head comment")
      .optional("tuned", &V::tuned, "its tuned parameters for this device, which builds use unless the configuration sets them");
}

static Struct describe(Of<SourceFile>) {
  using S = SourceFile;
  return Fields<S>("SourceFile", "A file that the run was made of. The store keeps its text.")
      .required("path", &S::path, "`labs/gemm/cpu_avx.cpp`, `submission/mine.cpp`, `configs/lab5.yaml`", not_empty)
      .required("hash", &S::hash, "SHA-256 of the file", pattern("^[0-9a-f]{64}$"))
      .optional("variant", &S::variant, "whose source it is; absent for headers, the config and what it refers to");
}

static Struct describe(Of<EmulatedDevice>) {
  using E = EmulatedDevice;
  return Fields<E>("Emulated", "Settings of the emulated device.")
      .required("lanes", &E::lanes, "threads of a warp: 32 or 64")
      .required("schedule", &E::schedule, "order of the blocks and threads: `mixed`, `in order` or `random:7`",
                pattern("^(mixed|in order|random:[0-9]+)$"))
      .required("diagnostics", &E::diagnostics, "it watched every memory access");
}

static Struct describe(Of<ContainerRecord>) {
  using C = ContainerRecord;
  return Fields<C>("Container", "The container that the variants were built and run in.")
      .required("program", &C::program, "`podman`, `docker` or `apptainer`", not_empty)
      .required("version", &C::version, "of the program")
      .required("runtime", &C::runtime, "`runc`", not_empty)
      .required("image", &C::image, "name of the image", not_empty)
      .required("digest", &C::digest, "hash of the manifest of the image", pattern("^sha256:[0-9a-f]+$"))
      .required("id", &C::id, "hash of the content of the image", pattern("^[0-9a-f]+$"))
      .required("limits", &C::limits, "who enforces limits", one_of({"control groups", "each process"}))
      .required("mounts", &C::mounts, "folders of the host that it sees")
      .optional("driver", &C::driver, "version of the GPU driver, which is always the host's");
}

static Struct describe(Of<Excluded>) {
  using E = Excluded;
  return Fields<E>("Excluded", "A point of a sweep that the configuration leaves out.")
      .required("sweep", &E::sweep, "name of the sweep")
      .required("variant", &E::variant, "name of the variant")
      .required("axes", &E::axes, "the point")
      .required("reason", &E::reason, "why");
}

static Struct describe(Of<PublishedRow>) {
  using R = PublishedRow;
  return Fields<R>("PublishedRow", "The published numbers of one case.")
      .required("variant", &R::variant, "name of the variant", not_empty)
      .optional("dtype", &R::dtype, "element type")
      .required("axes", &R::axes, "the point")
      .required("values", &R::values, "number by metric");
}

static Struct describe(Of<PublishedFile>) {
  using P = PublishedFile;
  return Fields<P>("PublishedFile", "A table of published figures.")
      .required("file", &P::file, "CSV file", not_empty)
      .optional("machine", &P::machine, "where the figures come from")
      .optional("sweep", &P::sweep, "the sweep that it belongs to; absent: any that matches")
      .optional("note", &P::note, "what a reader must know about them")
      .required("rows", &P::rows, "its rows");
}

static Struct describe(Of<ClaimPoint>) {
  using P = ClaimPoint;
  return Fields<P>("ClaimPoint", "One number that a claim is about.")
      .required("at", &P::at, "what tells it from the other points of the claim")
      .required("answer", &P::answer, "what the number says")
      .optional("value", &P::value, "the number; absent if a case has none")
      .optional("low", &P::low, "lower end of its 95 % interval")
      .optional("high", &P::high, "upper end of its 95 % interval")
      .optional("reason", &P::reason, "why nothing is decided, if the interval is not the reason");
}

static Struct describe(Of<AnsweredClaim>) {
  using A = AnsweredClaim;
  return Fields<A>("AnsweredClaim", "What one set of figures says of a claim.")
      .optional("machine", &A::machine, "published figures: where they come from")
      .required("answer", &A::answer, "it holds if all points do, and fails if one does")
      .required("why", &A::why, "the numbers that decide it, or why nothing does")
      .required("points", &A::points, "all numbers that it is about");
}

static Struct describe(Of<ClaimRecord>) {
  using C = ClaimRecord;
  return Fields<C>("Claim", "A sentence of the original report, and what the numbers say of it.")
      .required("text", &C::text, "the sentence, as in the configuration", not_empty)
      .required("source", &C::source, "where the report says it")
      .optional("stated", &C::stated, "the number that the report states")
      .required("number", &C::number, "what the numbers of its points are: `ratio`, `exponent`, ...")
      .required("measured", &C::measured, "the answer of this run")
      .required("published", &C::published, "the answers of the published figures, one for each machine");
}

static Struct describe(Of<RunRecord>) {
  using R = RunRecord;
  return Fields<R>("Run", "The whole file.")
      .required("schema", &R::schema, "version of this format", {{"const", R{}.schema}})
      .required("run", &R::run, "when and how the run was made")
      .required("kernel", &R::kernel, "what is computed")
      .required("machine", &R::machine, "where")
      .required("noise", &R::noise, "what else the machine did")
      .required("machine_limits", &R::machine_limits, "measured limits")
      .required("policy", &R::policy, "how samples were taken")
      .optional("baseline", &R::baseline, "the variant that `speedup` is relative to")
      .optional("vendors", &R::vendors, "the variants that `percent_of_vendor` is relative to")
      .optional("recorded_baseline", &R::recorded_baseline, "the table that `speedup_recorded` is relative to")
      .optional("stated_device", &R::stated_device, "the device that `warps_occupied` is about")
      .optional("selftest", &R::selftest, "the check tested on wrong kernels")
      .required("metrics_info", &R::metrics_info, "label and unit of each metric")
      .required("statuses", &R::statuses, "meaning of each status")
      .required("variants", &R::variants, "the variants of the run")
      .optional("sources", &R::sources, "the files that the run was made of")
      .optional("emulated", &R::emulated, "settings of the emulated device, if the run used it")
      .optional("container", &R::container, "the container, if the run used one")
      .required("excluded", &R::excluded, "points that the configuration leaves out")
      .required("report", &R::report,
                "`report` of the configuration in its normal form: `tables`, `plots`, `exports`, `examples`")
      .required("published", &R::published, "published figures beside ours")
      .optional("claims", &R::claims, "claims of the original report, answered")
      .required("builds", &R::builds, "the builds of the run")
      .required("cases", &R::cases, "the cases of the run, in the order of the plan");
}

nlohmann::ordered_json to_json(const RunRecord& record) {
  nlohmann::ordered_json json;
  description::Type<RunRecord>::write(record, json);
  return json;
}

nlohmann::ordered_json to_json(const std::vector<Excluded>& points) {
  nlohmann::ordered_json json;
  description::Type<std::vector<Excluded>>::write(points, json);
  return json;
}

nlohmann::ordered_json to_json(const std::vector<ClaimRecord>& claims) {
  nlohmann::ordered_json json;
  description::Type<std::vector<ClaimRecord>>::write(claims, json);
  return json;
}

std::optional<RunRecord> run_from_json(const nlohmann::ordered_json& json) {
  RunRecord record;
  if (!description::Type<RunRecord>::read(json, record)) return std::nullopt;
  return record;
}

nlohmann::ordered_json run_schema() {
  nlohmann::ordered_json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}}, definitions;
  description::Type<RunRecord>::schema(definitions);
  schema.update(definitions["Run"]);
  definitions.erase("Run");
  schema["definitions"] = std::move(definitions);
  return schema;
}

}  // namespace harness
