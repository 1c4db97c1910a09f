#include "harness/config/claim_words.h"

#include <fmt/format.h>

#include <cctype>

#include "harness/base/text.h"

namespace harness {
namespace {

/// Length of the operator or of the word that begins here.
size_t word_length(const std::string& text, size_t at) {
  constexpr std::string_view operators = "<>=!%,";
  if (operators.find(text[at]) != std::string_view::npos)
    return text[at] != '=' && text[at] != '%' && at + 1 < text.size() && text[at + 1] == '=' ? 2 : 1;
  size_t end = at;
  while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end])) &&
         operators.find(text[end]) == std::string_view::npos)
    ++end;
  return end - at;
}

}  // namespace

ClaimWords::ClaimWords(const std::string& sentence) {
  for (size_t at = 0; at < sentence.size();) {
    if (std::isspace(static_cast<unsigned char>(sentence[at]))) {
      ++at;
      continue;
    }
    const size_t length = word_length(sentence, at);
    words_.push_back({sentence.substr(at, length), at});
    at += length;
  }
  words_.push_back({"", sentence.size()});
}

const ClaimWord& ClaimWords::next() {
  const ClaimWord& word = peek();
  if (!at_end()) ++at_;
  return word;
}

bool ClaimWords::take(const std::string& word) {
  if (at_end() || peek().text != word) return false;
  ++at_;
  return true;
}

Parsed<Unit> ClaimWords::expect(const std::string& word) {
  if (!take(word)) return unexpected({word});
  return Unit{};
}

ClaimMistake ClaimWords::unexpected(const std::vector<std::string>& expected) const {
  std::vector<std::string> quoted;
  for (const std::string& word : expected) quoted.push_back(fmt::format("\"{}\"", word));
  std::string list = quoted.back();
  if (quoted.size() > 1) list = join({quoted.begin(), quoted.end() - 1}, ", ") + " or " + quoted.back();
  if (at_end()) return {peek().offset, fmt::format("the claim ends too early: expected {}", list)};
  const std::string suggestion = did_you_mean(peek().text, expected);
  return {peek().offset, suggestion.empty() ? fmt::format("expected {}, not \"{}\"", list, peek().text)
                                            : fmt::format("unexpected \"{}\"{}", peek().text, suggestion)};
}

}  // namespace harness
