// System calls that no variant and no compiler needs, and that break in elsewhere.
#pragma once

namespace harness {

/// From now on they fail with EPERM, here and in every program started from here. False: the kernel does not do
/// it, or PR_SET_NO_NEW_PRIVS is not set; errno says why.
bool deny_calls();

}  // namespace harness
