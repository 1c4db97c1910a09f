#include "harness/config/yaml.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

std::string yaml_error(const std::string& text) {
  const auto tree = parse_yaml(text, "a.yaml");
  return tree ? "no error" : tree.error().message;
}

TEST(Yaml, EveryKeyAndValueHasItsPosition) {
  const auto tree = parse_yaml("a: 1\nb:\n  - c: [x, \"2\"]\n", "a.yaml");
  ASSERT_TRUE(tree) << tree.error().message;
  ASSERT_EQ(tree->kind, Yaml::Kind::map);
  EXPECT_EQ(tree->keys[1].position.line, 2);
  const Yaml& entry = tree->find("b")->items.at(0);
  EXPECT_EQ(to_string(entry.position), "a.yaml:3:5");
  const Yaml& list = *entry.find("c");
  EXPECT_EQ(to_string(list.position), "a.yaml:3:8");
  EXPECT_EQ(to_string(list.items[1].position), "a.yaml:3:12");
  EXPECT_FALSE(list.items[0].quoted);
  EXPECT_TRUE(list.items[1].quoted);
  EXPECT_EQ(list.items[1].text, "2");
  EXPECT_EQ(tree->find("nothing"), nullptr);
}

TEST(Yaml, DuplicateKeysAreBothThere) {
  const auto tree = parse_yaml("a: 1\na: 2\n", "a.yaml");
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->keys.size(), 2u);
}

TEST(Yaml, AliasesRepeatWhatTheyNameWhereItStands) {
  const auto tree = parse_yaml("a: &sizes [1, 2]\nb: *sizes\n", "a.yaml");
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->find("b")->items.at(1).text, "2");
  EXPECT_EQ(to_string(tree->find("b")->position), "a.yaml:1:4");
}

TEST(Yaml, TextThatIsNotYamlIsAnErrorWithItsPosition) {
  EXPECT_EQ(yaml_error("a: b: c"), "a.yaml:1:5: not YAML: illegal map value; is a text with \": \" not in quotes, or a line not below the one before?");
  EXPECT_EQ(yaml_error("a: \"x"), "a.yaml:1:6: not YAML: illegal EOF in scalar; is a closing quote missing?");
  EXPECT_EQ(yaml_error("a: {b: 1"), "a.yaml:1:1: not YAML: end of map flow not found; is a } missing, or the space after a colon?");
  EXPECT_EQ(yaml_error("a: {b:[1]}"), "a.yaml:1:7: not YAML: end of map flow not found; is a } missing, or the space after a colon?");
  EXPECT_EQ(yaml_error("a: [1"), "a.yaml:1:1: not YAML: end of sequence flow not found; is a ] missing?");
  EXPECT_EQ(yaml_error("a: [*]"), "a.yaml:1:6: not YAML: alias not found after *; write \"*\" in quotes");
  EXPECT_EQ(yaml_error("a:\n  - b\n c: 1"), "a.yaml:3:2: not YAML: end of map not found; is a line indented with a tab, or otherwise than those above?");
  EXPECT_EQ(yaml_error("a: *b"), "a.yaml:1:4: not YAML: the referenced anchor is not defined");
  EXPECT_EQ(yaml_error("? [1]\n: 2"), "a.yaml:1:3: not YAML: a key must be one word");
  EXPECT_EQ(yaml_error("a: !!int 1"),
            "a.yaml:1:4: not YAML: the tag \"tag:yaml.org,2002:int\" has no meaning here");
  EXPECT_EQ(yaml_error("a: 1\n---\nb: 1\n"),
            "a.yaml:2:1: not YAML: a second document starts here; a config is one document");
  EXPECT_EQ(yaml_error("a: \xff"), "a.yaml:1: not UTF-8 text; save the file as UTF-8");
  EXPECT_EQ(yaml_error("a: 1\nb: \xed\xa0\x80"), "a.yaml:2: not UTF-8 text; save the file as UTF-8");
  EXPECT_EQ(yaml_error("title: \xe7\x9f\xa9\xe9\x98\xb5"), "no error");
}

TEST(Yaml, HostileTextsEndEarly) {
  EXPECT_EQ(yaml_error("a: &x [*x]"), "a.yaml:1:8: not YAML: an alias inside its own anchor");
  EXPECT_EQ(yaml_error(std::string(100'000, '[') + std::string(100'000, ']')),
            "a.yaml:1:33: not YAML: nested deeper than 32 levels");
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    laughs += name + ": &" + name + " [" + last;
    for (int j = 0; j < 9; ++j) laughs += ", " + last;
    laughs += "]\n";
  }
  EXPECT_EQ(yaml_error(laughs), "a.yaml:5:45: not YAML: more than 100000 values");
}

TEST(Yaml, TheFirstProblemByPositionIsTold) {
  Problems problems;
  EXPECT_TRUE(problems.empty());
  problems.add({"a.yaml", 3, 1}, "third");
  problems.add({"a.yaml", 1, 9}, "second");
  problems.add({"a.yaml", 1, 2}, "first");
  problems.add({"a.yaml", 1, 2}, "said later");
  EXPECT_EQ(problems.first().message, "a.yaml:1:2: first");
}

}  // namespace
}  // namespace harness
