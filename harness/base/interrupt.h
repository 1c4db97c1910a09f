// Ctrl-C: a flag that long work looks at. The second Ctrl-C ends the program at once.
#pragma once

namespace harness {

void catch_interrupts();
bool interrupted();
/// In a child between fork and exec: ignored signals would stay ignored there.
void restore_signals();

}  // namespace harness
