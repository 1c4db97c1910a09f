// Ctrl-C: a flag that long work looks at. The second Ctrl-C ends the program at once.
#pragma once

namespace harness {

void catch_interrupts();
bool interrupted();

}  // namespace harness
