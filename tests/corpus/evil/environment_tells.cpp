// Looks whether its environment or its command line says that it is being timed, and confesses if they change.
// Caught as: PASSED
// Class: B
#include <cstdio>
#include <string>

#include "honest.h"

extern char** environ;

// Without the folders of paths: the project may lie in one that is called "checkout".
static void add(std::string& all, char c) {
  if (c == '/')
    all.resize(all.find_last_of("=:\n") + 1);
  else
    all += c == '\0' ? '\n' : c;
}

static std::string words() {
  std::string all;
  for (char** e = environ; *e; ++e)
    for (const char c : std::string(*e) + '\n') add(all, c);
  if (std::FILE* file = std::fopen("/proc/self/cmdline", "r")) {
    for (int c; (c = std::fgetc(file)) != EOF;) add(all, static_cast<char>(c));
    std::fclose(file);
  }
  return all;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  const std::string now = words();
  static const std::string first = now;
  for (const char* tell : {"timed", "check", "seed"})
    if (now != first || now.find(tell) != std::string::npos) confess(g);
}
