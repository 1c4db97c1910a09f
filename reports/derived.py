"""What follows from the fields of a run, a case or a metric. The types of reports/record.py inherit it."""

from reports.errors import ReportError
from reports.fields import Fields
from reports.language import tr

ADVICE, MISTAKE = "advice", "mistake"  # severities of a diagnostic


class MetricFacts:
    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.low is None or self.high is None else (self.low, self.high)


class CaseFacts:
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


class RunFacts:
    def with_status(self, *statuses: str) -> list:
        return [case for case in self.cases if case.status in statuses]

    def legend(self, status: str):
        """The row of `statuses` that explains a status."""
        for row in self.statuses:
            if row.name == status:
                return row
        raise ReportError(f'run.json: "statuses" does not explain {status}')

    def whose(self, variant: str) -> str:
        """" (submission)" behind the name of a submitted variant."""
        return tr(" (submission)") if any(v.name == variant and v.from_submission for v in self.variants) else ""

    def types(self, variant: str = "") -> list[str]:
        """The element types of the cases, of all variants or of one; without a case that of the lab."""
        found = [case.dtype for case in self.cases if variant in ("", case.variant)]
        return list(dict.fromkeys(found)) or [self.kernel.dtype]

    def limits_of(self, case) -> dict[str, float]:
        """The machine limits of the case's device, with as many threads, by name."""
        return {one.name: one.value for one in self.machine_limits
                if (one.device == "cpu") == (case.device == "cpu") and one.threads == case.threads}

    @property
    def sweeps(self) -> list[str]:
        return list(dict.fromkeys(case.sweep for case in self.cases))

    def asked(self, part: str, singular: str) -> tuple[Fields, ...]:
        """The tables, plots or exports that the configuration asks for."""
        return tuple(Fields(self.report, "run.json: report").objects(part, singular))

    @property
    def examples(self) -> list[Fields]:
        """Older runs have one, under another name."""
        report = Fields(self.report, "run.json: report")
        return report.objects("examples", "example") if report.values.get("examples") else [report.object("example")]
