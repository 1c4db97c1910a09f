// harness runs: the runs of the store.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <nlohmann/json.hpp>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"
#include "harness/store/store.h"

namespace harness {
namespace {

std::string verdicts(const RunRow& row) {
  std::vector<std::string> parts;
  for (const auto& [status, count] : row.verdicts) parts.push_back(fmt::format("{} {}", count, status));
  return join(parts, ", ");
}

// "2026-11-22T07:07:50Z" -> "2026-11-22 07:07"
std::string when(const std::string& started) { return started.substr(0, 10) + " " + started.substr(11, 5); }

std::string table(const std::vector<RunRow>& rows) {
  std::vector<std::vector<std::string>> cells = {{tr("run"), tr("lab"), "UTC", tr("machine"), tr("size"), tr("cases")}};
  for (const RunRow& row : rows)
    cells.push_back({row.id, row.lab, when(row.started), printable(row.machine, 60),
                     human_bytes(static_cast<double>(row.bytes)),
                     fmt::format("{}{}{}", row.cases(), row.cases() ? ": " + verdicts(row) : "",
                                 row.state == "complete" ? "" : " (" + told(row.state) + ")")});
  std::vector<size_t> width(cells.front().size());
  for (const auto& line : cells)
    for (size_t i = 0; i < line.size(); ++i) width[i] = std::max(width[i], columns_of(line[i]));
  std::string text;
  for (const auto& line : cells) {
    for (size_t i = 0; i + 1 < line.size(); ++i) text += fmt::format("{:<{}}  ", line[i], width[i]);
    text += line.back() + "\n";
  }
  return text;
}

std::string as_json(const std::vector<RunRow>& rows) {
  auto all = nlohmann::ordered_json::array();
  for (const RunRow& row : rows) {
    auto verdict = nlohmann::ordered_json::object();
    for (const auto& [status, count] : row.verdicts) verdict[status] = count;
    all.push_back({{"id", row.id},
                   {"lab", row.lab},
                   {"started", row.started},
                   {"state", row.state},
                   {"machine", row.machine},
                   {"cases", row.cases()},
                   {"verdicts", verdict},
                   {"bytes", row.bytes}});
  }
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

class Runs final : public Command {
 public:
  std::string name() const override { return "runs"; }
  std::string help() const override { return "list the runs of the store, newest first"; }
  int order() const override { return 20; }
  std::vector<Option> options() override {
    return {{"--lab", &lab_, "only runs of this lab", "NAME"},
            {"--machine", &machine_, "only runs on machines with this word", "WORD"},
            {"--since", &since_, "only runs from this day on, for example 2026-11-22", "DAY"},
            {"--status", &status_, "only runs with a case of this status", "STATUS"},
            {"--json", &json_, "as JSON"},
            {"--results", &results_, "folder of the store (default: results/)", "DIR"}};
  }

  Result<ExitCode> run() override {
    if (!status_.empty() && !parse_enum<Status>(status_)) {
      std::vector<std::string> known;
      for (const StatusInfo& status : statuses) known.emplace_back(status.name);
      return Error{fmt::format("--status \"{}\" is unknown{}; there are {}", status_, did_you_mean(status_, known),
                               join(known, ", "))};
    }
    if (!since_.empty() && !is_day(since_))
      return Error{fmt::format("--since \"{}\" is not a day; write for example 2026-11-22", since_)};
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(Store store, open_store(root, results_));
    TRY_ASSIGN(std::vector<RunRow> rows, store.runs());
    const size_t all = rows.size();
    std::erase_if(rows, [this](const RunRow& row) { return !wanted(row); });
    if (json_)
      print(as_json(rows));
    else if (rows.empty())
      print(tr("none of {} fits", tr_counted(static_cast<int64_t>(all), "run")) + "\n");
    else
      print(table(rows));
    return ExitCode::ok;
  }

 private:
  static bool is_day(const std::string& text) {
    constexpr std::string_view form = "0000-00-00";
    if (text.size() != form.size()) return false;
    for (size_t i = 0; i < form.size(); ++i)
      if (form[i] == '-' ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
    const auto number = [&](size_t at, size_t digits) { return std::stoi(text.substr(at, digits)); };
    return std::chrono::year_month_day{std::chrono::year{number(0, 4)}, std::chrono::month(number(5, 2)),
                                       std::chrono::day(number(8, 2))}
        .ok();
  }

  static int lower(unsigned char c) { return std::tolower(c); }

  bool wanted(const RunRow& row) const {
    const bool has_status = status_.empty() || std::ranges::any_of(row.verdicts, [this](const auto& verdict) {
                              return verdict.first == status_;
                            });
    return has_status && (lab_.empty() || row.lab == lab_) && row.started.substr(0, 10) >= since_ &&
           (machine_.empty() || !std::ranges::search(row.machine, machine_, {}, lower, lower).empty());
  }

  std::string lab_, machine_, since_, status_, results_;
  bool json_ = false;
};

Runs runs_command;
const Register<Command> register_runs(&runs_command);

}  // namespace
}  // namespace harness
