#include "harness/client/waiting.h"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include "harness/base/interrupt.h"
#include "harness/machine/noise.h"

namespace harness {
namespace {

using namespace protocol;
using Clock = std::chrono::steady_clock;

Wait wait_until(int channel, Clock::time_point until) {
  for (;;) {
    if (interrupted()) return Wait::interrupted;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left < 0) return Wait::timeout;
    pollfd polled{channel, POLLIN, 0};
    if (poll(&polled, 1, static_cast<int>(std::min<int64_t>(left + 1, 3600 * 1000))) > 0) return Wait::ready;
  }
}

// Waits until `word` is `turn`, the worker replies instead, or time is up.
Wait wait_until_turn(Turns::Word& word, uint32_t turn, Waiting waiting, int channel, Clock::time_point until) {
  constexpr int looks = 20'000;  // about a millisecond; a look at the channel costs more than one at the word
  for (timespec longest{0, 100'000};;) {
    if (waiting == Waiting::spins) {
      for (int i = 0; i < looks; ++i) {
        if (word.load(std::memory_order_acquire) == turn) return Wait::ready;
        spin();
      }
    } else {
      const uint32_t now = word;
      if (now == turn) return Wait::ready;
      sleep_while(word, now, &longest);
      if (word == turn) return Wait::ready;
      longest.tv_nsec = std::min(2 * longest.tv_nsec, 50'000'000L);
    }
    pollfd polled{channel, POLLIN, 0};
    if (poll(&polled, 1, 0) > 0) return Wait::replied;
    if (interrupted()) return Wait::interrupted;
    if (Clock::now() > until) return Wait::timeout;
  }
}

// `wait_until` gets a deadline.
template <class WaitUntil>
Wait wait_for(double timeout_s, const WaitUntil& wait_until) {
  constexpr double given_back_times = 3;
  constexpr double soon_s =
      0.1;  // most replies arrive sooner; reading /proc/stat for them would cost more than it gives
  using Seconds = std::chrono::duration<double>;
  const auto after = [start = Clock::now()](double s) {
    return start + std::chrono::duration_cast<Clock::duration>(Seconds(s));
  };
  const Wait at_once = wait_until(after(std::min(timeout_s, soon_s)));
  if (at_once != Wait::timeout || timeout_s <= soon_s) return at_once;
  const double stolen_before_s = stolen_s();
  for (double granted_s = timeout_s;;) {
    const Wait waited = wait_until(after(granted_s));
    const double more_s = timeout_s + std::min(stolen_s() - stolen_before_s, given_back_times * timeout_s);
    if (waited != Wait::timeout || more_s <= granted_s) return waited;
    granted_s = more_s;
  }
}

}  // namespace

Wait wait_for_reply(int channel, double timeout_s) {
  return wait_for(timeout_s, [&](Clock::time_point until) { return wait_until(channel, until); });
}

Wait wait_for_turn(Turns::Word& word, uint32_t turn, Waiting waiting, int channel, double timeout_s) {
  return wait_for(timeout_s,
                  [&](Clock::time_point until) { return wait_until_turn(word, turn, waiting, channel, until); });
}

}  // namespace harness
