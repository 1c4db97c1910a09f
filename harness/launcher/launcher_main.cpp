// The launcher: sets limits inside a sandbox, where only a process inside can set them, and then starts another program.
//
//   harness-launcher exec PROCESSES DATA_BYTES CORES UID FOLDER -- PROGRAM ...    see start_limited.h
//   harness-launcher threads ...    the same without other processes, and without memory that processes could share
//   harness-launcher compute ...    the same without threads too
//   harness-launcher trace ...    the same with all system calls, for debuggers
//   harness-launcher enter SOCKET FILE_BYTES PROGRAM ...    the first process of a container, see container_init.h
#include <sys/stat.h>

#include <cstdio>
#include <cstring>

#include "harness/launcher/container_init.h"
#include "harness/launcher/start_limited.h"

int main(int argc, char** argv) {
  using harness::Calls, harness::start_limited;
  umask(022);  // the steps of a build may run as different users, and read each other's files
  const auto mode_is = [&](const char* mode) { return argc > 4 && std::strcmp(argv[1], mode) == 0; };
  if (mode_is("exec")) return start_limited(argc, argv, Calls::no_dangerous);
  if (mode_is("threads")) return start_limited(argc, argv, Calls::no_processes);
  if (mode_is("compute")) return start_limited(argc, argv, Calls::no_threads);
  if (mode_is("trace")) return start_limited(argc, argv, Calls::all);
  if (mode_is("enter")) return harness::container_init(argv[2], argv[3], argv + 4);
  std::fprintf(stderr, "only harness starts this program\n");
  return 2;
}
