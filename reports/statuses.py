"""Words about statuses."""

NOT_RUN = ("SKIPPED", "CANCELLED")


def words(status: str) -> str:
    """COMPILE_ERROR -> compile error"""
    return status.lower().replace("_", " ")
