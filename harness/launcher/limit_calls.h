// A filter for system calls that a variant or a compiler does not need.
#pragma once

namespace harness {

/// What a program may call. Each leaves out more than the one before: `no_dangerous` what can attack the system,
/// `no_processes` all that computing with threads does not need, `no_threads` also threads and other cores.
enum class Calls { all, no_dangerous, no_processes, no_threads };

/// From now on, the system calls that `calls` leaves out fail with EPERM, in this process and in every program that it
/// starts. A call that would start a process or a thread which `calls` leaves out raises SIGSYS instead, so that the
/// message can say so.
/// False: the kernel cannot filter, or PR_SET_NO_NEW_PRIVS is not set; errno says why.
bool limit_calls(Calls calls);

}  // namespace harness
