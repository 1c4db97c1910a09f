// Starts a program under limits.
#pragma once

#include "harness/launcher/limit_calls.h"

namespace harness {

/// argv: NAME MODE PROCESSES DATA_BYTES CORES UID FOLDER -- PROGRAM ...: executes PROGRAM in FOLDER as user UID (0: unchanged) with
/// at most that many processes and that much private memory, on these cores ("0,5" or "all"), and without the system calls that
/// `calls` leaves out. It returns an exit status only when it fails.
int start_limited(int argc, char** argv, Calls calls);

}  // namespace harness
