#include "harness/cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/base/text.h"

namespace harness {

namespace {

int first_error = 0;  // of standard output

void write_now(std::string_view text, std::FILE* to) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), to) == text.size();
  // A reader that leaves early, as `head` does, is no failure.
  if ((std::fflush(to) != 0 || !written) && to == stdout && first_error == 0 && errno != EPIPE) first_error = errno;
}

}  // namespace

std::string safe_to_print(std::string_view text) {
  std::string safe;
  for (const std::string& line : split(printable(text, text.size()), '\n')) {
    // GitHub Actions skips blanks at the beginning, also those of other alphabets.
    const auto first = std::ranges::find_if(line, [](char c) { return c > ' ' && c < 0x7f; });
    if (std::string_view(first, line.end()).starts_with("::")) safe += "| ";
    safe += line + '\n';
  }
  safe.pop_back();
  for (size_t at = 0; (at = safe.find("##[", at)) != std::string::npos;) safe.insert(at + 2, " ");
  return safe;
}

void print(std::string_view text) { write_now(safe_to_print(text), stdout); }
void print_error(std::string_view text) { write_now(safe_to_print(text), stderr); }

void print_coloured(const std::string& text) {
  std::string plain = text;
  for (const std::string_view colour : {"\x1b[31m", "\x1b[0m"})
    for (size_t at; !isatty(STDOUT_FILENO) && (at = plain.find(colour)) != std::string::npos;)
      plain.erase(at, colour.size());
  write_now(plain, stdout);
}

std::optional<std::string> print_failure() {
  if (first_error == 0) return std::nullopt;
  return fmt::format("standard output: {}", std::strerror(first_error));
}

LiveLine::LiveLine(On on) : on_(on == On::everything) {
  const char *term = std::getenv("TERM"), *every = std::getenv("HARNESS_PROGRESS_S");
  terminal_ = isatty(STDERR_FILENO) && term && std::strcmp(term, "dumb") != 0;
  every_ = std::chrono::duration<double>(every ? std::atof(every) : 10);
}

void LiveLine::show(std::string text) {
  if (!on_) return;
  if (!terminal_) {
    if (Clock::now() - last_ < every_) return;
    last_ = Clock::now();
    return print_error(text + "\n");
  }
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  text.resize(std::min<size_t>(text.size(), (known ? size.ws_col : 100) - 1));
  write_now("\r\x1b[2K" + printable(text, text.size()), stderr);
  shown_ = true;
}

void LiveLine::clear() {
  if (shown_) write_now("\r\x1b[2K", stderr);
  shown_ = false;
}

}  // namespace harness
