"""A run as typed values, as specified in docs/run-json.md. load.py makes it from the file."""

from dataclasses import dataclass, field
from typing import Mapping

from reports.fields import Fields, Scalar


@dataclass(frozen=True)
class Metric:
    """A measured number. `low` and `high` are its 95 % interval; None if there are too few samples."""

    median: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    min: float | None = None
    max: float | None = None
    q1: float | None = None
    q3: float | None = None
    limit: str = ""  # of percent_of_limit: name of the machine limit
    over: str = ""  # of a speedup: the variant that it is relative to
    paired: bool = False  # from samples of the same rounds
    equal: bool = False  # tied with `over`

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class CheckLine:
    name: str
    right: bool
    worst_ratio: float | None
    worst_ratio_gamma: float | None
    detail: str


@dataclass(frozen=True)
class Check:
    lines: tuple[CheckLine, ...] = ()
    shapes: int = 0
    deterministic: bool | None = None
    timed_output: bool = False
    message: str = ""


@dataclass(frozen=True)
class Note:
    """A remark of a case. Code and arguments say the same as the text."""
    code: str
    arguments: Mapping[str, Scalar] = field(default_factory=dict)
    text: str = ""


ADVICE, MISTAKE = "advice", "mistake"


@dataclass(frozen=True)
class Diagnostic:
    """What the emulated device saw at one line of the source."""

    kind: str  # "uncoalesced", "race_shared": emulator/diagnostics/table.cpp
    severity: str
    what: str
    fix: str = ""
    kernel: str = ""
    file: str = ""
    line: int = 0
    other_file: str = ""
    other_line: int = 0
    source: str = ""
    count: int = 0
    have: int = 0
    ideal: int = 0


@dataclass(frozen=True)
class Case:
    id: str
    sweep: str
    variant: str
    status: str
    dtype: str = ""
    axes: Mapping[str, Scalar] = field(default_factory=dict)
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    label: str = ""
    threads: int = 1
    device: str = "cpu"
    reason: str = ""
    build_key: str = ""
    reused_from: str = ""
    check: Check = Check()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    flops: float | None = None
    bytes: float | None = None
    stop_reason: str = ""
    notes: tuple[Note, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def emulated(self) -> bool:
        return self.device == "emulated"

    @property
    def comparable(self) -> bool:
        """Its times may be compared with those of others."""
        return self.status == "PASSED" and bool(self.metrics)

    @property
    def unranked(self) -> bool:
        """Its output is right, but its times may not be compared."""
        return self.status in ("UNSTABLE", "THROTTLED") and bool(self.metrics)


@dataclass(frozen=True)
class Variant:
    name: str
    file: str = ""
    summary: str = ""
    gpu: bool = False
    needs: tuple[str, ...] = ()
    from_submission: bool = False
    precision: str = ""


@dataclass(frozen=True)
class Build:
    key: str
    variant: str
    macros: Mapping[str, Scalar]
    state: str
    seconds: float | None
    command: str
    compiler: str
    log: str
    source_hash: str


@dataclass(frozen=True)
class MachineLimit:
    name: str
    device: str
    threads: int
    value: float
    method: str


@dataclass(frozen=True)
class Emulated:
    """Settings of the emulated device."""

    lanes: int
    schedule: str
    diagnostics: bool


@dataclass(frozen=True)
class Excluded:
    sweep: str
    variant: str
    axes: Mapping[str, Scalar]
    reason: str


@dataclass(frozen=True)
class SelfTestRow:
    name: str
    mistake: str
    rejected: bool
    by: str


@dataclass(frozen=True)
class PublishedRow:
    variant: str
    dtype: str
    axes: Mapping[str, Scalar]
    values: Mapping[str, float]


@dataclass(frozen=True)
class PublishedFile:
    file: str
    machine: str
    sweep: str
    rows: tuple[PublishedRow, ...]
    note: str = ""


@dataclass(frozen=True)
class RecordedBaseline:
    """A table of recorded times that speedups can be relative to."""

    file: str
    source: str


@dataclass(frozen=True)
class Run:
    id: str
    lab: str
    title: str
    about: str
    started: str
    finished: str
    state: str
    seconds: float | None
    harness_version: str
    harness_commit: str
    harness_dirty: bool
    command: tuple[str, ...]
    budget_s: float | None
    seed: str
    sandbox: str
    container: Fields
    config_path: str
    config_text: str
    kernel: str
    formula: str
    dtype: str
    baseline: str
    machine: Fields
    noise_before: Mapping
    noise_after: Mapping
    policy: Mapping[str, float | str]
    machine_limits: tuple[MachineLimit, ...]
    self_test: tuple[SelfTestRow, ...]
    accepts_reference: bool | None
    variants: tuple[Variant, ...]
    builds: tuple[Build, ...]
    cases: tuple[Case, ...]
    excluded: tuple[Excluded, ...]
    tables: tuple[Fields, ...]
    plots: tuple[Fields, ...]
    exports: tuple[Fields, ...]
    example: Fields
    published: tuple[PublishedFile, ...]
    metrics_info: Mapping[str, Mapping[str, str]]
    statuses: Mapping[str, tuple[bool, str]]  # name: fails the run, meaning
    emulated: Emulated | None = None
    vendors: tuple[str, ...] = ()
    recorded_baseline: RecordedBaseline | None = None

    def with_status(self, *statuses: str) -> list[Case]:
        return [case for case in self.cases if case.status in statuses]

    @property
    def sweeps(self) -> list[str]:
        return list(dict.fromkeys(case.sweep for case in self.cases))
