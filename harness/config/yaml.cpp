#include "harness/config/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "harness/base/text.h"

namespace harness {
namespace {

constexpr size_t deepest = 32;
constexpr size_t most_nodes = 100'000;

size_t count_nodes(const Yaml& node) {
  size_t count = 1 + node.keys.size();
  for (const Yaml& item : node.items) count += count_nodes(item);
  return count;
}

/// Builds the tree from the parser's events. They carry the position of every key, which yaml-cpp's nodes lose for
/// aliases, and an error here stops the parser early for a hostile text.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& path) : path_(path) {}

  Yaml take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse(mark, "a second document starts here; a config is one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    leaf(mark, anchor, make(mark, Yaml::Kind::null));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(mark, "an alias inside its own anchor");
    count(mark, count_nodes(found->second) - 1);
    leaf(mark, YAML::NullAnchor, found->second);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    Yaml node = make(mark, Yaml::Kind::scalar);
    node.text = value;
    node.quoted = tag == "!";
    leaf(mark, anchor, std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Yaml::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Yaml::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YAML::Mark mark;
    Yaml node;
    YAML::anchor_t anchor;
  };

  [[noreturn]] static void refuse(const YAML::Mark& mark, const std::string& why) {
    throw YAML::ParserException(mark, why);
  }
  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag != "?" && tag != "!" && !tag.empty()) refuse(mark, fmt::format("the tag \"{}\" has no meaning here", tag));
  }
  Yaml make(const YAML::Mark& mark, Yaml::Kind kind) const {
    Yaml node;
    node.kind = kind;
    node.position = {path_, mark.line + 1, mark.column + 1};
    return node;
  }
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Yaml::Kind kind) {
    refuse_tag(mark, tag);
    if (stack_.size() == deepest) refuse(mark, fmt::format("nested deeper than {} levels", deepest));
    stack_.push_back({mark, make(mark, kind), anchor});
  }
  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    leaf(done.mark, done.anchor, std::move(done.node));
  }
  void count(const YAML::Mark& mark, size_t nodes) {
    nodes_ += nodes;
    if (nodes_ > most_nodes) refuse(mark, fmt::format("more than {} values", most_nodes));
  }
  void leaf(const YAML::Mark& mark, YAML::anchor_t anchor, Yaml node) {
    count(mark, 1);
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Yaml& parent = stack_.back().node;
    if (parent.kind == Yaml::Kind::list || parent.keys.size() > parent.items.size()) {
      parent.items.push_back(std::move(node));
      return;
    }
    if (node.kind != Yaml::Kind::scalar) refuse(mark, "a key must be one word");
    parent.keys.push_back(std::move(node));
  }

  std::string path_;
  int documents_ = 0;
  size_t nodes_ = 0;
  Yaml root_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Yaml> anchors_;
};

/// Offset of the first byte that is not UTF-8, or npos. The text becomes part of run.json, which must be UTF-8.
size_t find_non_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = lead < 0x80                   ? 1
                          : lead >= 0xc2 && lead < 0xe0 ? 2
                          : lead >= 0xe0 && lead < 0xf0 ? 3
                          : lead >= 0xf0 && lead < 0xf5 ? 4
                                                        : 0;
    if (length == 0 || i + length > text.size()) return i;
    for (size_t j = 1; j < length; ++j)
      if ((static_cast<unsigned char>(text[i + j]) & 0xc0) != 0x80) return i;
    const auto second = length > 2 ? static_cast<unsigned char>(text[i + 1]) : 0;
    // Overlong forms, surrogates and what lies beyond U+10FFFF (RFC 3629, section 4).
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) || (lead == 0xf0 && second < 0x90) ||
        (lead == 0xf4 && second >= 0x90))
      return i;
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace

const Yaml* Yaml::find(std::string_view key) const {
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i].text == key) return &items[i];
  return nullptr;
}

// yaml-cpp says what it met. This says what usually is the mistake.
static std::string usual_mistake(const std::string& what) {
  if (what == "illegal map value") return "; is a text with \": \" not in quotes, or a line not below the one before?";
  if (what == "end of map flow not found") return "; is a } missing, or the space after a colon?";
  if (what == "end of sequence flow not found") return "; is a ] missing?";
  if (what == "end of map not found" || what == "end of sequence not found") return "; is a line indented with a tab, or otherwise than those above?";
  if (what == "alias not found after *") return "; write \"*\" in quotes";
  if (what == "illegal block entry") return "; is a line indented with a tab?";
  if (what == "illegal EOF in scalar") return "; is a closing quote missing?";
  return "";
}

Result<Yaml> parse_yaml(const std::string& text, const std::string& path) {
  if (const size_t at = find_non_utf8(text); at != std::string::npos) {
    const int line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
    return Error{fmt::format("{}:{}: not UTF-8 text; save the file as UTF-8", path, line)};
  }
  TreeBuilder builder(path);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& e) {
    const std::string what = e.msg.substr(0, e.msg.find(": "));  // yaml-cpp 0.8 appends the anchor's name
    if (e.mark.is_null()) return Error{fmt::format("{}: not YAML: {}", path, what)};
    return Error{fmt::format("{}:{}:{}: not YAML: {}{}", path, e.mark.line + 1, e.mark.column + 1, what, usual_mistake(what))};
  }
  return builder.take_root();
}

void Problems::add(const Position& position, std::string text) { found_.emplace_back(position, std::move(text)); }

Error Problems::first() const {
  const auto first = std::ranges::min_element(found_, [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  std::string text = fmt::format("{}: {}", to_string(first->first), first->second);
  std::ranges::replace(text, '\n', ' ');  // a quoted value may have several lines
  return Error{std::move(text)};
}

}  // namespace harness
