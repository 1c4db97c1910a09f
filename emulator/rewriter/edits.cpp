#include "emulator/rewriter/edits.h"

#include <cstdio>

namespace harness {

void complain(const Tokens& tokens, const Token& token, const char* what, Text& error) {
  char number[64];
  std::snprintf(number, sizeof number, ":%d:%d: error: ", token.line, tokens.column(token));
  error << tokens.origin(token).file << number << what;
}

namespace {

class Finder {
 public:
  Finder(const Tokens& tokens, Edits& edits, Text& error)
      : tokens_(tokens), all_(tokens.all), edits_(edits), error_(error) {}

  bool run() {
    for (size_t i = 0; i < all_.size(); ++i) {
      const Token& t = all_[i];
      if (t.kind == TokenKind::mark) {
        if (t.is("{")) braces_.push(brace(i));
        if (t.is("}") && braces_.size() > 0) braces_.pop();
        if (is_launch(i)) {
          if (!launch(i)) return false;
          i += 2;
        }
      } else if (t.kind == TokenKind::word) {
        if (t.is("LAB_SHARED_") && !shared(i)) return false;
        if ((t.is("asm") || t.is("__asm__") || t.is("__asm")) && !assembler(i)) return false;
      }
    }
    return true;
  }

 private:
  enum class Brace : uint8_t { scope, other };

  bool is(size_t i, const char* text) const { return i < all_.size() && all_[i].is(text); }

  bool fail(const Token& t, const char* what) {
    complain(tokens_, t, what, error_);
    return false;
  }

  // namespace a::b {, extern "C" {: what stands in them is still at namespace scope.
  Brace brace(size_t i) const {
    if (i > 1 && all_[i - 1].kind == TokenKind::string && is(i - 2, "extern")) return Brace::scope;
    while (i > 0 && (all_[i - 1].kind == TokenKind::word || is(i - 1, "::"))) {
      --i;
      if (is(i, "namespace")) return Brace::scope;
    }
    return Brace::other;
  }
  Scope scope() const {
    for (size_t i = 0; i < braces_.size(); ++i)
      if (braces_[i] == Brace::other) return Scope::function;
    return Scope::file;
  }

  // One token for CUDA: nothing stands between them, no newline either.
  bool three(size_t i, const char* mark) const {
    for (size_t j = i; j < i + 3; ++j)
      if (!is(j, mark) || (j > i && all_[j].at != all_[j - 1].end())) return false;
    return true;
  }

  // Three in a row are nothing else in C++, but for operator<< <T>.
  bool is_launch(size_t i) const { return three(i, "<") && !(i > 0 && is(i - 1, "operator")); }

  bool launch(size_t open) {
    Edit e;
    e.kind = EditKind::launch;
    e.open = open;
    e.start = callee_before(tokens_, open);
    if (e.start == open) return fail(all_[open], "a launch needs a kernel before \"<<<\"");
    if (!find_close(e)) return false;
    const size_t paren = e.close + 3;
    const size_t last = closing(tokens_, paren);
    if (last >= all_.size()) return fail(all_[paren], "the \"(\" of this launch is never closed");
    e.end = last + 1;
    edits_.add(e);
    nulls(paren, last);
    return true;
  }

  bool find_close(Edit& e) {
    for (size_t i = e.open + 3; i < all_.size(); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) {
        i = closing(tokens_, i);
        continue;
      }
      if (is(i, ";") || is(i, ")") || is(i, "]") || is(i, "}")) break;
      // Of more than three the last three: X<A<B>>>>>
      if (!three(i, ">") || three(i + 1, ">")) continue;
      e.close = i;
      if (is(i + 3, "(")) return true;
      return fail(all_[i], "a launch needs the kernel's arguments in \"(...)\" behind \">>>\"");
    }
    return fail(all_[e.open], "the \"<<<\" of this launch is never closed with \">>>\"");
  }

  // NULL, as an argument of its own.
  void nulls(size_t paren, size_t last) {
    for (size_t i = paren + 1; i < last; ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) {
        i = closing(tokens_, i);
        continue;
      }
      if (is(i, "__null") && (i - 1 == paren || is(i - 1, ",")) && (i + 1 == last || is(i + 1, ",")))
        edits_.add({EditKind::null, Scope::function, i, i, i, i + 1});
    }
  }

  bool shared(size_t i) {
    size_t from = i;
    while (from > 0 && !is(from - 1, ";") && !is(from - 1, "{") && !is(from - 1, "}")) --from;
    for (size_t j = from; j < i; ++j)
      if (is(j, "extern")) return dynamic_shared(j, i);
    if (is(i + 1, "extern")) return dynamic_shared(i, i);
    return scope() == Scope::file ? fail(all_[i], "declare __shared__ variables inside the kernel")
                                  : static_shared(from, i);
  }

  void one(EditKind kind, size_t i) { edits_.add({kind, Scope::function, i, i, i, i + 1}); }

  // From the first token of a declaration to its semicolon.
  bool static_shared(size_t from, size_t marker) {
    size_t name = 0;  // the last word that can be one: of the declarator, once its extents begin
    bool complete = false;
    for (size_t i = from;; ++i) {
      if (i >= all_.size() || is(i, "=") || is(i, ")") || is(i, "}")) break;
      if (is(i, ",") || is(i, ";")) {
        if (name <= marker && name <= from) break;
        one(EditKind::shared_name, name);
        if (is(i, ";")) {
          edits_.add({EditKind::shared_end, Scope::function, i, from, i, i + 1});
          return true;
        }
        name = 0;
        complete = false;
      } else if (i == marker) {
        one(EditKind::shared, i);
      } else if (is(i, "static") || is(i, "inline") || is(i, "constexpr")) {
        one(EditKind::drop, i);
      } else if (is(i, "alignas") && is(i + 1, "(")) {
        one(EditKind::drop, i);
        one(EditKind::align_open, i + 1);
        i = closing(tokens_, i + 1);
        if (i >= all_.size()) break;
        one(EditKind::align_close, i);
      } else if (is(i, "__attribute__")) {
        i = closing(tokens_, i + 1);
      } else if (is(i, "[")) {
        complete = complete || !is(i + 1, "[");  // [[...]] is an attribute
        if (complete && all_[i - 1].kind != TokenKind::word && !is(i - 1, "]")) break;
        i = closing(tokens_, i);
      } else if (is(i, "(") || is(i, "{")) {
        i = closing(tokens_, i);
      } else if (is(i, "<")) {
        i = closing_angle(i);
      } else if (all_[i].kind == TokenKind::word && !complete) {
        name = i;
      }
    }
    return fail(
        all_[marker],
        "a __shared__ variable is declared like this, without a first value: __shared__ float a[16];");
  }

  size_t closing_angle(size_t i) const {
    int depth = 0;
    for (; i < all_.size() && !is(i, ";"); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) i = closing(tokens_, i);
      if (is(i, "<")) ++depth;
      if (is(i, ">") && --depth == 0) break;
    }
    return i;
  }

  bool dynamic_shared(size_t start, size_t marker) {
    Edit e;
    e.kind = EditKind::dynamic_shared;
    e.scope = scope();
    e.start = start;
    for (size_t i = start; i < all_.size() && !is(i, ";"); ++i) {
      if (is(i, "extern") || is(i, "LAB_SHARED_") || is(i, "static")) {
        edits_.drop(i);
      } else if (is(i, "alignas") || is(i, "__attribute__")) {
        const size_t last = closing(tokens_, i + 1);
        for (; i < last; ++i) edits_.drop(i);
        edits_.drop(i);
      } else if (is(i, "[") && is(i + 1, "[")) {  // [[...]]
        const size_t last = closing(tokens_, i);
        for (; i < last; ++i) edits_.drop(i);
        edits_.drop(i);
      } else if (is(i, "[")) {
        e.open = i - 1;
        break;
      }
    }
    if (e.open <= e.start || all_[e.open].kind != TokenKind::word || !is(e.open + 2, "]"))
      return fail(all_[marker],
                  "extern __shared__ declares an array without a size: extern __shared__ float s[];");
    e.end = e.open + 1;
    while (is(e.end, "[")) e.end = closing(tokens_, e.end) + 1;
    if (is(e.end, "__attribute__")) {
      const size_t last = closing(tokens_, e.end + 1);
      for (size_t i = e.end; i <= last && i < all_.size(); ++i) one(EditKind::drop, i);
      if (!is(last + 1, ";")) return fail(all_[marker], "declare one extern __shared__ array a statement");
    } else if (!is(e.end, ";")) {
      return fail(all_[marker], "declare one extern __shared__ array a statement");
    }
    edits_.add(e);
    return true;
  }

  // An empty one is a barrier for the compiler, and means the same here.
  bool assembler(size_t i) {
    const Origin& origin = tokens_.origin(all_[i]);
    if (origin.system || origin.file.find("/emulator/device/") != std::string_view::npos) return true;
    size_t paren = i + 1;
    while (paren < all_.size() && all_[paren].kind == TokenKind::word) ++paren;
    if (!is(paren, "(")) return true;
    for (size_t j = paren + 1; j < all_.size() && all_[j].kind == TokenKind::string; ++j)
      if (!all_[j].is("\"\"")) return fail(all_[i], "the emulated device has no inline PTX (asm)");
    return true;
  }

  const Tokens& tokens_;
  const List<Token>& all_;
  Edits& edits_;
  Text& error_;
  List<Brace> braces_;
};

}  // namespace

bool find_edits(const Tokens& tokens, Edits& edits, Text& error) {
  return Finder(tokens, edits, error).run();
}

}  // namespace harness
