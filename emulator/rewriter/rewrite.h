// Turns what only CUDA's compiler understands into C++, for the emulated device: kernel launches, and
// variables that lie in a block's shared memory. Works on preprocessed text and keeps its lines.
#pragma once

#include <string_view>

#include "emulator/rewriter/buffer.h"

namespace harness {

/// The rewritten text into `out`. False: `error` is "file:line:col: error: what", to be shown as a compiler's
/// would.
bool rewrite(std::string_view text, Text& out, Text& error);

/// harness-worker rewrite IN OUT: the exit status.
int rewrite_file(const char* in, const char* out);

}  // namespace harness
