// Ctrl-C sets a flag, which long work must look at. The second Ctrl-C ends the program at once.
#pragma once

namespace harness {

void catch_interrupts();
bool interrupted();
/// For a child between fork and exec, because ignored signals would stay ignored in the new program.
void restore_signals();

}  // namespace harness
