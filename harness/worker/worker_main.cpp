// The worker: the untrusted process that runs a variant. It maps or copies the buffers it is given, calls the variant, and
// sends back times and bytes. It knows no seed, no reference and no tolerance, and decides nothing.
//
//   harness-worker serve    requests on descriptor 3 until it closes
//
// It uses the C library only: a variant brings the C++ library that it was built with.
#include <cstdio>
#include <cstring>

#include "harness/worker/serve.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "serve") == 0) return harness::serve(3);
  std::fprintf(stderr, "only harness starts this program\n");
  return 2;
}
