// The first process inside a container.
#pragma once

namespace harness {

/// Asks at `door` (a unix socket) for the descriptors of a program, starts it with them, and ends when it does,
/// or when the harness closes the connection. `file_bytes`: largest file the program may write.
int enter(const char* door, const char* file_bytes, char** command);

}  // namespace harness
