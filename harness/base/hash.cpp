#include "harness/base/hash.h"

#include <sha256.h>  // libmd

#include <cstdint>

namespace harness {

std::string sha256(std::string_view text) {
  char hex[SHA256_DIGEST_STRING_LENGTH];
  SHA256Data(reinterpret_cast<const uint8_t*>(text.data()), text.size(), hex);
  return hex;
}

Hash::Hash() = default;

Hash& Hash::add(std::string_view part) {
  state_ += std::to_string(part.size());
  state_ += ':';
  state_ += part;
  return *this;
}

std::string Hash::hex() const { return sha256(state_); }

}  // namespace harness
