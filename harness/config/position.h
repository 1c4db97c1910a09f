// A position in a file.
#pragma once

#include <string>

namespace harness {

/// "configs/lab5.yaml:12:5". Lines and columns count from 1.
struct Position {
  std::string file;
  int line = 0, column = 0;
};
std::string to_string(const Position& position);

}  // namespace harness
