// The one place that prints.
#pragma once

#include <string_view>

namespace harness {

void print(std::string_view text);        // stdout
void print_error(std::string_view text);  // stderr
bool terminal_is_live();                  // stderr is a terminal that understands carriage return
int terminal_columns();

}  // namespace harness
