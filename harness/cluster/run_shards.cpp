#include "harness/cluster/run_shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/base/draft.h"
#include "harness/base/interrupt.h"
#include "harness/base/project.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/store/store.h"

namespace harness {
namespace {

constexpr int most_tries = 3;
// A file that a node wrote is seen here after so long at most (NFS keeps attributes for a minute).
constexpr double settle_s = 60;
// Short at first, so that a small array ends quickly, and kind to the scheduler later.
constexpr double shortest_wait_s = 0.2, longest_wait_s = 10;

struct Shard {
  std::vector<std::string> open;  // keys without an outcome
  std::string job;                // the newest; empty: submit it
  int tries = 0;
  bool waiting = false;    // its task has not begun, so it has no outcomes to look for
  double ended_at_s = -1;  // when the job was first seen to have ended
};

int shards_of(const ShardsPlan& plan) {
  return static_cast<int>((std::ssize(plan.runs) + plan.per_shard - 1) / plan.per_shard);
}

Result<JobArray> array_of(const ShardsPlan& plan, const std::string& name, int shards) {
  std::error_code error;
  JobArray array{.name = name, .folder = fs::absolute(plan.home), .shards = shards, .settings = plan.settings};
  array.program = fs::read_symlink("/proc/self/exe", error);
  TRY_ASSIGN(array.root, project_root());
  array.working_folder = fs::current_path(error);
  return array;
}

// The file `array` is written last, so an array that has it is whole: "NAME SHARDS\n".
fs::path array_file(const fs::path& home) { return home / "array"; }

Result<std::pair<std::string, int>> read_array(const fs::path& home) {
  TRY_ASSIGN(const std::string text, read_file(array_file(home)));
  const auto words = split(std::string(trim(text)), ' ');
  const int shards = words.size() == 2 ? std::atoi(words[1].c_str()) : 0;
  if (shards > 0) return std::pair(words[0], shards);
  return Error{
      fmt::format("{}: is damaged; remove the folder {} and start again", array_file(home).string(), home.string()),
      ExitCode::machine};
}

Result<JobArray> new_array(const ShardsPlan& plan) {
  std::error_code error;
  fs::remove_all(plan.home, error);
  const int shards = shards_of(plan);
  for (int i = 0; i < shards; ++i) {
    const auto first = plan.runs.begin() + i * plan.per_shard;
    const auto count = std::min<ptrdiff_t>(plan.per_shard, plan.runs.end() - first);
    TRY(write_shard(plan.home / std::to_string(i), {first, first + count}));
  }
  const std::string name = fmt::format("harness-{}-{:08x}", plan.label, secret_bits() & 0xffffffff);
  TRY(write_file(array_file(plan.home), fmt::format("{} {}\n", name, shards)));
  return array_of(plan, name, shards);
}

// Brings the folder of a run, the texts of its sources and its rows in the store to `results`.
Result<RunOutcome> take_run(const fs::path& shard, const fs::path& results, RunOutcome outcome) {
  std::error_code error;
  const fs::path from = shard / outcome.lab / outcome.run, to = results / outcome.lab / outcome.run;
  if (fs::exists(to, error)) {  // from before an interruption, or a run that began elsewhere in the same second
    TRY_ASSIGN(const std::string ours, read_file(to / "run.json"));
    TRY_ASSIGN(const std::string theirs, read_file(from / "run.json"));
    if (ours != theirs) outcome.error = fmt::format("another run has the id {}; run this again", outcome.run);
    return outcome;
  }
  const auto copied = [&](const fs::path& a, const fs::path& b) -> Done {
    if (!fs::exists(a, error)) return ok();
    fs::copy(a, b, fs::copy_options::recursive | fs::copy_options::skip_existing | fs::copy_options::copy_symlinks,
             error);
    if (!error) return ok();
    return Error{
        fmt::format("{}: cannot copy to {}: {}; finished runs are kept", a.string(), b.string(), error.message()),
        ExitCode::machine};
  };
  const fs::path draft = draft_of(to);
  TRY(make_folders(to.parent_path()));
  TRY(make_folders(results / "sources"));
  TRY(copied(shard / "sources", results / "sources"));
  TRY(copied(from, draft));
  TRY_ASSIGN(Store store, Store::open(results));
  TRY(store.add_runs(shard));
  fs::rename(draft, to, error);
  if (!error) return outcome;
  return Error{fmt::format("{}: cannot write: {}", to.string(), error.message()), ExitCode::machine};
}

/// The last line that a job printed.
std::string last_line(const fs::path& log) {
  const auto text = read_file(log);
  if (!text) return "";
  const std::string line = split(std::string(trim(*text)), '\n').back();
  return line.empty() ? "" : fmt::format("; it said last: {}", printable(line, 300));
}

class ArrayRun {
 public:
  enum class Begin { anew, again };  // again: tasks of an earlier command may still go on

  ArrayRun(Executor& executor, const ShardsPlan& plan, const OnJobs& on_jobs, JobArray array)
      : executor_(executor), plan_(plan), on_jobs_(on_jobs), array_(std::move(array)), shards_(array_.shards) {}

  Result<RunOutcomes> run(Begin begin) {
    TRY(read_shards());
    if (begin == Begin::again) TRY(find_tasks());
    for (double wait_s = shortest_wait_s;; wait_s = std::min(wait_s * 1.1, longest_wait_s)) {
      TRY(take_outcomes());
      TRY(submit());
      if (progress_.done == progress_.of || interrupted()) break;
      plan_.wait(wait_s);
      elapsed_s_ += wait_s;
      TRY(look());
    }
    return std::move(outcomes_);
  }

  /// False: no job was ever submitted.
  bool submitted() const { return submitted_; }

 private:
  Done read_shards() {
    std::set<std::string> wanted;
    for (const ShardRun& run : plan_.runs) wanted.insert(run.key);
    for (int i = 0; i < array_.shards; ++i) {
      TRY_ASSIGN(const auto runs, read_shard(array_.folder / std::to_string(i)));
      for (const ShardRun& run : runs)
        if (wanted.contains(run.key)) shards_[i].open.push_back(run.key);
      progress_.of += shards_[i].open.size();
    }
    return ok();
  }

  Done find_tasks() {
    if (progress_.of == 0) return executor_.cancel(array_);
    TRY_ASSIGN(tasks_, executor_.poll(array_));
    int found = 0;
    for (const Task& task : tasks_)
      if (is_active(task) && task.shard < array_.shards) {
        shards_[task.shard].job = task.job;
        ++found;
      }
    if (found) say(fmt::format("found {} of an earlier command", counted(found, "task")));
    return ok();
  }

  static bool is_waiting(const Task& task) {
    return task.state == Task::State::WAITING || task.state == Task::State::STUCK;
  }
  static bool is_active(const Task& task) { return is_waiting(task) || task.state == Task::State::RUNNING; }

  void say(std::string note) {
    progress_.note = std::move(note);
    on_jobs_(progress_);
    progress_.note.clear();
  }

  Done take_outcomes() {
    for (int i = 0; i < array_.shards; ++i) {
      Shard& shard = shards_[i];
      if (shard.open.empty() || shard.waiting) continue;
      TRY_ASSIGN(auto found, executor_.collect(array_, i));
      std::erase_if(found, [&](const RunOutcome& one) { return !contains(shard.open, one.key); });
      for (RunOutcome& one : found) {
        if (one.error.empty()) {
          TRY_ASSIGN(one, take_run(array_.folder / std::to_string(i), plan_.results, std::move(one)));
        }
        std::erase(shard.open, one.key);
        outcomes_[one.key] = std::move(one);
        ++progress_.done;
      }
      if (!found.empty()) on_jobs_(progress_);
    }
    return ok();
  }

  Done submit() {
    std::vector<int> again;
    for (int i = 0; i < array_.shards; ++i)
      if (!shards_[i].open.empty() && shards_[i].job.empty()) again.push_back(i);
    if (again.empty()) return ok();
    TRY_ASSIGN(const std::string job, executor_.submit(array_, again, avoid_));
    submitted_ = true;
    for (const int i : again) {
      shards_[i].job = job;
      shards_[i].ended_at_s = -1;
    }
    say(fmt::format("submitted job {}: {}", job, counted(std::ssize(again), "task")));
    return ok();
  }

  /// Asks the executor, and decides about each shard whose task no longer runs.
  Done look() {
    auto answer = executor_.poll(array_);
    if (!answer) {
      if (!std::exchange(silent_, true)) say(fmt::format("{}; still trying", answer.error().message));
      return ok();
    }
    silent_ = false;
    tasks_ = *std::move(answer);
    std::vector<const Task*> newest(shards_.size());
    for (const Task& task : tasks_)
      if (task.shard < array_.shards && task.job == shards_[task.shard].job) {
        newest[task.shard] = &task;
        shards_[task.shard].waiting = is_waiting(task);
      }
    TRY(take_outcomes());  // the tasks were seen before, so what ended by then has left its outcomes
    progress_.waiting = progress_.running = 0;
    for (int i = 0; i < array_.shards; ++i)
      if (!shards_[i].open.empty() && !shards_[i].job.empty()) decide(i, newest[i]);
    return ok();
  }

  void decide(int i, const Task* task) {
    Shard& shard = shards_[i];
    const std::string name = fmt::format("job {}_{}", shard.job, i);
    if (task && is_waiting(*task)) {
      ++progress_.waiting;
      if (task->state == Task::State::STUCK && told_.insert(name).second)
        say(fmt::format("{} cannot start: {}", name, task->word));
    } else if (task && task->state == Task::State::RUNNING) {
      ++progress_.running;
    } else if (!task || task->state == Task::State::ENDED) {
      // The executor may have forgotten it, and a shared file system may be slow.
      shard.waiting = false;
      if (shard.ended_at_s < 0) shard.ended_at_s = elapsed_s_;
      if (elapsed_s_ - shard.ended_at_s >= settle_s) try_again(i, name, "", "ended without results");
    } else if (task->state == Task::State::CANCELLED) {
      give_up(i, fmt::format("{} was cancelled; run the same command again", name));
    } else if (task->state == Task::State::PREEMPTED) {
      say(fmt::format("{} was preempted", name));
      shard.job.clear();
    } else {
      try_again(i, name, task->state == Task::State::OUT_OF_TIME ? "" : task->node,
                fmt::format("{}: {}", task->node.empty() ? "died" : "died on " + task->node, task->word));
    }
  }

  void try_again(int i, const std::string& name, const std::string& node, const std::string& what) {
    const fs::path log = array_.folder / fmt::format("{}.log", i);
    if (++shards_[i].tries == most_tries)
      return give_up(i, fmt::format("{} {}, for the third time{}; all it printed is in {}", name, what, last_line(log),
                                    log.string()));
    if (!node.empty()) avoid_.insert(node);
    shards_[i].job.clear();
    say(fmt::format("{} {}{}", name, what, last_line(log)));
  }

  void give_up(int i, const std::string& why) {
    for (const std::string& key : shards_[i].open) outcomes_[key] = {.key = key, .error = why};
    progress_.done += shards_[i].open.size();
    shards_[i].open.clear();
    say(why);
  }

  Executor& executor_;
  const ShardsPlan& plan_;
  const OnJobs& on_jobs_;
  const JobArray array_;
  std::vector<Shard> shards_;
  std::vector<Task> tasks_;
  RunOutcomes outcomes_;
  JobProgress progress_;
  std::set<std::string> avoid_, told_;
  double elapsed_s_ = 0;
  bool silent_ = false;  // the executor did not answer
  bool submitted_ = false;
};

}  // namespace

void wait_for(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!interrupted() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

bool has_jobs(const fs::path& home) {
  std::error_code error;
  return fs::exists(array_file(home), error);
}

void forget_jobs(const fs::path& home, Logs logs) {
  std::error_code error;
  fs::remove(array_file(home), error);
  if (logs == Logs::remove) fs::remove_all(home, error);
}

Done drop_jobs(Executor& executor, const fs::path& home) {
  if (!has_jobs(home)) return ok();
  TRY_ASSIGN(const auto known, read_array(home));
  TRY(executor.cancel({.name = known.first, .folder = fs::absolute(home), .shards = known.second}));
  forget_jobs(home, Logs::remove);
  return ok();
}

Result<RunOutcomes> run_shards(Executor& executor, const ShardsPlan& plan, const OnJobs& on_jobs) {
  if (!has_jobs(plan.home)) {
    TRY_ASSIGN(JobArray array, new_array(plan));
    ArrayRun run(executor, plan, on_jobs, std::move(array));
    auto outcomes = run.run(ArrayRun::Begin::anew);
    std::error_code error;
    if (!outcomes && !run.submitted()) fs::remove_all(plan.home, error);
    return outcomes;
  }
  TRY_ASSIGN(const auto known, read_array(plan.home));
  TRY_ASSIGN(JobArray array, array_of(plan, known.first, known.second));
  return ArrayRun(executor, plan, on_jobs, std::move(array)).run(ArrayRun::Begin::again);
}

Result<std::string> script_of(const Executor& executor, const ShardsPlan& plan) {
  TRY_ASSIGN(const JobArray array, array_of(plan, fmt::format("harness-{}-00000000", plan.label), shards_of(plan)));
  return executor.script(array);
}

}  // namespace harness
