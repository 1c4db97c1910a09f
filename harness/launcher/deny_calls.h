// A filter for system calls that no variant and no compiler needs and that can attack the system.
#pragma once

namespace harness {

/// What a program may call. Each leaves out more than the one before.
enum class Calls { all, no_dangerous, no_shared_memory };

/// From now on, the system calls that `calls` leaves out fail with EPERM, in this process and in every program that it starts.
/// False: the kernel cannot filter, or PR_SET_NO_NEW_PRIVS is not set; errno says why.
bool deny_calls(Calls calls);

}  // namespace harness
