#include <limits>

#include "emulator/diagnostics/diagnostics.h"

namespace harness {

using Json = nlohmann::ordered_json;

Json to_json(const Diagnostic& f) {
  return {{"kind", f.kind},
          {"severity", to_string(f.severity)},
          {"kernel", f.kernel},
          {"file", f.file},
          {"line", f.line},
          {"other_file", f.other_file},
          {"other_line", f.other_line},
          {"source", f.source},
          {"what", f.what},
          {"fix", f.fix},
          {"count", f.count},
          {"have", f.have},
          {"ideal", f.ideal},
          {"block", f.block},
          {"thread", f.thread}};
}

namespace {

bool is_text(const Json& json, const char* name) { return json.contains(name) && json[name].is_string(); }
bool is_count(const Json& json) {
  return json.is_number_integer() && (!json.is_number_unsigned() ||
                                      json.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()});
}
bool is_small(const Json& json) {
  return is_count(json) && json.get<int64_t>() >= 0 && json.get<int64_t>() <= std::numeric_limits<int>::max();
}
bool is_triple(const Json& json) {
  return json.is_array() && json.size() == 3 && is_count(json[0]) && is_count(json[1]) && is_count(json[2]);
}

}  // namespace

std::optional<Diagnostic> diagnostic_from_json(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  for (const char* name : {"kind", "severity", "kernel", "file", "other_file", "source", "what", "fix"})
    if (!is_text(json, name)) return std::nullopt;
  for (const char* name : {"line", "other_line"})
    if (!json.contains(name) || !is_small(json[name])) return std::nullopt;
  for (const char* name : {"count", "have", "ideal"})
    if (!json.contains(name) || !is_count(json[name])) return std::nullopt;
  for (const char* name : {"block", "thread"})
    if (!json.contains(name) || !is_triple(json[name])) return std::nullopt;
  const std::string severity = json["severity"];
  if (severity != "mistake" && severity != "advice") return std::nullopt;
  Diagnostic f;
  f.kind = json["kind"];
  f.severity = severity == "mistake" ? Severity::mistake : Severity::advice;
  f.kernel = json["kernel"];
  f.file = json["file"];
  f.line = json["line"];
  f.other_file = json["other_file"];
  f.other_line = json["other_line"];
  f.source = json["source"];
  f.what = json["what"];
  f.fix = json["fix"];
  f.count = json["count"];
  f.have = json["have"];
  f.ideal = json["ideal"];
  f.block = json["block"].get<Triple>();
  f.thread = json["thread"].get<Triple>();
  return f;
}

}  // namespace harness
