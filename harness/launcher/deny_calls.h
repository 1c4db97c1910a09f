// A filter for system calls that no variant and no compiler needs and that can attack the system.
#pragma once

namespace harness {

/// What a program may call. Each leaves out more than the one before. `no_processes` also leaves out memory that
/// processes could share, and whatever sends signals later (timers, connections, watched files); `no_threads` also other cores than it was started on.
enum class Calls { all, no_dangerous, no_processes, no_threads };

/// From now on, the system calls that `calls` leaves out fail with EPERM, in this process and in every program that it
/// starts. A call that would start a process or a thread which `calls` leaves out raises SIGSYS instead, so that the
/// message can say so.
/// False: the kernel cannot filter, or PR_SET_NO_NEW_PRIVS is not set; errno says why.
bool deny_calls(Calls calls);

}  // namespace harness
