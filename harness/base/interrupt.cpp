#include "harness/base/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <initializer_list>

namespace harness {
namespace {

volatile sig_atomic_t flag = 0;
constexpr int ignored_signals[] = {SIGPIPE, SIGXFSZ};

void on_signal(int) {
  if (flag) _exit(130);
  flag = 1;
}

}  // namespace

void restore_signals() {
  for (const int s : ignored_signals) signal(s, SIG_DFL);
}

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_signal;  // no SA_RESTART: poll() must return
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaction(s, &action, nullptr);
  // A failing write reports this error, so the signal is ignored. Children get the default back.
  for (const int s : ignored_signals) signal(s, SIG_IGN);
}

bool interrupted() { return flag != 0; }

}  // namespace harness
