#include "harness/cli/corpus_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/cli/console.h"
#include "harness/cli/json_lines.h"

namespace harness {
namespace {

struct Count {
  int of = 0, right = 0, left_out = 0;
};

Count count(const CorpusRun& run, CorpusFolder folder) {
  Count c;
  for (const CorpusVerdict& v : run.verdicts) {
    if (v.entry->folder != folder) continue;
    c.left_out += !v.counts;
    c.of += v.counts;
    c.right += v.counts && v.as_expected;
  }
  return c;
}

std::string names(const std::vector<Status>& all) {
  std::vector<std::string> words;
  for (const Status s : all) words.emplace_back(to_string(s));
  return join(words, "|");
}

std::string expected(const CorpusVerdict& v) {
  return v.entry->finds.empty() ? names(v.entry->expected(v.emulated)) : "finds " + v.entry->finds;
}

// What a reader looks for: the lines that are not as they should be.
std::string_view mark(const CorpusVerdict& v) {
  if (!v.counts) return "left out";
  if (v.as_expected) return v.entry->folder == CorpusFolder::correct ? "accepted" : "caught";
  if (!v.entry->open.empty()) return "open";
  return v.entry->folder == CorpusFolder::correct ? "ACCUSED" : "MISSED";
}

std::string shown(const CorpusVerdict& v) {
  const bool open = !v.as_expected && !v.entry->open.empty();
  return printable(split(open ? v.entry->open : v.reason, '\n').front(), 240);
}

std::string summary(const CorpusRun& run) {
  const auto of = [&](CorpusFolder folder, const char* done) {
    const Count c = count(run, folder);
    return fmt::format("{} of {} {} {}", c.right, c.of, to_string(folder), done);
  };
  return fmt::format("corpus: {}, {}, {}", of(CorpusFolder::correct, "accepted"), of(CorpusFolder::wrong, "rejected"),
                     of(CorpusFolder::evil, "caught"));
}

}  // namespace

bool as_expected(const CorpusRun& run) {
  return run.disturbed.empty() &&
         std::ranges::all_of(run.verdicts, [](const CorpusVerdict& v) { return v.as_expected; });
}

void print_corpus(const CorpusRun& run) {
  size_t label = 0, wanted = 0;
  for (const CorpusVerdict& v : run.verdicts) {
    label = std::max(label, v.entry->label.size());
    wanted = std::max(wanted, std::min<size_t>(30, expected(v).size()));
  }
  for (const CorpusVerdict& v : run.verdicts) {
    const std::string line = fmt::format("{:<8} {:<{}} {} {:<{}} {:<14} {}", mark(v), v.entry->label, label,
                                         v.entry->exploit, expected(v), wanted, to_string(v.got), shown(v));
    print(std::string(line, 0, line.find_last_not_of(' ') + 1) + "\n");
  }
  for (const std::string& line : run.repeated) print("REPEATED  " + printable(line, 400) + "\n");
  for (const std::string& line : run.disturbed) print("DISTURBED " + printable(line, 400) + "\n");
  int left_out = 0;
  for (const CorpusFolder folder : {CorpusFolder::correct, CorpusFolder::wrong, CorpusFolder::evil})
    left_out += count(run, folder).left_out;
  if (left_out > 0) print(fmt::format("{} left out: they cannot run here\n", left_out));
  print(summary(run) + "\n");
}

void print_corpus_json(const CorpusRun& run) {
  for (const CorpusVerdict& v : run.verdicts)
    print_json_line({{"event", "entry"},
                     {"entry", v.entry->label},
                     {"about", v.entry->about},
                     {"folder", to_string(v.entry->folder)},
                     {"class", v.entry->exploit == ' ' ? "" : std::string(1, v.entry->exploit)},
                     {"kernel", v.entry->kernel},
                     {"emulated", v.emulated},
                     {"expected", expected(v)},
                     {"got", to_string(v.got)},
                     {"reason", v.reason},
                     {"counts", v.counts},
                     {"open", v.entry->open},
                     {"as_expected", v.as_expected}});
  nlohmann::ordered_json end = {{"event", "corpus"},
                                {"repeated", run.repeated},
                                {"disturbed", run.disturbed},
                                {"as_expected", as_expected(run)},
                                {"summary", summary(run)}};
  for (const CorpusFolder folder : {CorpusFolder::correct, CorpusFolder::wrong, CorpusFolder::evil}) {
    const Count c = count(run, folder);
    end[std::string(to_string(folder))] = {{"of", c.of}, {"as_expected", c.right}, {"left_out", c.left_out}};
  }
  print_json_line(end);
}

}  // namespace harness
