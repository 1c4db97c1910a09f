#include "harness/cli/command.h"

#include <algorithm>

namespace harness {
namespace {

std::vector<std::string>& words() {
  static std::vector<std::string> all;
  return all;
}

}  // namespace

std::vector<Command*> commands() {
  std::vector<Command*> all;
  for (const Command* c : registry<Command>()) all.push_back(const_cast<Command*>(c));
  std::ranges::sort(all, [](const Command* a, const Command* b) { return a->order() < b->order(); });
  return all;
}

const std::vector<std::string>& command_line() { return words(); }
void remember_command_line(int argc, char** argv) { words().assign(argv + 1, argv + argc); }

}  // namespace harness
