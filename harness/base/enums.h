// The words of enums. Each enum has one table, for writing and for reading.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace harness {

/// Specialise it with `static constexpr std::string_view words[]`, in the order of the enumerators.
template <class Enum>
struct Spelling;

template <class Enum>
requires requires { Spelling<Enum>::words; }
constexpr std::string_view to_string(Enum value) { return Spelling<Enum>::words[static_cast<size_t>(value)]; }

template <class Enum>
constexpr std::optional<Enum> parse_enum(std::string_view word) {
  for (size_t i = 0; i < std::size(Spelling<Enum>::words); ++i)
    if (Spelling<Enum>::words[i] == word) return static_cast<Enum>(i);
  return std::nullopt;
}

/// The device that a case runs on.
enum class Device { cpu, gpu, emulated };
template <>
struct Spelling<Device> {
  static constexpr std::string_view words[] = {"cpu", "gpu", "emulated"};
};

enum class BuildState { built, cached, failed };
template <>
struct Spelling<BuildState> {
  static constexpr std::string_view words[] = {"built", "cached", "failed"};
};

}  // namespace harness
