// The words of a claim, with a cursor that a parser moves over them.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"

namespace harness {

/// What is wrong at which byte of the sentence.
struct ClaimMistake {
  size_t offset = 0;
  std::string text;
};
template <class T>
using Parsed = Result<T, ClaimMistake>;

struct ClaimWord {
  std::string text;
  size_t offset = 0;
};

class ClaimWords {
 public:
  explicit ClaimWords(const std::string& sentence);

  /// The word at the cursor, or so many behind it; empty at the end.
  const ClaimWord& peek(size_t ahead = 0) const { return words_[std::min(at_ + ahead, words_.size() - 1)]; }
  bool at_end() const { return at_ + 1 >= words_.size(); }
  const ClaimWord& next();
  /// Moves over this word, if it is the next one.
  bool take(const std::string& word);
  Parsed<Unit> expect(const std::string& word);

  /// `expected "than", not "then" (did you mean "than"?)`
  ClaimMistake unexpected(const std::vector<std::string>& expected) const;

 private:
  std::vector<ClaimWord> words_;  // the last one is empty: the end
  size_t at_ = 0;
};

}  // namespace harness
