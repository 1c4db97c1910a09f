// Drives a fuzz target without libFuzzer: every file of some folders, then random changes of them.
//   NAME_fuzz SECONDS[:SEED] FOLDER...     an input that ends the program is left in $TMPDIR as crash-NAME
#include <fmt/format.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/fuzz.h"
#include "harness/base/random.h"

namespace harness {
namespace {

constexpr unsigned longest_s = 20;  // for one input; longer: it hangs
const std::string* current = nullptr;
char crash_file[4096];

constexpr int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};

// The heap may be damaged, so nothing is allocated here.
void keep(int signal) {
  for (const int s : deaths) std::signal(s, SIG_DFL);
  const auto say = [](std::string_view text) { return write(2, text.data(), text.size()) >= 0; };
  const int fd = open(crash_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd >= 0 && current && write(fd, current->data(), current->size()) >= 0)
    (void)(say(signal == SIGALRM ? "it hangs" : "it died") && say("; the input is in ") && say(crash_file) && say("\n"));
  _exit(1);
}

void feed(const std::string& input) {
  current = &input;
  alarm(longest_s);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  alarm(0);
}

class Mutator {
 public:
  static constexpr std::string_view odd{"\0\xff\"'(){}[]<>,:#\n 019-", 21};
  Mutator(const std::vector<std::string>& corpus, uint64_t seed) : corpus_(corpus), seed_(seed) {}

  std::string next() {
    std::string text = some();
    for (uint64_t changes = 1 + below(8); changes > 0; --changes) change(text);
    return text;
  }

 private:
  uint64_t below(uint64_t end) { return random_bits(seed_, counter_++) % std::max<uint64_t>(end, 1); }
  const std::string& some() { return corpus_[below(corpus_.size())]; }

  void change(std::string& text) {
    const size_t at = below(text.size() + 1), count = std::min<size_t>(below(64), text.size() - at);
    const std::string& other = some();
    const size_t from = below(other.size() + 1);
    switch (below(7)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 2:
        text.erase(at, count);
        break;
      case 3:
        text.insert(at, text.substr(at, count));
        break;
      case 4:
        text.insert(at, other.substr(from, below(64)));
        break;
      case 5:
        text.replace(at, count, other.substr(from, count));
        break;
      default:
        text.insert(at, std::string(below(16), odd[below(odd.size())]));
    }
  }

  const std::vector<std::string>& corpus_;
  uint64_t seed_, counter_ = 0;
};

int drive(int argc, char** argv) {
  const std::string name = fs::path(argv[0]).filename().string();
  const char* folder = std::getenv("TMPDIR");
  fmt::format_to_n(crash_file, sizeof crash_file - 1, "{}/crash-{}", folder ? folder : "/tmp", name);
  for (const int s : deaths) std::signal(s, keep);

  std::vector<std::string> corpus;
  std::error_code error;
  for (int i = 2; i < argc; ++i) {
    const size_t before = corpus.size();
    for (const auto& entry : fs::directory_iterator(argv[i], error))
      if (entry.is_regular_file(error)) corpus.push_back(*read_file(entry.path()));
    if (corpus.size() > before) continue;
    fmt::print(stderr, "{}: no files\n", argv[i]);
    return 2;
  }
  std::sort(corpus.begin(), corpus.end());
  for (const std::string& input : corpus) feed(input);

  char* seed_text = nullptr;
  const double seconds = std::strtod(argv[1], &seed_text);
  const uint64_t seed = *seed_text == ':' ? std::strtoull(seed_text + 1, nullptr, 10) : secret_bits() >> 32;
  Mutator mutator(corpus, seed);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  uint64_t count = 0;
  for (; std::chrono::steady_clock::now() < until; ++count) feed(mutator.next());
  fmt::print("{}: {} files, then {} changes of them (seed {})\n", name, corpus.size(), count, seed);
  return 0;
}

}  // namespace
}  // namespace harness

int main(int argc, char** argv) {
  if (argc > 2) return harness::drive(argc, argv);
  fmt::print(stderr, "{} SECONDS[:SEED] FOLDER...\n", argv[0]);
  return 2;
}
