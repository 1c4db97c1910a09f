// From a tree that the table has accepted to the Config: spellings become values, and what one key says is
// held against what others say.
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
/// Where those words stand.
std::vector<Position> positions(const Yaml* node);
/// A number where it is written like one, else text. Quotes make text.
Value value_of(const Yaml& scalar);
/// ` (did you mean "x"?)`, or else `; <what>: a, b`.
std::string suggest(const std::string& word, const std::vector<std::string>& known, const std::string& what);

Sweep read_sweep(const Yaml& node, Problems& problems);
/// The sweep of this name; null, with a problem added, where there is none.
const Sweep* find_sweep(const Yaml& name, const std::vector<Sweep>& sweeps, Problems& problems);

/// All values an axis of the sweep takes, spelled.
std::vector<std::string> axis_spellings(const Sweep& sweep, const std::string& axis);

nlohmann::json read_report(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems);
nlohmann::json read_export(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems);
nlohmann::json read_example(const Yaml& node, Problems& problems);
Published read_published(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems);
RecordedBaseline read_recorded_baseline(const Yaml& node, const std::vector<Sweep>& sweeps, Problems& problems);

}  // namespace harness
