"""The types of run.json. Written by reports/generate.py: do not edit."""

from typing import Any, Literal

from msgspec import Struct

from reports.derived import CaseFacts, MetricFacts, RunFacts


class ProgramVersion(Struct, frozen=True, kw_only=True):
    """The harness that made the run."""

    version: str
    commit: str
    dirty: bool


class ConfigText(Struct, frozen=True, kw_only=True):
    """The configuration of the lab."""

    path: str
    text: str


class RunInfo(Struct, frozen=True, kw_only=True):
    """When and how the run was made."""

    id: str
    lab: str
    title: str
    about: str = ""
    started: str
    finished: str = ""
    state: Literal["running", "complete", "interrupted"]
    seconds: float | None = None
    harness: ProgramVersion
    command: tuple[str, ...]
    settings: tuple[str, ...] = ()
    budget_s: float | None = None
    seed: str = ""
    sandbox: str
    config: ConfigText


class Kernel(Struct, frozen=True, kw_only=True):
    """What is computed."""

    name: str
    formula: str
    dtype: Literal["f32", "f64", "bf16"]


class Cpu(Struct, frozen=True, kw_only=True):
    """The processor. A field that Linux does not tell is absent."""

    model: str
    vendor: str = ""
    cores: int
    features: tuple[str, ...]
    l1d_bytes: int = 0
    l2_bytes: int = 0
    l3_bytes: int = 0
    governor: str = ""
    turbo: str = ""


class GpuCapacity(Struct, frozen=True, kw_only=True):
    """What a GPU has, as its driver tells a program. A field that it does not tell is absent."""

    multiprocessors: int = 0
    warp_size: int = 0
    threads_per_block: int = 0
    threads_per_multiprocessor: int = 0
    registers_per_block: int = 0
    shared_bytes_per_block: int = 0
    shared_bytes_per_multiprocessor: int = 0
    l2_bytes: int = 0
    grid: tuple[int, ...] = ()


class Gpu(Struct, frozen=True, kw_only=True):
    """A GPU."""

    index: int
    name: str
    uuid: str
    driver: str
    vendor: str
    architecture: str
    memory_bytes: int
    capacity: GpuCapacity | None = None
    details: dict[str, Any] = {}


class Tool(Struct, frozen=True, kw_only=True):
    """A compiler or another program that was found."""

    name: str
    version: str
    path: str


class Machine(Struct, frozen=True, kw_only=True):
    """The machine. In a container the tools are those of the image."""

    cpu: Cpu
    memory_bytes: int
    available_bytes: int = 0
    os: str
    kernel: str
    gpus: tuple[Gpu, ...]
    tools: tuple[Tool, ...]
    virtualization: str = ""
    hostname_hash: str = ""


class Noise(Struct, frozen=True, kw_only=True):
    """What else the machine did: load, steal, throttling, GPU clocks."""

    before: dict[str, Any] = {}
    after: dict[str, Any] = {}


class MachineLimit(Struct, frozen=True, kw_only=True):
    """A measured machine limit."""

    name: str
    device: str
    threads: int
    value: float
    method: str = ""


class Policy(Struct, frozen=True, kw_only=True):
    """How samples are taken."""

    precision: float
    max_time_s: float
    min_batch_ms: float
    min_samples: int
    max_samples: int
    drop_slower: bool | None = None
    cpu_cache: Literal["fresh", "cold"] | None = None
    gpu_cache: Literal["cold", "hot"]


class RecordedBaseline(Struct, frozen=True, kw_only=True):
    """A table of recorded times that speedups are relative to."""

    file: str
    source: str


class StatedDevice(Struct, frozen=True, kw_only=True):
    """The device that the configuration states for occupied warps."""

    max_warps: int
    lanes: int


class SelfTestRow(Struct, frozen=True, kw_only=True):
    """A wrong kernel that the check must reject."""

    name: str
    mistake: str
    rejected: bool
    by: str = ""


class SelfTest(Struct, frozen=True, kw_only=True):
    """The check, tested on wrong kernels before the run."""

    accepts_reference: bool
    rows: tuple[SelfTestRow, ...]


class MetricInfo(Struct, frozen=True, kw_only=True):
    """What a metric is."""

    label: str
    unit: str
    better: Literal["lower", "higher"]
    doc: str


class StatusRow(Struct, frozen=True, kw_only=True):
    """What a status means."""

    name: Literal["PASSED", "WRONG", "COMPILE_ERROR", "CRASHED", "TIMEOUT", "OUT_OF_MEMORY", "OUT_OF_BOUNDS", "INPUT_MODIFIED", "MISTRUSTED", "SUSPECT", "UNSTABLE", "THROTTLED", "SKIPPED", "CANCELLED"]
    fails: bool
    meaning: str


class Variant(Struct, frozen=True, kw_only=True):
    """One implementation of the kernel."""

    name: str
    file: str
    summary: str
    gpu: bool
    needs: tuple[str, ...]
    about: str
    from_submission: bool
    precision: str
    macros: dict[str, str] = {}
    drawing: str = ""
    tuned: str = ""


class SourceFile(Struct, frozen=True, kw_only=True):
    """A file that the run was made of. The store keeps its text."""

    path: str
    hash: str
    variant: str = ""


class Emulated(Struct, frozen=True, kw_only=True):
    """Settings of the emulated device."""

    lanes: int
    schedule: str
    diagnostics: bool


class Container(Struct, frozen=True, kw_only=True):
    """The container that the variants were built and run in."""

    program: str
    version: str
    runtime: str
    image: str
    digest: str
    id: str
    limits: Literal["control groups", "each process"]
    mounts: tuple[str, ...]
    driver: str = ""


class Excluded(Struct, frozen=True, kw_only=True):
    """A point of a sweep that the configuration leaves out."""

    sweep: str
    variant: str
    axes: dict[str, int | float | str]
    reason: str


class PublishedRow(Struct, frozen=True, kw_only=True):
    """The published numbers of one case."""

    variant: str
    dtype: str = ""
    axes: dict[str, int | float | str]
    values: dict[str, float]


class PublishedFile(Struct, frozen=True, kw_only=True):
    """A table of published figures."""

    file: str
    machine: str = ""
    sweep: str = ""
    note: str = ""
    rows: tuple[PublishedRow, ...]


class ClaimPoint(Struct, frozen=True, kw_only=True):
    """One number that a claim is about."""

    at: str
    answer: Literal["HOLDS", "FAILS", "UNDECIDED"]
    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""


class AnsweredClaim(Struct, frozen=True, kw_only=True):
    """What one set of figures says of a claim."""

    machine: str = ""
    answer: Literal["HOLDS", "FAILS", "UNDECIDED"]
    why: str
    points: tuple[ClaimPoint, ...]


class Claim(Struct, frozen=True, kw_only=True):
    """A sentence of the original report, and what the numbers say of it."""

    text: str
    source: str
    stated: str = ""
    number: str
    measured: AnsweredClaim
    published: tuple[AnsweredClaim, ...]


class KernelFunction(Struct, frozen=True, kw_only=True):
    """A function that runs on the GPU, as the compiler built it."""

    name: str
    architecture: str
    registers: int
    shared_bytes: int = 0
    dynamic_shared: bool | None = None
    stack_bytes: int = 0
    spill_store_bytes: int = 0
    spill_load_bytes: int = 0
    threads_per_block: int = 0
    blocks: int = 0
    warps: int = 0
    max_warps: int = 0
    occupancy: float | None = None
    limited_by: str = ""


class Build(Struct, frozen=True, kw_only=True):
    """One variant compiled with one set of macros."""

    key: str
    variant: str
    macros: dict[str, str]
    state: Literal["built", "cached", "failed"]
    seconds: float | None = None
    command: str
    compiler: str
    log: str
    source_hash: str
    warnings: tuple[str, ...] = ()
    kernel_functions: tuple[KernelFunction, ...] = ()


class CheckLine(Struct, frozen=True, kw_only=True):
    """One part of the check."""

    name: str
    right: bool
    worst_ratio: float | None = None
    worst_ratio_gamma: float | None = None
    detail: str


class Check(Struct, frozen=True, kw_only=True):
    """What the check found."""

    lines: tuple[CheckLine, ...]
    shapes: int
    left_out: int = 0
    deterministic: bool | None = None
    timed_output: bool
    message: str


class Metric(MetricFacts, Struct, frozen=True, kw_only=True):
    """A measured or derived number. It has no interval if there are fewer than 6 samples."""

    median: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    min: float | None = None
    max: float | None = None
    q1: float | None = None
    q3: float | None = None
    limit: str = ""
    over: str = ""
    source: str = ""
    of: str = ""
    paired: bool | None = None
    equal: bool | None = None
    blocks: int = 0
    threads_per_block: int = 0
    maximum: int = 0
    lanes: int = 0
    stated: bool | None = None
    device_warps: int = 0
    device_lanes: int = 0


class Note(Struct, frozen=True, kw_only=True):
    """A remark of a case."""

    code: str
    arguments: dict[str, int | float | str]
    text: str


class Diagnostic(Struct, frozen=True, kw_only=True):
    """What the emulated device saw at one line of the source."""

    kind: str
    severity: Literal["mistake", "advice"]
    kernel: str
    file: str
    line: int
    other_file: str
    other_line: int
    source: str
    what: str
    fix: str
    count: int
    have: int
    ideal: int
    block: tuple[int, ...]
    thread: tuple[int, ...]


class Case(CaseFacts, Struct, frozen=True, kw_only=True):
    """One variant at one point of a sweep."""

    id: str
    sweep: str
    variant: str
    dtype: Literal["f32", "f64", "bf16"]
    axes: dict[str, int | float | str]
    parameters: dict[str, int | float | str]
    label: str
    threads: int
    device: Literal["cpu", "gpu", "emulated"]
    gpu: str
    owner: str = ""
    status: Literal["PASSED", "WRONG", "COMPILE_ERROR", "CRASHED", "TIMEOUT", "OUT_OF_MEMORY", "OUT_OF_BOUNDS", "INPUT_MODIFIED", "MISTRUSTED", "SUSPECT", "UNSTABLE", "THROTTLED", "SKIPPED", "CANCELLED"]
    reason: str
    build_key: str
    run_key: str
    reused_from: str
    check: Check
    flops: float | None = None
    bytes: float | None = None
    metrics: dict[str, Metric]
    samples_ms: tuple[float, ...]
    overhead_spread_ms: float | None = None
    rounds: tuple[int, ...]
    warmup_ms: tuple[float, ...]
    calls_per_sample: int
    stop_reason: Literal["none", "precision", "plateau", "time_cap", "sample_cap", "budget", "slower"]
    notes: tuple[Note, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


class Run(RunFacts, Struct, frozen=True, kw_only=True):
    """The whole file."""

    schema: Literal["harness/run/2"]
    run: RunInfo
    kernel: Kernel
    machine: Machine
    noise: Noise
    machine_limits: tuple[MachineLimit, ...]
    policy: Policy
    baseline: str = ""
    vendors: tuple[str, ...] = ()
    recorded_baseline: RecordedBaseline | None = None
    stated_device: StatedDevice | None = None
    selftest: SelfTest | None = None
    metrics_info: dict[str, MetricInfo]
    statuses: tuple[StatusRow, ...]
    variants: tuple[Variant, ...]
    sources: tuple[SourceFile, ...] = ()
    emulated: Emulated | None = None
    container: Container | None = None
    excluded: tuple[Excluded, ...]
    report: dict[str, Any]
    published: tuple[PublishedFile, ...]
    claims: tuple[Claim, ...] = ()
    builds: tuple[Build, ...]
    cases: tuple[Case, ...]
