#include <exception>
#include <limits>

#include "harness/store/records.h"

namespace harness {
namespace {

using Json = nlohmann::ordered_json;

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// A record of another shape leaves by an exception, which case_from_json catches.
struct DoesNotFit : std::exception {};

int64_t integer(const Json& json) {
  if (json.is_number_unsigned() && json.get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()})
    throw DoesNotFit();
  if (!json.is_number_integer()) throw DoesNotFit();
  return json.get<int64_t>();
}

int small_integer(const Json& json) {
  const int64_t value = integer(json);
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) throw DoesNotFit();
  return static_cast<int>(value);
}

double number(const Json& json) {
  if (!json.is_number()) throw DoesNotFit();
  return json.get<double>();
}

double number_or_unknown(const Json& json, const char* name) {
  return json.contains(name) ? number(json[name]) : not_known;
}

bool flag(const Json& json) {
  if (!json.is_boolean()) throw DoesNotFit();
  return json.get<bool>();
}

std::string text(const Json& json) {
  if (!json.is_string()) throw DoesNotFit();
  return json.get<std::string>();
}

template <class Enum>
Enum word(const Json& json) {
  const auto found = parse_enum<Enum>(text(json));
  if (!found) throw DoesNotFit();
  return *found;
}

Axes axes(const Json& json) {
  if (!json.is_object()) throw DoesNotFit();
  Axes all;
  for (const auto& [name, value] : json.items()) {
    if (value.is_number_float())
      all.emplace_back(name, value.get<double>());
    else if (value.is_number())
      all.emplace_back(name, integer(value));
    else
      all.emplace_back(name, text(value));
  }
  return all;
}

template <class T, class Read>
std::vector<T> array(const Json& json, const char* name, Read read) {
  std::vector<T> all;
  if (!json.contains(name)) return all;
  if (!json[name].is_array()) throw DoesNotFit();
  for (const Json& item : json[name]) all.push_back(read(item));
  return all;
}

Metric metric(const Json& json) {
  if (!json.is_object()) throw DoesNotFit();
  Metric m;
  m.median = number(json.at("median"));
  for (const auto& [name, value] : json.items()) {
    if (name == "median") continue;
    if (name == "low")
      m.low = number(value);
    else if (name == "high")
      m.high = number(value);
    else if (name == "n")
      m.n = small_integer(value);
    else
      m.more[name] = value;
  }
  return m;
}

CheckLine check_line(const Json& json) {
  return {text(json.at("name")), flag(json.at("right")), number_or_unknown(json, "worst_ratio"),
          number_or_unknown(json, "worst_ratio_gamma"), text(json.at("detail"))};
}

CheckRecord check(const Json& json) {
  CheckRecord c;
  c.lines = array<CheckLine>(json, "lines", check_line);
  c.shapes = small_integer(json.at("shapes"));
  if (json.contains("deterministic")) c.deterministic = flag(json["deterministic"]);
  c.timed_output = flag(json.at("timed_output"));
  c.message = text(json.at("message"));
  return c;
}

Diagnostic diagnostic(const Json& json) {
  auto found = diagnostic_from_json(json);
  if (!found) throw DoesNotFit();
  return *std::move(found);
}

Note note(const Json& json) {
  const auto code = json.is_object() ? parse_note_code(text(json.at("code"))) : std::nullopt;
  if (!code) throw DoesNotFit();
  const Note found{*code, axes(json.at("arguments"))};
  (void)to_string(found);  // throws if the arguments are not those of its sentence
  return found;
}

CaseRecord case_record(const Json& json) {
  CaseRecord r;
  r.id = text(json.at("id"));
  r.sweep = text(json.at("sweep"));
  r.variant = text(json.at("variant"));
  const auto dtype = parse_dtype(text(json.at("dtype")));
  const auto status = parse_status(text(json.at("status")));
  if (!dtype || !status) throw DoesNotFit();
  r.dtype = *dtype;
  r.status = *status;
  r.axes = axes(json.at("axes"));
  r.parameters = axes(json.at("parameters"));
  r.label = text(json.at("label"));
  r.threads = small_integer(json.at("threads"));
  r.device = word<Device>(json.at("device"));
  r.gpu = text(json.at("gpu"));
  r.reason = text(json.at("reason"));
  r.build_key = text(json.at("build_key"));
  r.run_key = text(json.at("run_key"));
  r.reused_from = text(json.at("reused_from"));
  r.check = check(json.at("check"));
  r.flops = number_or_unknown(json, "flops");
  r.bytes = number_or_unknown(json, "bytes");
  if (!json.at("metrics").is_object()) throw DoesNotFit();
  for (const auto& [name, value] : json["metrics"].items()) {
    const MetricInfo* known = find_metric(name);
    if (!known) throw DoesNotFit();
    r.metrics.emplace_back(known->id, metric(value));
  }
  r.samples_ms = array<double>(json, "samples_ms", number);
  r.rounds = array<int>(json, "rounds", small_integer);
  r.warmup_ms = array<double>(json, "warmup_ms", number);
  r.calls_per_sample = integer(json.at("calls_per_sample"));
  r.stop_reason = word<StopReason>(json.at("stop_reason"));
  r.notes = array<Note>(json, "notes", note);
  r.diagnostics = array<Diagnostic>(json, "diagnostics", diagnostic);
  return r;
}

}  // namespace

std::optional<CaseRecord> case_from_json(const Json& json) {
  try {
    return case_record(json);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace harness
