// A claim: one sentence of a report that a run can answer (docs/claims.md has the grammar).
#pragma once

#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "harness/config/metric_table.h"
#include "harness/config/position.h"
#include "harness/kernel/value.h"

namespace harness {
namespace claim {

/// "time of gpu_shared in levels BLOCK=32": a metric of all cases of one variant that have these values.
struct Item {
  MetricName metric = MetricName::kernel_ms;
  std::string variant, sweep;
  Axes fixed;
};

/// "size >= 512", "BLOCK = 8 or 16"
struct Filter {
  enum class Op { equal, unequal, below, at_most, above, at_least } op = Op::equal;
  std::string axis;
  std::vector<Value> values;
};

struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  enum class Ends { inside, outside } ends = Ends::inside;  // whether the ends belong to it
};

/// "A faster than B", "time of A < B < C": each item is below the next one.
struct Order {
  std::vector<Item> items;
};
/// "time of A over B between 2 and 3"
struct Quotient {
  Item top, bottom;
  Range range;
};
/// "efficiency of A at least 1"
struct Within {
  Item item;
  Range range;
};
/// "time of A falls along BLOCK"
struct Monotone {
  Item item;
  std::string axis;
  enum class Direction { rises, falls } direction = Direction::rises;
};
/// "time of A flat along BLOCK within 5 %": all values differ from one level by at most so much.
struct Flat {
  Item item;
  std::string axis;
  double tolerance = 0;
};
/// "time of A lowest at BLOCK between 16 and 64", "at BLOCK = 32"
struct Extreme {
  Item item;
  std::string axis;
  enum class Which { lowest, highest } which = Which::lowest;
  Range range;
};
/// "time of A grows along size with exponent between 1.8 and 2.1"
struct Growth {
  Item item;
  std::string axis;
  Range range;
};
/// "gflops of A last over highest along size between 0.6 and 0.7"
struct LastOverHighest {
  Item item;
  std::string axis;
  Range range;
};
/// "gflops of A dips along size within 10 %": no value is further below the smaller one of its two neighbours.
struct Dips {
  Item item;
  std::string axis;
  double tolerance = 0;
};

using Form = std::variant<Order, Quotient, Within, Monotone, Flat, Extreme, Growth, LastOverHighest, Dips>;

}  // namespace claim

struct Claim {
  std::string text, source, stated;
  claim::Form form;
  std::vector<claim::Filter> where;
  std::vector<std::string> unmatched;  // axes in which the cases that it compares may differ
  Position position;
};

/// Its items, in the order of the sentence.
std::vector<claim::Item> items_of(const claim::Form& form);
/// The axis that it runs along; empty if there is none.
std::string axis_of(const claim::Form& form);

}  // namespace harness
