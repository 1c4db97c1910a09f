#include "harness/store/records.h"

#include <cmath>
#include <type_traits>

#include "harness/store/samples.h"

namespace harness {
namespace {

using Json = nlohmann::ordered_json;

void put(Json& json, const std::string& name, double value) {
  if (std::isfinite(value)) json[name] = value;
}

Json metric_json(const Metric& metric) {
  Json json = {{"median", metric.median}};
  if (metric.low && metric.high && std::isfinite(*metric.low) && std::isfinite(*metric.high)) {
    json["low"] = *metric.low;
    json["high"] = *metric.high;
  }
  if (metric.n > 0) json["n"] = metric.n;
  if (metric.more.is_object())
    for (const auto& [name, value] : metric.more.items())
      if (value.is_primitive() && !value.is_null() && !json.contains(name) &&
          !(value.is_number_float() && !std::isfinite(value.get<double>())))
        json[name] = value;
  return json;
}

Json check_json(const CheckRecord& check) {
  Json lines = Json::array();
  for (const CheckLine& line : check.lines) {
    Json json = {{"name", line.name}, {"right", line.right}};
    put(json, "worst_ratio", line.worst_ratio);
    put(json, "worst_ratio_gamma", line.worst_ratio_gamma);
    json["detail"] = line.detail;
    lines.push_back(std::move(json));
  }
  Json json = {{"lines", std::move(lines)}, {"shapes", check.shapes}};
  if (check.deterministic) json["deterministic"] = *check.deterministic;
  json["timed_output"] = check.timed_output;
  json["message"] = check.message;
  return json;
}

}  // namespace

const Metric* CaseRecord::find(MetricName name) const {
  for (const auto& [n, metric] : metrics)
    if (n == name) return &metric;
  return nullptr;
}

nlohmann::ordered_json axes_json(const Axes& axes) {
  Json json = Json::object();
  for (const auto& [name, value] : axes)
    std::visit(
        [&json, &name = name](const auto& v) {
          if constexpr (std::is_same_v<std::decay_t<decltype(v)>, double>)
            put(json, name, v);
          else
            json[name] = v;
        },
        value);
  return json;
}

Json to_json(const BuildRecord& record) {
  Json macros = Json::object();  // as the compiler gets them: text
  for (const auto& [name, value] : record.macros) macros[name] = to_string(value);
  Json json = {{"key", record.key}, {"variant", record.variant}, {"macros", macros}, {"state", to_string(record.state)}};
  put(json, "seconds", record.seconds);
  json["command"] = record.command;
  json["compiler"] = record.compiler;
  json["log"] = record.log;
  json["source_hash"] = record.source_hash;
  return json;
}

Json to_json_without_samples(const CaseRecord& record) {
  Json json = {{"id", record.id},
               {"sweep", record.sweep},
               {"variant", record.variant},
               {"dtype", to_string(record.dtype)},
               {"axes", axes_json(record.axes)},
               {"parameters", axes_json(record.parameters)},
               {"label", record.label},
               {"threads", record.threads},
               {"device", to_string(record.device)},
               {"gpu", record.gpu},
               {"status", to_string(record.status)},
               {"reason", record.reason},
               {"build_key", record.build_key},
               {"run_key", record.run_key},
               {"reused_from", record.reused_from},
               {"check", check_json(record.check)}};
  put(json, "flops", record.flops);
  put(json, "bytes", record.bytes);
  Json& metrics = json["metrics"] = Json::object();
  for (const auto& [name, value] : record.metrics)
    if (std::isfinite(value.median)) metrics[std::string(to_string(name))] = metric_json(value);
  json["calls_per_sample"] = record.calls_per_sample;
  json["stop_reason"] = to_string(record.stop_reason);
  Json& notes = json["notes"] = Json::array();
  for (const Note& note : record.notes)
    notes.push_back(
        {{"code", to_string(note.code)}, {"arguments", axes_json(note.arguments)}, {"text", to_string(note)}});
  if (!record.diagnostics.empty()) {
    Json& diagnostics = json["diagnostics"] = Json::array();
    for (const Diagnostic& diagnostic : record.diagnostics) diagnostics.push_back(to_json(diagnostic));
  }
  return json;
}

Json to_json(const CaseRecord& record) {
  Json json = to_json_without_samples(record);
  const SampleSet samples = measured(record);
  json["samples_ms"] = samples.samples_ms;
  json["rounds"] = samples.rounds;
  json["warmup_ms"] = samples.warmup_ms;
  return json;
}

}  // namespace harness
