"""Words about statuses."""

from reports.language import tr

NOT_RUN = ("SKIPPED", "CANCELLED")


def words(status: str) -> str:
    """COMPILE_ERROR -> compile error"""
    return tr(status.lower().replace("_", " "))
