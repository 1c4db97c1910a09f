// The texts of a starter: the handout and the workflow.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/config/rule_kinds.h"
#include "harness/grade/starter.h"
#include "harness/kernel/kernel.h"

namespace harness {
namespace {

/// In a cell of a Markdown table.
std::string in_cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\|");
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string thresholds_of(const Rule& rule) {
  std::string text;
  const std::string metric = rule.over.empty() ? std::string(to_string(rule.metric)) : tr("speedup over {}", rule.over);
  for (const Threshold& t : rule.thresholds)
    text += tr("{}{:.4g} points from {} {:.4g}", text.empty() ? "" : ", ", t.points, metric, t.value);
  return text + (rule.between == Between::linear && !text.empty() ? tr(", growing evenly") : "");
}

std::string cases_of_rule(const Rule& rule) {
  std::string text = rule.sweep.empty() ? "" : tr("sweep {}", rule.sweep);
  for (const auto& [axis, values] : rule.where) {
    std::vector<std::string> words;
    for (const Value& value : values) words.push_back(to_string(value));
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", axis, join(words, ", "));
  }
  return text.empty() ? "" : " (" + text + ")";
}

std::string what_gives(const Rule& rule) {
  if (rule.kind == "manual") return tr("a person gives the points");
  if (!rule.without.empty()) {
    std::vector<std::string> unwanted;
    for (const auto& [name, above] : rule.without)
      unwanted.push_back(above > 0 ? tr("{} above a factor of {:.4g}", name, above) : name);
    return tr("right, and the emulated device does not see: {}", join(unwanted, ", "));
  }
  if (rule.kind == "clean") return tr("right, and the emulated device sees no mistakes");
  if (rule.credit == Credit::all)
    return tr("all cases of the variant are right; one that is not, and there are no points");
  if (rule.claim) return tr("once all cases of the variant are right, this must hold: {}", rule.claim->text);
  return told(std::string(find_rule_kind(rule.kind)->meaning));
}

std::string rule_row(const Rule& rule) {
  std::string what = what_gives(rule) + cases_of_rule(rule);
  if (const std::string thresholds = thresholds_of(rule); !thresholds.empty()) what += ": " + thresholds;
  if (rule.across != Across::mean) what += tr("; the {} case counts", told(std::string(to_string(rule.across))));
  if (!rule.about.empty()) what += ". " + rule.about;
  return fmt::format("| {} | {} | {:.4g} | {} |\n", rule.name, rule.variant.empty() ? "" : "`" + rule.variant + "`",
                     rule.points, in_cell(what));
}

std::string rules_table(const Config& config, const Config& visible) {
  std::string text;
  if (visible.grade) {
    text = tr("| rule | variant | points | what gives them |") + "\n|---|---|---:|---|\n";
    for (const Rule& rule : visible.grade->rules) text += rule_row(rule);
    text += tr("| together | | {:.4g} | |\n", visible.grade->points());
  }
  if (const size_t more = config.grade->hidden())
    text += (text.empty() ? "" : "\n") +
            (more == 1 ? tr("{} more counts when the class is graded. They are not shown.\n", tr_counted(1, "rule"))
                       : tr("{} more count when the class is graded. They are not shown.\n",
                            tr_counted(static_cast<int64_t>(more), "rule")));
  return text;
}

}  // namespace

std::string handout(const Config& config, const Config& visible, const std::vector<std::string>& sources) {
  const std::string lab = config.lab + ".yaml", kernel = config.kernel;
  std::vector<std::string> quoted;
  for (const std::string& file : sources) quoted.push_back("`" + file + "`");
  const bool gpu = std::ranges::any_of(sources, [](const std::string& file) { return file.ends_with(".cu"); });
  const std::string first = fs::path(sources.front()).stem().string();
  std::string text = fmt::format("# {}\n\n", config.title);
  if (!config.about.empty()) text += config.about + "\n\n";
  text += tr(
      "You write {}. Each file is one variant of the kernel `{}`: {}. The files compile as they are, and their results "
      "are wrong: they write zeros. Keep their names, because the rules name them. You may add headers beside them.\n\n"
      "`labs/README.md` of the harness says what a variant may do, and `labs/lab/{}.h` there describes its argument. "
      "Your "
      "code must be right for every shape, also for sizes that this lab does not measure.\n\n",
      join(quoted, ", "), kernel, find_kernel(kernel)->formula(), kernel);
  text += tr("## See your points\n\nIn this folder, with the path of your copy of the harness:\n\n```console\n");
  text += fmt::format("$ ~/harness/bin/harness run {} --submission . --points\n```\n\n", lab);
  text += tr(
      "It prints for each case whether the result is right, and if not, the first wrong cell and what the mistake may "
      "be. The points follow at the end. This looks at one file only:\n\n```console\n"
      "$ ~/harness/bin/harness run {} --submission . --variant {}\n```\n\n",
      lab, first);
  if (gpu)
    text +=
        tr("Without a GPU the harness runs `.cu` files on an emulated device. It finds races, accesses that are out of "
           "bounds and slow access patterns, and names their lines. It does not measure time.\n\n");
  text +=
      tr("A machine that does other work measures other times: close other programs before you measure. The class is "
         "graded on one machine, which may differ from yours.\n\n");
  text += tr("## Points\n\n{}\n", rules_table(config, visible));
  if (visible.grade && std::ranges::any_of(visible.grade->rules, [](const Rule& rule) { return rule.kind == "speed"; }))
    text +=
        tr("Speed counts when all results of the variant are right. If a time is too noisy to decide, the points stay "
           "open "
           "and are not lost.\n\n");
  text +=
      tr("## Hand in\n\nHand in {}, and your headers. Other files are ignored: the rules, the inputs and the "
         "flags of the compiler come from the teacher's copy of the lab.\n\n"
         "`.github/workflows/grade.yml` shows the same points after each push. Your editor finds the lab's headers "
         "through "
         "`compile_commands.json`; on another machine write it again with "
         "`~/harness/bin/harness init {} . --only-compile-commands`.\n",
         join(quoted, ", "), lab);
  return text;
}

std::string workflow(const StarterOptions& options, const std::string& lab) {
  return fmt::format(
      R"(# Shows the points of each push in its summary. The rules come from {1}, not from this repository.
name: grade
on: [push, workflow_dispatch]
permissions: {{contents: read}}
concurrency: {{group: "grade-${{{{ github.ref }}}}", cancel-in-progress: true}}
jobs:
  grade:
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    steps:
      - {{uses: actions/checkout@v6, with: {{path: submission, persist-credentials: false}}}}
      - {{uses: actions/checkout@v6, with: {{repository: "{1}", path: course, persist-credentials: false}}}}
      - {{uses: "{0}", with: {{config: "course/{2}", submission: submission}}}}
)",
      options.action, options.course, lab);
}

}  // namespace harness
