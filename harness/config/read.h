// Turns a validated YAML tree into the Config: converts text to values and checks keys against each other.
#pragma once

#include <string>
#include <vector>

#include "harness/config/config.h"
#include "harness/config/yaml.h"

namespace harness {

/// The text of a key, or `otherwise`.
std::string text_or(const Yaml& map, std::string_view key, std::string otherwise);
/// One word or a list of words, as a list; nothing if there is no such key.
std::vector<std::string> words(const Yaml* node);
/// Positions of those words.
std::vector<Position> positions(const Yaml* node);
/// A number if it is spelled like one, else text. Quoted values are text.
Value value_of(const Yaml& scalar);
/// ` (did you mean "x"?)`, or else `; <what>: a, b`.
std::string suggest(const std::string& word, const std::vector<std::string>& known, const std::string& what);

Sweep read_sweep(const Yaml& node, Problems& problems);
/// The sweep of this name; null, with a problem added, where there is none.
const Sweep* find_sweep(const Yaml& name, const std::vector<Sweep>& sweeps, Problems& problems);

/// What is wrong if the sweep cannot have this variant (or one that this glob finds); else empty.
std::string no_such_variant(const Sweep& sweep, const std::string& wanted);

/// The spellings of all values of an axis of the sweep.
std::vector<std::string> axis_spellings(const Sweep& sweep, const std::string& axis);

nlohmann::json read_report(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems);
nlohmann::json read_export(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems);
nlohmann::json read_example(const Yaml& node, Problems& problems);
Published read_published(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems);
/// Adds the claim, or a problem.
void read_claim(const Yaml& node, const std::vector<Sweep>& sweeps, std::vector<Claim>& claims, Problems& problems);
GradeRules read_grade(const Yaml& node, const Config& config, Problems& problems);
RecordedBaseline read_recorded_baseline(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems);

}  // namespace harness
