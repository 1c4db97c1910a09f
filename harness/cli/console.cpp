#include "harness/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace harness {

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void print_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

LiveLine::LiveLine(On on) {
  const char* term = std::getenv("TERM");
  live_ = on == On::terminals && isatty(STDERR_FILENO) && term && std::strcmp(term, "dumb") != 0;
}

void LiveLine::show(std::string text) {
  if (!live_) return;
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  text.resize(std::min<size_t>(text.size(), (known ? size.ws_col : 100) - 1));
  print_error("\r\x1b[2K" + text);
  shown_ = true;
}

void LiveLine::clear() {
  if (shown_) print_error("\r\x1b[2K");
  shown_ = false;
}

}  // namespace harness
