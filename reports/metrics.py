"""Label and unit of a metric, and whether lower or higher is better: from metrics_info of run.json, else from its name."""

from dataclasses import dataclass
from typing import Mapping


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
        return f"{self.label}, {self.unit}" if self.unit else self.label


# suffix, unit, better, words that the label has after the rest of the name
SUFFIXES = (
    ("_ms", "ms", "lower", " time"), ("_us", "µs", "lower", " time"), ("bytes_s", "B/s", "higher", "byte rate"),
    ("_s", "s", "lower", " time"), ("_bytes", "B", "lower", ""), ("tflops", "TFLOP/s", "higher", "arithmetic rate"),
    ("gflops", "GFLOP/s", "higher", "arithmetic rate"), ("speedup", "", "higher", "speedup"),
    ("efficiency", "", "higher", "efficiency"),
)


def metric_info(name: str, given: Mapping[str, Mapping[str, str]] | None = None) -> MetricInfo:
    known = (given or {}).get(name, {})
    label, unit, better = name.replace("_", " "), "", ""
    if name.startswith("percent"):
        unit, better, label = "%", "higher", "share" + label.removeprefix("percent")
    for suffix, suffix_unit, suffix_better, tail in SUFFIXES:
        if name.endswith(suffix):
            stem = name.removesuffix(suffix).replace("_", " ")
            label, unit, better = f"{stem}{tail}".strip(), suffix_unit, suffix_better
            break
    return MetricInfo(name, known.get("label", label), known.get("unit", unit), known.get("better", better),
                      known.get("doc", ""))
