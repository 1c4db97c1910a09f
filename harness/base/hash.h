// SHA-256, for the keys of builds and cases.
#pragma once

#include <string>
#include <string_view>

namespace harness {

/// Hashes parts one after the other, each with its length, so ("ab","c") and ("a","bc") differ.
class Hash {
 public:
  Hash();
  Hash& add(std::string_view part);
  std::string hex() const;  // 64 hex digits

 private:
  std::string state_;
};

std::string sha256(std::string_view text);

}  // namespace harness
