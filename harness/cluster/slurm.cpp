// The executor "slurm": a job array, one task per shard. Slurm's own commands do all the work. The name of the array is
// the name of its jobs, so that a later command finds them without a list of its own.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/cluster/executor.h"

namespace harness {
namespace {

std::string in_shell(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// "D-HH:MM:SS"
std::string slurm_time(double time_s) {
  const auto s = static_cast<int64_t>(std::ceil(time_s));
  return fmt::format("{}-{:02}:{:02}:{:02}", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
}

int number(const std::string& text) {
  int value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The first lines of what Slurm printed, without its prefixes.
std::string said(const ProcessResult& result) {
  std::vector<std::string> lines;
  for (std::string line : split(result.err + result.out, '\n')) {
    for (const char* prefix : {"sbatch: error: ", "squeue: error: ", "scancel: error: ", "sbatch: "})
      if (starts_with(line, prefix)) line = line.substr(std::string(prefix).size());
    if (!trim(line).empty() && !contains(lines, line)) lines.push_back(line);
  }
  return printable(join(lines, "; "), 500);
}

Result<ProcessResult> slurm(const std::vector<std::string>& command) {
  if (find_program(command[0]).empty())
    return Error{
        fmt::format("--executor slurm: cannot find the program \"{}\"; run this on a machine where jobs of the "
                    "cluster can be submitted",
                    command[0]),
        ExitCode::machine};
  return run_process(command, {.output_limit = size_t{64} << 20});
}

Error refusal(const ProcessResult& result, const ExecutorSettings& settings) {
  const std::string why = said(result);
  const auto mentions = [&](const char* word) { return why.find(word) != std::string::npos; };
  if (mentions("invalid partition specified")) {
    std::vector<std::string> known;
    if (const auto list = slurm({"sinfo", "--noheader", "--format=%R"}); list)
      for (const std::string& line : split(list->out, '\n'))
        if (!line.empty()) known.push_back(line);
    std::ranges::sort(known);
    return {fmt::format("{}: Slurm has no partition \"{}\"{}; there are {}", settings.partition_from,
                        settings.partition, did_you_mean(settings.partition, known), join(known, ", "))};
  }
  if (mentions("unge encode failed"))
    return {
        "sbatch cannot reach munge, which tells Slurm who you are; start munge on this machine, or ask its "
        "administrator",
        ExitCode::machine};
  if (mentions("nable to contact slurm controller"))
    return {"sbatch: Slurm does not answer; wait until sinfo answers, and run this again", ExitCode::machine};
  const bool resources = mentions("gres") || mentions("node configuration") || mentions("feature specification");
  return {fmt::format("sbatch refuses the job: {}{}", why,
                      resources ? "; sinfo --format=\"%P %N %G %f\" shows what the nodes have" : "")};
}

Task::State state_of(const std::string& word) {
  using enum Task::State;
  if (contains(std::vector<std::string>{"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT"}, word))
    return WAITING;
  if (word == "COMPLETED") return ENDED;
  if (word == "CANCELLED") return CANCELLED;
  if (word == "PREEMPTED") return PREEMPTED;
  if (word == "TIMEOUT" || word == "DEADLINE") return OUT_OF_TIME;
  if (contains(std::vector<std::string>{"FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY",
                                        "REVOKED"},
               word))
    return DIED;
  return RUNNING;  // COMPLETING, SUSPENDED, ...: it may still become anything
}

/// A reason for which Slurm lets a job wait for ever.
bool never_starts(const std::string& reason) {
  return contains(std::vector<std::string>{"PartitionTimeLimit", "PartitionNodeLimit", "BadConstraints",
                                           "AssocMaxJobsLimit", "InvalidAccount", "InvalidQOS"},
                  reason);
}

class Slurm final : public Executor {
 public:
  std::string name() const override { return "slurm"; }

  std::string script(const JobArray& array) const override {
    const ExecutorSettings& s = array.settings;
    std::string text = "#!/bin/bash\n";
    const auto option = [&](const std::string& name, const std::string& value) {
      if (!value.empty()) text += fmt::format("#SBATCH --{}=\"{}\"\n", name, value);
    };
    std::string log;  // "%" begins a pattern
    for (const char c : array.folder.string()) log += c == '%' ? "%%" : std::string(1, c);
    option("job-name", array.name);
    option("array", fmt::format("0-{}", array.shards - 1));
    option("chdir", array.working_folder.string());
    option("output", log + "/%a.log");
    option("open-mode", "append");
    text += "#SBATCH --no-requeue\n";
    option("partition", s.partition);
    option("gres", s.gres);
    option("account", s.account);
    option("constraint", s.constraint);
    if (s.time_s) option("time", slurm_time(*s.time_s));
    for (const std::string& word : s.sbatch) text += fmt::format("#SBATCH {}\n", word);
    return text + fmt::format("export HARNESS_ROOT={}\nexec {} shard {}/\"$SLURM_ARRAY_TASK_ID\"\n",
                              in_shell(array.root.string()), in_shell(array.program.string()),
                              in_shell(array.folder.string()));
  }

  Result<std::string> submit(const JobArray& array, const std::vector<int>& shards,
                             const std::set<std::string>& avoid) override {
    const fs::path file = array.folder / "job.sh";
    TRY(write_file(file, script(array)));
    std::vector<std::string> command = {"sbatch", "--parsable", "--array=" + fmt::format("{}", fmt::join(shards, ","))};
    if (!avoid.empty()) command.push_back(fmt::format("--exclude={}", fmt::join(avoid, ",")));
    command.push_back(file.string());
    TRY_ASSIGN(const ProcessResult result, slurm(command));
    if (result.exit != 0 && !avoid.empty()) return submit(array, shards, {});  // there are no other nodes
    if (result.exit != 0) return refusal(result, array.settings);
    return split(std::string(trim(result.out)), ';')[0];  // "7", or "7;cluster"
  }

  Result<std::vector<Task>> poll(const JobArray& array) override {
    TRY_ASSIGN(const ProcessResult result, slurm({"squeue", "--me", "--name=" + array.name, "--noheader", "--array",
                                                  "--states=all", "--format=%F|%K|%T|%N|%r"}));
    if (result.exit != 0) return Error{"squeue: " + said(result), ExitCode::machine};
    std::vector<Task> tasks;
    for (const std::string& line : split(result.out, '\n')) {
      const auto fields = split(line, '|');
      if (fields.size() < 5 || number(fields[1]) < 0) continue;
      Task task{.job = fields[0], .shard = number(fields[1]), .state = state_of(fields[2]), .node = fields[3]};
      task.word = task.state == Task::State::WAITING ? fields[4] : fields[2];
      if (task.state == Task::State::WAITING && never_starts(fields[4])) {
        task.state = Task::State::STUCK;
        task.word += fmt::format("; cancel it with scancel {} and ask for less", task.job);
      }
      tasks.push_back(std::move(task));
    }
    std::ranges::stable_sort(tasks, {}, [](const Task& task) { return number(task.job); });
    return tasks;
  }

  Done cancel(const JobArray& array) override {
    TRY_ASSIGN(const ProcessResult result, slurm({"scancel", "--me", "--name=" + array.name}));
    if (result.exit == 0) return ok();
    return Error{"scancel: " + said(result), ExitCode::machine};
  }
};

const ExecutorMaker slurm_maker{"slurm", []() -> std::unique_ptr<Executor> { return std::make_unique<Slurm>(); }};
const Register<ExecutorMaker> register_slurm(&slurm_maker);

}  // namespace
}  // namespace harness
