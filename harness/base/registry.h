// Self-registration: the last line of a file adds the object that it defines to a list.
#pragma once

#include <vector>

namespace harness {

/// All registered T, in no particular order (link order): sort before showing.
template <class T>
std::vector<const T*>& registry() {
  static std::vector<const T*> all;
  return all;
}

template <class T>
struct Register {
  explicit Register(const T* item) { registry<T>().push_back(item); }
};

}  // namespace harness
