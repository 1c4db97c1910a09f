// A filter for system calls that a variant or a compiler does not need.
#pragma once

namespace harness {

/// What a program may call. Each value permits less than the one before. `no_dangerous`: all but what can attack the
/// system. `no_processes`: only what computing with threads needs. `no_threads`: the same, but no threads.
enum class Calls { all, no_dangerous, no_processes, no_threads };

/// What sched_setaffinity() does with `no_processes`; with `no_threads` it does nothing. It never fails, because OpenMP starts no
/// threads where pinning fails, and an honest program may throw.
enum class Pinning { works, does_nothing };

/// From now on, the system calls that `calls` leaves out fail with EPERM, in this process and in every program that it
/// starts. A call that would start a process or a thread which `calls` leaves out raises SIGSYS instead, so that the
/// message can say so.
/// False: the kernel cannot filter, or PR_SET_NO_NEW_PRIVS is not set; errno says why.
bool limit_calls(Calls calls, Pinning pinning);

}  // namespace harness
