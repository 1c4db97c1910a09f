#include "emulator/rewriter/tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "emulator/rewriter/rewrite.h"

namespace harness {
namespace {

std::string repeated(size_t times, const std::string& text) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Tokens, BracketsAndAnglesHavePartners) {
  const Tokens t = tokenize("f(a[1], {2}) g<h<1>, (2 > 1)> ;");
  const size_t paren = 1, subscript = 3, brace = 7, angles = 12, inner = 14, end = 24;
  EXPECT_EQ(t.closing(paren), 10u);
  EXPECT_EQ(t.closing(subscript), 5u);
  EXPECT_EQ(t.closing(brace), 9u);
  EXPECT_EQ(t.opening(10), paren);
  EXPECT_EQ(t.opening(5), subscript);
  EXPECT_EQ(t.closing_angle(angles), 23u);
  EXPECT_EQ(t.closing_angle(inner), 16u);
  EXPECT_EQ(t.opening(16), inner);
  EXPECT_EQ(t.closing(subscript + 1), 9u) << "of the first bracket behind it";
  EXPECT_TRUE(t.is(end, ";"));
  EXPECT_EQ(t.closing(end), t.size());
}

TEST(Tokens, SomeHaveNoPartner) {
  const Tokens t = tokenize(") ( a < b ; < { c < } > d <");
  EXPECT_EQ(t.opening(0), no_token);
  EXPECT_EQ(t.closing(1), t.size());
  EXPECT_EQ(t.closing_angle(3), 5u) << "its statement ends";
  EXPECT_EQ(t.closing_angle(9), 10u) << "its group ends";
  EXPECT_EQ(t.closing_angle(6), 11u);
  EXPECT_EQ(t.closing_angle(13), t.size());
}

// A scan for each of them would take minutes, and a recursive call for each more than the stack.
TEST(Tokens, DeepNestingEnds) {
  constexpr size_t deep = 200'000;
  const std::string host = "void f() { ";
  const auto rewritten = [](const std::string& text) {
    const auto result = rewrite(text);
    return result ? *result : "ERROR " + result.error().message;
  };
  for (const auto& [begin, part, end] :
       {std::tuple(host, "=[(", ")]"), {host, "f(x, ", ")"}, {host, "f<", "> "}, {"template <class T> ", "A<", "> "}, {"template <class T> ", "A<", ""},
        {"", "struct A { ", "};"}, {"", "namespace a { ", "}"}}) {
    const std::string text = begin + repeated(deep, part) + repeated(deep, end);
    EXPECT_TRUE(rewritten(text) == text) << begin << part << end;
  }
  for (const std::string part : {"a::", "a()->", "a[1]."})
    EXPECT_TRUE(rewritten(host + repeated(deep, part) + "k<<<1, 2>>>(3); }").starts_with(host + "::lab::emulated::prepare(::lab::emulated::Site{\"" + part)) << part;
  EXPECT_TRUE(rewritten(host + repeated(deep, "k<<<1, 2>>>(f(") + repeated(deep, "))")).ends_with("k(lab_args...); })(f(" + repeated(deep, "))")));
}

}  // namespace
}  // namespace harness
