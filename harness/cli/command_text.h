// The commands as text for other programs: completions of shells and the manual page, made from the commands' own options.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/command.h"

namespace harness {

enum class Shell { bash, zsh, fish };

/// A script that `shell` reads at its start. It completes commands, options, the options' fixed values, and files.
std::string completion(const std::vector<Command*>& commands, Shell shell);

/// The page of section 1, for man (roff with the macros of man(7)).
std::string manual_page(const std::vector<Command*>& commands, std::string_view version);

}  // namespace harness
