// System calls that no variant and no compiler needs, and that break in elsewhere.
#pragma once

namespace harness {

/// What a program may call. Each leaves out more than the one before.
enum class Calls { all, no_dangerous, no_shared_memory };

/// From now on what `calls` leaves out fails with EPERM, here and in every program started from here. False: the
/// kernel does not do it, or PR_SET_NO_NEW_PRIVS is not set; errno says why.
bool deny_calls(Calls calls);

}  // namespace harness
