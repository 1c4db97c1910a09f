"""Label and unit of a metric, and whether lower or higher is better: from metrics_info of run.json."""

from dataclasses import dataclass
from typing import Mapping

from reports import record
from reports.language import mark, told, tr


COUNTED = "warps_occupied"
NOT_SAMPLED = {COUNTED: mark("counted from the launch"), "speedup_total": mark("computed from two medians")}  # what n says nothing about


@dataclass(frozen=True)
class MetricInfo:
    name: str
    label: str
    unit: str
    better: str  # "lower", "higher", or empty if neither is better
    doc: str = ""

    @property
    def head(self) -> str:
        """For a column or an axis: `kernel time, ms`."""
        return tr("{label}, {unit}", label=self.label, unit=self.unit) if self.unit else self.label


def metric_info(name: str, known: Mapping[str, record.MetricInfo]) -> MetricInfo:
    if name not in known:
        return MetricInfo(name, name.replace("_", " "), "", "")
    info = known[name]
    return MetricInfo(name, told(info.label), info.unit, info.better, told(info.doc))
