"""The statuses of a case, for a run.json without them. A test compares this table with harness/base/status.h."""

# name: (fails the run, meaning)
STATUSES: dict[str, tuple[bool, str]] = {
    "PASSED": (False, "output is right, time measured"),
    "WRONG": (True, "a result differs from the reference by more than rounding can explain"),
    "COMPILE_ERROR": (True, "the compiler or the linker refused the source"),
    "CRASHED": (True, "the variant's process ended by a signal or by itself"),
    "TIMEOUT": (True, "the variant took longer than its limit"),
    "OUT_OF_MEMORY": (True, "the variant or its buffers need more memory than there is"),
    "OUT_OF_BOUNDS": (True, "the variant accessed memory outside its buffers"),
    "INPUT_MODIFIED": (True, "the variant wrote to one of its inputs"),
    "MISTRUSTED": (True, "nothing shows that the variant's own calls computed the result"),
    "SUSPECT": (True, "faster than this machine allows, or two clocks disagree"),
    "UNSTABLE": (False, "right, but the times scatter too much to be compared"),
    "THROTTLED": (False, "right, but the device lowered its clocks while it was measured"),
    "SKIPPED": (False, "not run, for the reason given"),
    "CANCELLED": (False, "the run was interrupted before this case"),
}

NOT_RUN = ("SKIPPED", "CANCELLED")


def words(status: str) -> str:
    """COMPILE_ERROR -> compile error"""
    return status.lower().replace("_", " ")
