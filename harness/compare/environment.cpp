#include "harness/compare/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/machine/machine.h"
#include "harness/machine/noise.h"

namespace harness {
namespace {

using Kind = Difference::Kind;

class Differences {
 public:
  void add(Kind kind, const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) all_.push_back({kind, what, a.empty() ? "-" : a, b.empty() ? "-" : b});
  }
  std::vector<Difference> all() && { return std::move(all_); }

 private:
  std::vector<Difference> all_;
};

std::string bytes(int64_t count) { return count > 0 ? human_bytes(static_cast<double>(count)) : ""; }

std::string yes_no(bool value) { return value ? "with uncommitted changes" : ""; }

// Only flags decide what is compiled; paths, also those inside of flags, differ between machines.
std::string flags(const std::string& command) {
  std::vector<std::string> kept;
  for (const std::string& word : split(command, ' '))
    if (starts_with(word, "-") && !starts_with(word, "-I") && word != "-o" && word != "-c" && word.find('/') == std::string::npos)
      kept.push_back(word);
  return join(kept, " ");
}

// The flags of `a` that `b` does not have. If the two differ only in the order of flags: all of them.
std::string flags_only_of(const std::string& a, const std::string& b) {
  const std::string of_a = flags(a), of_b = flags(b);
  const std::vector<std::string> mine = split(of_a, ' '), theirs = split(of_b, ' ');
  std::vector<std::string> missing;
  std::ranges::copy_if(mine, std::back_inserter(missing),
                       [&](const std::string& flag) { return std::ranges::find(theirs, flag) == theirs.end(); });
  return std::ranges::is_permutation(mine, theirs) ? of_a : join(missing, " ");
}

// The build of the same variant with the same macros.
const BuildRecord* same_build(const RunRecord& run, const BuildRecord& wanted) {
  for (const BuildRecord& build : run.builds)
    if (build.variant == wanted.variant && build.macros == wanted.macros) return &build;
  return nullptr;
}

void machines(const Machine& a, const Machine& b, Differences& out) {
  out.add(Kind::machine, "processor", a.cpu.model, b.cpu.model);
  out.add(Kind::machine, "cores", fmt::format("{}", a.cpu.cores), fmt::format("{}", b.cpu.cores));
  std::vector<std::string> lost, gained;
  for (const std::string& feature : a.cpu.features)
    if (!has_feature(b.cpu, feature)) lost.push_back(feature);
  for (const std::string& feature : b.cpu.features)
    if (!has_feature(a.cpu, feature)) gained.push_back(feature);
  out.add(Kind::machine, "features of the processor", join(lost, " "), join(gained, " "));
  out.add(Kind::machine, "L1 cache", bytes(a.cpu.l1d_bytes), bytes(b.cpu.l1d_bytes));
  out.add(Kind::machine, "L2 cache", bytes(a.cpu.l2_bytes), bytes(b.cpu.l2_bytes));
  out.add(Kind::machine, "L3 cache", bytes(a.cpu.l3_bytes), bytes(b.cpu.l3_bytes));
  out.add(Kind::machine, "memory", bytes(a.memory_bytes), bytes(b.memory_bytes));
  out.add(Kind::machine, "host (hash)", a.hostname_hash, b.hostname_hash);
  out.add(Kind::machine, "virtualization", a.virtualization, b.virtualization);
  out.add(Kind::clocks, "governor", a.cpu.governor, b.cpu.governor);
  out.add(Kind::clocks, "turbo", a.cpu.turbo, b.cpu.turbo);
  for (size_t i = 0; i < std::max(a.gpus.size(), b.gpus.size()); ++i) {
    const GpuInfo none, &x = i < a.gpus.size() ? a.gpus[i] : none, &y = i < b.gpus.size() ? b.gpus[i] : none;
    out.add(Kind::machine, fmt::format("GPU {}", i), x.name, y.name);
    out.add(Kind::system, fmt::format("driver of GPU {}", i), x.driver, y.driver);
    for (const char* clock : {"clocks_max_sm_mhz", "clocks_max_mem_mhz", "power_limit_w"}) {
      const auto value = [&](const GpuInfo& gpu) {
        return gpu.details && gpu.details->contains(clock) ? (*gpu.details)[clock].dump() : std::string();
      };
      out.add(Kind::clocks, fmt::format("{} of GPU {}", clock, i), value(x), value(y));
    }
  }
  out.add(Kind::system, "system", a.os, b.os);
  out.add(Kind::system, "Linux", a.kernel, b.kernel);
}

// What the machine did beside the run: only what changes times.
void noise(const Noise& a, const Noise& b, Differences& out) {
  const auto load = [](const SharedJson& noise) {
    const double value = noise ? load_of(*noise) : 0;
    return value < 1 ? std::string("below 1") : fmt::format("{:.0f}", value);
  };
  out.add(Kind::clocks, "load before", load(a.before), load(b.before));
  for (size_t i = 0; i < 16; ++i) {
    const auto clock = [i](const SharedJson& noise) -> std::string {
      if (!noise || !noise->contains("gpus") || (*noise)["gpus"].size() <= i) return "";
      const auto& gpu = (*noise)["gpus"][i];
      return gpu.contains("clocks_sm_mhz") ? gpu["clocks_sm_mhz"].dump() + " MHz" : "";
    };
    out.add(Kind::clocks, fmt::format("clock of GPU {} at the end", i), clock(a.after), clock(b.after));
  }
}

void builds(const RunRecord& a, const RunRecord& b, Differences& out) {
  std::set<std::pair<std::string, std::string>> compilers;
  std::set<std::string> variants;  // one row for each: its builds differ in the same way
  for (const BuildRecord& one : a.builds) {
    const BuildRecord* other = same_build(b, one);
    if (!other || !variants.insert(one.variant).second) continue;
    if (one.compiler != other->compiler && compilers.emplace(one.compiler, other->compiler).second)
      out.add(Kind::compiler, "compiler of " + one.variant, one.compiler, other->compiler);
    out.add(Kind::flags, "flags of " + one.variant, flags_only_of(one.command, other->command),
            flags_only_of(other->command, one.command));
    out.add(Kind::source, "source of " + one.variant, one.source_hash.substr(0, 12), other->source_hash.substr(0, 12));
  }
  for (const VariantRecord& one : a.variants)
    for (const VariantRecord& other : b.variants)
      if (one.name == other.name) {
        out.add(Kind::library, "library of " + one.name, one.about, other.about);
        out.add(Kind::flags, "tuned parameters of " + one.name, one.tuned, other.tuned);
      }
}

// Headers. The config and the harness's own interface have rows of their own.
void files(const RunRecord& a, const RunRecord& b, Differences& out) {
  for (const SourceFile& one : a.sources) {
    if (!one.variant.empty() || starts_with(one.path, "configs/") || starts_with(one.path, "labs/lab/")) continue;
    for (const SourceFile& other : b.sources)
      if (other.path == one.path)
        out.add(Kind::source, std::string(source_file) + one.path, one.hash.substr(0, 12), other.hash.substr(0, 12));
  }
}

std::string container(const RunRecord& run) { return run.container ? run.container->digest : ""; }

}  // namespace

std::vector<Difference> differences(const RunRecord& a, const RunRecord& b) {
  Differences out;
  machines(a.machine, b.machine, out);
  noise(a.noise, b.noise, out);
  out.add(Kind::system, "container", container(a), container(b));
  out.add(Kind::system, "sandbox", a.run.sandbox, b.run.sandbox);
  builds(a, b, out);
  files(a, b, out);
  out.add(Kind::config, "config (hash)", sha256(a.run.config.text).substr(0, 12), sha256(b.run.config.text).substr(0, 12));
  out.add(Kind::harness, "version", a.run.harness.version, b.run.harness.version);
  out.add(Kind::harness, "commit", a.run.harness.commit.substr(0, 12), b.run.harness.commit.substr(0, 12));
  out.add(Kind::harness, "uncommitted changes", yes_no(a.run.harness.dirty), yes_no(b.run.harness.dirty));
  return std::move(out).all();
}

}  // namespace harness
