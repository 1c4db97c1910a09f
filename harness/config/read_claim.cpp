// Reads a claim by recursive descent. docs/claims.md has the grammar.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/config/claim_words.h"
#include "harness/config/read.h"
#include "harness/config/scalars.h"

namespace harness {

using namespace claim;

namespace {

const MetricInfo& info(const Item& item) { return *find_metric(to_string(item.metric)); }

class Parser {
 public:
  Parser(const std::string& sentence, const Sweep& sweep, const std::vector<Sweep>& sweeps)
      : words_(sentence), sweep_(sweep), sweeps_(sweeps) {}

  Parsed<Claim> parse() {
    Claim claim;
    TRY_ASSIGN(claim.form, form());
    items_ = items_of(claim.form);
    for (bool more = words_.take("where"); more; more = words_.take("and")) {
      TRY_ASSIGN(Filter one, filter());
      claim.where.push_back(std::move(one));
    }
    if (!words_.at_end())
      return words_.unexpected(claim.where.empty() ? std::vector<std::string>{"where"}
                                                   : std::vector<std::string>{"and", "or"});
    claim.unmatched = unmatched(claim.form);
    return claim;
  }

 private:
  Parsed<Form> form() {
    const bool has_metric = words_.peek(1).text == "of";
    TRY_ASSIGN(Item first, item(MetricName::kernel_ms));
    if (!has_metric) return comparison(std::move(first));
    const std::string& word = words_.peek().text;
    if (word == "<" || word == ">") return order(std::move(first));
    if (words_.take("over")) return quotient(std::move(first));
    if (words_.take("equal")) return equality(std::move(first));
    if (words_.take("rises")) return monotone(std::move(first), Monotone::Direction::rises);
    if (words_.take("falls")) return monotone(std::move(first), Monotone::Direction::falls);
    if (words_.take("flat")) return flat(std::move(first));
    if (words_.take("dips")) return dips(std::move(first));
    if (words_.take("lowest")) return extreme(std::move(first), Extreme::Which::lowest);
    if (words_.take("highest")) return extreme(std::move(first), Extreme::Which::highest);
    if (words_.take("grows")) return growth(std::move(first));
    if (words_.take("last")) return last_over_highest(std::move(first));
    static const std::vector<std::string> range_words = {"between", "at", "above", "below"};
    if (!contains(range_words, word))
      return words_.unexpected({"<", ">", "over", "equal", "rises", "falls", "flat", "dips", "lowest", "highest",
                                "grows", "last", "between", "at", "above", "below"});
    TRY_ASSIGN(const Range allowed, range());
    return Form(Within{std::move(first), allowed});
  }

  Parsed<Form> comparison(Item first) {
    const bool slower = words_.peek().text == "slower";
    if (!slower && words_.peek().text != "faster") return words_.unexpected({"faster", "slower"});
    words_.next();
    TRY(words_.expect("than"));
    TRY_ASSIGN(Item second, item(MetricName::kernel_ms));
    if (slower) std::swap(first, second);
    return Form(Order{{std::move(first), std::move(second)}});
  }

  Parsed<Form> order(Item first) {
    const std::string sign = words_.peek().text;
    Order order{{std::move(first)}};
    while (words_.take(sign)) {
      TRY_ASSIGN(Item next, operand(order.items[0]));
      order.items.push_back(std::move(next));
    }
    if (sign == ">") std::ranges::reverse(order.items);
    return Form(std::move(order));
  }

  Parsed<Form> quotient(Item top) {
    TRY_ASSIGN(Item bottom, operand(top));
    TRY_ASSIGN(const Range allowed, range());
    return Form(Quotient{std::move(top), std::move(bottom), allowed});
  }

  Parsed<Form> equality(Item top) {
    TRY(words_.expect("to"));
    TRY_ASSIGN(Item bottom, operand(top));
    TRY_ASSIGN(const double tolerance, within());
    return Form(Quotient{std::move(top), std::move(bottom), {1 - tolerance, 1 + tolerance}});
  }

  Parsed<Form> monotone(Item item, Monotone::Direction direction) {
    TRY(words_.expect("along"));
    TRY_ASSIGN(std::string axis, numeric_axis(item));
    return Form(Monotone{std::move(item), std::move(axis), direction});
  }

  Parsed<Form> flat(Item item) {
    TRY(words_.expect("along"));
    TRY_ASSIGN(std::string axis, numeric_axis(item));
    TRY_ASSIGN(const double tolerance, within());
    return Form(Flat{std::move(item), std::move(axis), tolerance});
  }

  Parsed<Form> dips(Item item) {
    TRY(words_.expect("along"));
    TRY_ASSIGN(std::string axis, numeric_axis(item));
    TRY_ASSIGN(const double tolerance, within());
    return Form(Dips{std::move(item), std::move(axis), tolerance});
  }

  Parsed<Form> extreme(Item item, Extreme::Which which) {
    TRY(words_.expect("at"));
    TRY_ASSIGN(std::string axis, numeric_axis(item));
    Range allowed;
    if (words_.take("=")) {
      TRY_ASSIGN(allowed.low, number());
      allowed.high = allowed.low;
    } else {
      TRY_ASSIGN(allowed, range());
    }
    return Form(Extreme{std::move(item), std::move(axis), which, allowed});
  }

  Parsed<Form> growth(Item item) {
    TRY(words_.expect("along"));
    TRY_ASSIGN(std::string axis, numeric_axis(item));
    TRY(words_.expect("with"));
    TRY(words_.expect("exponent"));
    TRY_ASSIGN(const Range allowed, range());
    return Form(Growth{std::move(item), std::move(axis), allowed});
  }

  Parsed<Form> last_over_highest(Item item) {
    for (const char* word : {"over", "highest", "along"}) TRY(words_.expect(word));
    TRY_ASSIGN(std::string axis, numeric_axis(item));
    TRY_ASSIGN(const Range allowed, range());
    return Form(LastOverHighest{std::move(item), std::move(axis), allowed});
  }

  /// An item that is compared with `first`: of the same unit.
  Parsed<Item> operand(const Item& first) {
    const size_t offset = words_.peek().offset;
    TRY_ASSIGN(Item second, item(first.metric));
    if (info(first).unit != info(second).unit)
      return ClaimMistake{offset, fmt::format("\"{}\" and \"{}\" have different units; compare numbers of one unit",
                                              info(first).name, info(second).name)};
    return second;
  }

  Parsed<Item> item(MetricName metric) {
    Item item{metric, "", sweep_.name, {}};
    if (words_.peek(1).text == "of") {
      TRY_ASSIGN(item.metric, metric_name());
      words_.next();
    }
    const ClaimWord variant = words_.next();
    if (variant.text.empty()) return ClaimMistake{variant.offset, "the claim ends too early: expected a variant"};
    const Sweep* sweep = &sweep_;
    if (words_.take("in")) {
      TRY_ASSIGN(sweep, sweep_name());
      item.sweep = sweep->name;
    }
    if (std::string why = no_such_variant(*sweep, variant.text); !why.empty()) return ClaimMistake{variant.offset, why};
    item.variant = variant.text;
    while (words_.peek(1).text == "=") {
      const ClaimWord axis = words_.next();
      words_.next();
      TRY(check_axis(axis, {sweep}));
      TRY_ASSIGN(Value value, value_of_axis(axis.text, {sweep}));
      item.fixed.emplace_back(axis.text, std::move(value));
    }
    return item;
  }

  Parsed<MetricName> metric_name() {
    const ClaimWord& word = words_.next();
    if (word.text == "time") return MetricName::kernel_ms;
    if (const MetricInfo* metric = find_metric(word.text)) return metric->id;
    auto known = metric_names();
    known.insert(known.begin(), "time");
    return ClaimMistake{word.offset,
                        fmt::format("unknown metric \"{}\"{}", word.text, suggest(word.text, known, "there are"))};
  }

  Parsed<const Sweep*> sweep_name() {
    const ClaimWord& word = words_.next();
    std::vector<std::string> known;
    for (const Sweep& sweep : sweeps_) {
      if (sweep.name == word.text) return &sweep;
      known.push_back(sweep.name);
    }
    return ClaimMistake{word.offset,
                        fmt::format("unknown sweep \"{}\"{}", word.text, suggest(word.text, known, "there are"))};
  }

  static Parsed<Unit> check_axis(const ClaimWord& axis, const std::vector<const Sweep*>& sweeps) {
    std::vector<std::string> known;
    for (const Sweep* sweep : sweeps)
      for (std::string& name : axis_names(*sweep)) known.push_back(std::move(name));
    if (contains(known, axis.text)) return Unit{};
    return ClaimMistake{axis.offset, fmt::format("sweep \"{}\" has no axis \"{}\"{}", sweeps[0]->name, axis.text,
                                                 suggest(axis.text, known, "it has"))};
  }

  Parsed<Value> value_of_axis(const std::string& axis, const std::vector<const Sweep*>& sweeps) {
    const ClaimWord& word = words_.next();
    std::vector<std::string> known;
    for (const Sweep* sweep : sweeps)
      for (std::string& value : axis_spellings(*sweep, axis)) known.push_back(std::move(value));
    Value value = parse_value(word.text);
    if (contains(known, to_string(value))) return value;
    return ClaimMistake{word.offset, fmt::format("sweep \"{}\" has no case with {}={}; it has {}", sweeps[0]->name,
                                                 axis, word.text, join(known, ", "))};
  }

  Parsed<std::string> numeric_axis(const Item& item) {
    const ClaimWord& axis = words_.next();
    const Sweep* sweep = sweep_of(item);
    TRY(check_axis(axis, {sweep}));
    TRY(check_numeric(axis, {sweep}));
    return axis.text;
  }

  Parsed<Unit> check_numeric(const ClaimWord& axis, const std::vector<const Sweep*>& sweeps) {
    for (const Sweep* sweep : sweeps)
      for (const std::string& value : axis_spellings(*sweep, axis.text))
        if (!parse_real(value))
          return ClaimMistake{axis.offset,
                              fmt::format("\"{}\" has a value \"{}\", which is no number", axis.text, value)};
    return Unit{};
  }

  Parsed<double> number() {
    const ClaimWord& word = words_.next();
    if (const auto value = parse_real(word.text)) return *value;
    return ClaimMistake{word.offset, word.text.empty() ? "the claim ends too early: expected a number"
                                                       : fmt::format("expected a number, not \"{}\"", word.text)};
  }

  /// "within 5 %"
  Parsed<double> within() {
    TRY(words_.expect("within"));
    const size_t offset = words_.peek().offset;
    TRY_ASSIGN(const double percent, number());
    TRY(words_.expect("%"));
    if (percent > 0 && percent < 100) return percent / 100;
    return ClaimMistake{offset, fmt::format("a tolerance lies between 0 % and 100 %, not at {:g} %", percent)};
  }

  Parsed<Range> range() {
    Range range;
    if (words_.take("at")) {
      const bool least = words_.peek().text == "least";
      if (!least && words_.peek().text != "most") return words_.unexpected({"least", "most"});
      words_.next();
      TRY_ASSIGN((least ? range.low : range.high), number());
      return range;
    }
    if (words_.peek().text == "above" || words_.peek().text == "below") {
      range.ends = Range::Ends::outside;
      const bool above = words_.next().text == "above";
      TRY_ASSIGN((above ? range.low : range.high), number());
      return range;
    }
    const size_t offset = words_.peek().offset;
    if (!words_.take("between")) return words_.unexpected({"between", "at least", "at most", "above", "below"});
    TRY_ASSIGN(range.low, number());
    TRY(words_.expect("and"));
    TRY_ASSIGN(range.high, number());
    if (range.low < range.high) return range;
    return ClaimMistake{offset,
                        fmt::format("the range between {:g} and {:g} is {}", range.low, range.high,
                                    range.low > range.high ? "reversed; put the smaller number first" : "empty")};
  }

  Parsed<Filter> filter() {
    using enum Filter::Op;
    static const std::vector<std::pair<std::string, Filter::Op>> signs = {
        {"=", equal}, {"!=", unequal}, {"<", below}, {"<=", at_most}, {">", above}, {">=", at_least}};
    std::vector<const Sweep*> sweeps;
    for (const Item& item : items_)
      if (const Sweep* sweep = sweep_of(item); !contains(sweeps, sweep)) sweeps.push_back(sweep);
    const ClaimWord axis = words_.next();
    TRY(check_axis(axis, sweeps));
    Filter condition{equal, axis.text, {}};
    const auto sign = std::ranges::find_if(signs, [&](const auto& s) { return s.first == words_.peek().text; });
    if (sign == signs.end()) return words_.unexpected({"=", "!=", "<", "<=", ">", ">="});
    words_.next();
    condition.op = sign->second;
    if (condition.op != equal && condition.op != unequal) {
      TRY(check_numeric(axis, sweeps));
      TRY_ASSIGN(const double limit, number());
      condition.values.push_back(limit);
      return condition;
    }
    do {
      TRY_ASSIGN(Value value, value_of_axis(axis.text, sweeps));
      condition.values.push_back(std::move(value));
    } while (words_.take("or"));
    return condition;
  }

  const Sweep* sweep_of(const Item& item) const {
    return &*std::ranges::find_if(sweeps_, [&](const Sweep& sweep) { return sweep.name == item.sweep; });
  }

  /// The axes that the sentence itself sets apart, and those that change together with them.
  std::vector<std::string> unmatched(const Form& form) const {
    std::vector<std::string> apart = {axis_of(form)};
    for (const Item& item : items_)
      for (const auto& [axis, value] : item.fixed) apart.push_back(axis);
    std::vector<std::string> all = apart;
    for (const Item& item : items_)
      for (const Axis& axis : sweep_of(item)->axes)
        if (std::ranges::any_of(axis.names, [&](const auto& name) { return contains(apart, name); }))
          all.insert(all.end(), axis.names.begin(), axis.names.end());
    return all;
  }

  ClaimWords words_;
  const Sweep& sweep_;
  const std::vector<Sweep>& sweeps_;
  std::vector<Item> items_;
};

}  // namespace

std::vector<Item> items_of(const Form& form) {
  if (const auto* order = std::get_if<Order>(&form)) return order->items;
  if (const auto* quotient = std::get_if<Quotient>(&form)) return {quotient->top, quotient->bottom};
  return std::visit(
      [](const auto& one) -> std::vector<Item> {
        if constexpr (requires { one.item; }) return {one.item};
        return {};
      },
      form);
}

std::string axis_of(const Form& form) {
  return std::visit(
      [](const auto& one) -> std::string {
        if constexpr (requires { one.axis; }) return one.axis;
        return "";
      },
      form);
}

void read_claim(const Yaml& node, const std::vector<Sweep>& sweeps, std::vector<Claim>& claims, Problems& problems) {
  const Yaml& sentence = *node.find("claim");
  const Sweep* sweep = find_sweep(*node.find("sweep"), sweeps, problems);
  if (!sweep) return;
  auto claim = Parser(sentence.text, *sweep, sweeps).parse();
  if (!claim) {
    Position position = sentence.position;
    position.column += static_cast<int>(claim.error().offset) + (sentence.quoted ? 1 : 0);
    return problems.add(position, claim.error().text);
  }
  claim->text = sentence.text;
  claim->source = text_or(node, "source", "");
  claim->stated = text_or(node, "stated", "");
  claim->position = sentence.position;
  claims.push_back(*std::move(claim));
}

}  // namespace harness
