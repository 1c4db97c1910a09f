// The first process inside a container.
#pragma once

namespace harness {

/// Connects to a unix socket, receives the descriptors of a program there, starts the program with them, and ends when it ends
/// or when the harness closes the connection. `file_bytes`: size of the largest file that the program may write.
int container_init(const char* socket_path, const char* file_bytes, char** command);

}  // namespace harness
