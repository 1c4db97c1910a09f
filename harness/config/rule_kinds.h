// The kinds of rules, with the keys that each takes. harness/grade/ has one file for each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

struct RuleKind {
  std::string_view name, meaning;
  std::vector<std::string> required, optional;  // keys, beside name, rule, about and hidden
};

std::span<const RuleKind> rule_kinds();
const RuleKind* find_rule_kind(std::string_view name);

}  // namespace harness
