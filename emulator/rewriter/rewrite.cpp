#include "emulator/rewriter/rewrite.h"

#include <cstdio>

#include "emulator/rewriter/edits.h"

namespace harness {
namespace {

class Writer {
 public:
  Writer(const Tokens& tokens, const Edits& edits, Text& out) : tokens_(tokens), edits_(edits), out_(out) {}

  /// The edit that does not end where the one around it does, if there is one.
  const Edit* crossing() const { return crossing_; }

  /// The text from `begin` to `stop`, in which tokens from..to lie.
  void copy(size_t from, size_t to, const char* begin, const char* stop) {
    for (size_t i = from; i < to; ++i) {
      const Edit* edit = edits_.at(i);
      if (!edit) continue;
      if (edit->end > to) {
        crossing_ = edit;
        return;
      }
      raw(begin, tokens_.all[i].at);
      if (edit->kind == EditKind::launch) launch(*edit);
      if (edit->kind == EditKind::null) out_ << "nullptr";
      if (edit->kind == EditKind::shared) out_ << "typedef";
      if (edit->kind == EditKind::shared_name) out_ << "lab_shared_" << tokens_.all[i].text();
      if (edit->kind == EditKind::shared_end) shared_variables(*edit);
      if (edit->kind == EditKind::align_open) out_ << "__attribute__((aligned(";
      if (edit->kind == EditKind::align_close) out_ << ")))";
      if (edit->kind == EditKind::dynamic_shared) dynamic_shared(*edit);
      i = edit->end - 1;
      begin = tokens_.all[i].end();
    }
    raw(begin, stop);
  }

 private:
  void raw(const char* begin, const char* stop) {
    out_ << std::string_view(begin, static_cast<size_t>(stop - begin));
  }

  // Tokens with one space where there was any: no newline, no line marker.
  void words(size_t from, size_t to, Text& text) const {
    for (size_t i = from; i < to; ++i) {
      if (i > from && tokens_.all[i].at != tokens_.all[i - 1].end()) text << ' ';
      text << tokens_.all[i].text();
    }
  }

  // What lies between the tokens from..to and behind the last: newlines and line markers, for the lines'
  // sake.
  void lines(size_t from, size_t to) {
    for (size_t i = from; i < to && i + 1 < tokens_.all.size(); ++i) {
      const char* begin = tokens_.all[i].end();
      const char* stop = tokens_.all[i + 1].at;
      for (const char* p = begin; p < stop; ++p)
        if (*p == '\n') {
          raw(p, stop);
          break;
        }
    }
  }

  void launch(const Edit& e) {
    Text callee;
    words(e.start, e.open, callee);
    out_ << "::lab::emulated::launch(::lab::emulated::Site{\"";
    constexpr size_t most = 90;  // lab_diagnostic::kernel has 96
    size_t count = 0;
    for (const char c : callee.view()) {
      if (++count > most) break;
      if (c == '"' || c == '\\') out_ << '\\';
      out_ << c;
    }
    out_ << "\"}, ::lab::emulated::Configuration(";
    lines(e.start, e.open);
    copy(e.open + 3, e.close, tokens_.all[e.open + 2].end(), tokens_.all[e.close].at);
    // What the call itself reads is not the kernel's doing: not watched.
    out_ << "), [&](auto... lab_args) __attribute__((no_sanitize(\"thread\"))) { " << callee.view()
         << "(lab_args...); }";
    lines(e.close + 2, e.close + 3);
    const size_t paren = e.close + 3, last = e.end - 1;
    if (paren + 1 < last) out_ << ", ";
    copy(paren + 1, last, tokens_.all[paren].end(), tokens_.all[last].at);
    out_ << ')';
  }

  // The block keeps them, so each call of the kernel asks where. The tag is one for each instance of a
  // template.
  void shared_variables(const Edit& e) {
    out_ << ';';
    for (size_t i = e.open; i < e.start; ++i) {
      const Edit* edit = edits_.at(i);
      if (!edit || edit->kind != EditKind::shared_name) continue;
      const std::string_view name = tokens_.all[i].text();
      out_ << " static char lab_tag_" << name << "; lab_shared_" << name << "& " << name
           << " = ::lab::emulated::shared<lab_shared_" << name << ">(&lab_tag_" << name << ");";
    }
  }

  void dynamic_shared(const Edit& e) {
    Text type, extents;
    for (size_t i = e.start; i < e.open; ++i) {
      if (edits_.dropped(i)) continue;
      if (!type.view().empty()) type << ' ';
      type << tokens_.all[i].text();
    }
    words(e.open + 1, e.end, extents);
    if (e.scope == Scope::file) out_ << "static thread_local ";
    out_ << type.view() << " (&" << tokens_.all[e.open].text() << ")" << extents.view()
         << " = *reinterpret_cast<" << type.view() << " (*)" << extents.view()
         << ">(::lab::emulated::dynamic_shared())";
    lines(e.start, e.end - 1);
  }

  const Tokens& tokens_;
  const Edits& edits_;
  Text& out_;
  const Edit* crossing_ = nullptr;
};

size_t lines_of(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += c == '\n';
  return count;
}

bool read_all(const char* path, Text& text) {
  FILE* file = std::fopen(path, "rb");
  if (!file) return false;
  static char chunk[1 << 16];
  for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;) text << std::string_view(chunk, n);
  const bool fine = !std::ferror(file);
  std::fclose(file);
  return fine;
}

}  // namespace

bool rewrite(std::string_view text, Text& out, Text& error) {
  Tokens tokens;
  tokenize(text, tokens);
  Edits edits(tokens.all.size());
  if (!find_edits(tokens, edits, error)) return false;
  Writer writer(tokens, edits, out);
  writer.copy(0, tokens.all.size(), text.data(), text.data() + text.size());
  if (writer.crossing()) {
    complain(tokens, tokens.all[writer.crossing()->start], "this launch does not end inside the one around it", error);
    return false;
  }
  if (lines_of(text) == lines_of(out.view())) return true;
  complain(tokens, tokens.all[0], "a string over several lines stands in a launch or in a __shared__ declaration", error);
  return false;
}

int rewrite_file(const char* in, const char* out) {
  Text text, result, error;
  if (!read_all(in, text)) {
    std::fprintf(stderr, "%s: cannot read\n", in);
    return 1;
  }
  if (!rewrite(text.view(), result, error)) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(error.view().size()), error.view().data());
    return 1;
  }
  FILE* file = std::fopen(out, "wb");
  const bool written =
      file && std::fwrite(result.view().data(), 1, result.view().size(), file) == result.view().size();
  if ((file && std::fclose(file) != 0) || !written) {
    std::fprintf(stderr, "%s: cannot write\n", out);
    return 1;
  }
  return 0;
}

}  // namespace harness
