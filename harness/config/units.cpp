#include "harness/config/units.h"

namespace harness {
namespace {

struct UnitScale {
  std::string_view name, quantity;
  double size;
};

constexpr UnitScale unit_scales[] = {
    {"ns", "time", 1},
    {"us", "time", 1e3},
    {"ms", "time", 1e6},
    {"s", "time", 1e9},
    {"FLOP/s", "operations", 1},
    {"MFLOP/s", "operations", 1e6},
    {"GFLOP/s", "operations", 1e9},
    {"TFLOP/s", "operations", 1e12},
    {"B/s", "bytes", 1},
    {"MB/s", "bytes", 1e6},
    {"GB/s", "bytes", 1e9},
    {"TB/s", "bytes", 1e12},
};

const UnitScale* find_unit(std::string_view name) {
  for (const UnitScale& unit : unit_scales)
    if (unit.name == name) return &unit;
  return nullptr;
}

}  // namespace

std::optional<double> unit_scale(std::string_view from, std::string_view to) {
  if (from == to) return 1;
  const UnitScale *one = find_unit(from), *other = find_unit(to);
  if (!one || !other || one->quantity != other->quantity) return std::nullopt;
  return one->size / other->size;
}

std::vector<std::string> units_like(std::string_view unit) {
  const UnitScale* mine = find_unit(unit);
  if (!mine) return unit.empty() ? std::vector<std::string>() : std::vector<std::string>{std::string(unit)};
  std::vector<std::string> names;
  for (const UnitScale& other : unit_scales)
    if (other.quantity == mine->quantity) names.emplace_back(other.name);
  return names;
}

}  // namespace harness
