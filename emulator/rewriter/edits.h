// Where a text has to change, found before any of it is written.
#pragma once

#include "emulator/rewriter/tokens.h"

namespace harness {

enum class EditKind : uint8_t {
  launch,          // start: callee, open: <<<, close: >>>
  null,            // an argument that is __null, which would become an integer
  shared,          // __shared__ T a[4], b; becomes a typedef of lab_shared_a and lab_shared_b ...
  shared_name,     // (a, b)
  shared_end,      // ... and references of these types; start: the semicolon, open: first token
  align_open,      // alignas(16), which a typedef cannot have: its (
  align_close,     // and its )
  dynamic_shared,  // extern __shared__ T name[]; start: extern, open: name
  drop,
};
enum class Scope : uint8_t { function, file };

struct Edit {
  EditKind kind = EditKind::drop;
  Scope scope = Scope::function;
  size_t start = 0, open = 0, close = 0, end = 0;  // tokens; end: behind the last one replaced
};

class Edits {
 public:
  explicit Edits(size_t tokens) {
    for (size_t i = 0; i < tokens; ++i) first_.push(-1);
  }
  void add(const Edit& edit) {
    first_[edit.start] = static_cast<int32_t>(all_.size());
    all_.push(edit);
  }
  const Edit* at(size_t token) const {
    return first_[token] < 0 ? nullptr : &all_[static_cast<size_t>(first_[token])];
  }
  void drop(size_t token) { dropped_.push(token); }
  bool dropped(size_t token) const {
    for (size_t i = 0; i < dropped_.size(); ++i)
      if (dropped_[i] == token) return true;
    return false;
  }

 private:
  List<int32_t> first_;  // of each token: the edit that starts there
  List<Edit> all_;
  List<size_t> dropped_;  // words of a declaration that its rewritten form does without
};

/// "file:line:col: error: what"
void complain(const Tokens& tokens, const Token& token, const char* what, Text& error);

/// All edits, or false and `error`.
bool find_edits(const Tokens& tokens, Edits& edits, Text& error);

/// First token of the callee before token `open` (<<<), or `open` if there is none.
size_t callee_before(const Tokens& tokens, size_t open);
/// The partner of the bracket at `i`, or the number of tokens.
size_t closing(const Tokens& tokens, size_t i);

}  // namespace harness
