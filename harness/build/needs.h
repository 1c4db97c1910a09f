// The needs that a variant can declare with LAB_NEEDS(...). A need knows whether this machine meets it, and its
// compiler flags.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/machine/machine.h"

namespace harness {

struct Need {
  std::string name;                        // "avx2"
  std::string meaning;                     // for `harness list --needs`
  std::vector<std::string> compile, link;  // flags
  /// The reason why this machine does not have it, or nothing.
  std::optional<std::string> (*missing)(const Machine& machine);
};

const std::vector<Need>& needs();
/// The needs of these names; an unknown name is an error with a suggestion.
Result<std::vector<const Need*>> find_needs(const std::vector<std::string>& names);
/// The first reason why this machine cannot run a variant with these needs, or nothing.
std::optional<std::string> first_missing(const std::vector<const Need*>& all, const Machine& machine);

}  // namespace harness
