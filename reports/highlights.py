"""The summary: sentences about what the numbers of the run show."""

from typing import Sequence

from reports import claims, diagnostics, emulated, ladder, published, trends
from reports.compare import (Leads, behind, by_problem, distinct, item_axes, label, lead_runs, leaders, points,
                             problem_axes, ranked)
from reports.document import Code, Link, Text, join, text
from reports.metrics import MetricInfo, metric_info
from reports.record import Case, Run
from reports.numbers import factor_text, rate, significant
from reports.naming import FASTEST, point, sweep_name
from reports.selection import axis_text, axis_value
from reports.statuses import NOT_RUN, words
from reports.text import are, closed, line, listing, plural, unique

MOST_PAIRS = 6
MOST_ON_FIRST_PAGE = 5
MOST_LEADS = 3  # sentences about the leaders of one sweep


def totals(run: Run) -> str:
    """61 of 61 passed; 20 skipped: no GPU was found on this machine"""
    ran = [case for case in run.cases if case.status not in NOT_RUN]
    parts = [f"{sum(case.status == 'PASSED' for case in ran)} of {len(ran)} passed{emulated.count(run)}" if ran else "no case was run"]
    for status in (row.name for row in run.statuses):
        count = len(run.with_status(status))
        if not count or status == "PASSED":
            continue
        why = unique(line(case.reason, 120) for case in run.with_status(status)) if status == "SKIPPED" else []
        reason = f": {why[0]}" if len(why) == 1 and why[0] else f", for {len(why)} reasons" if len(why) > 1 else ""
        parts.append(f"{count} {words(status)}{reason}")
    if run.run.state and run.run.state != "complete":
        parts.append(f"the run is {'not complete: it was ' if run.run.state == 'interrupted' else 'still '}{line(run.run.state, 40)}")
    return "; ".join(parts)


def highlights(run: Run) -> list[Text]:
    found = [failed(run), *nothing_ran(run), busy(run), diagnostics.highlight(run)]
    for sweep in run.sweeps:
        found += leads(run, [case for case in run.cases if case.sweep == sweep])
    found += [*of_limit(run), *trends.highlights(run), ties(run), *published.highlights(run), *claims.highlights(run)]
    found += [few_samples(run), unranked(run), reused(run), dirty(run)]
    return [sentence for sentence in found if sentence]


def first_page(run: Run, found: ladder.Ladder | None) -> list[Text]:
    """The sentences for a reader who reads no more: what failed, if the machine was busy, the ladder, what the original report said, who leads, doubts."""
    leading = [sentence for sweep in run.sweeps for sentence in leads(run, [case for case in run.cases if case.sweep == sweep])[:1]]
    sentences = [failed(run), *nothing_ran(run), busy(run), diagnostics.highlight(run), *(ladder.sentences(run, found) if found else ()),
                 *claims.highlights(run), published.total(run), *leading, few_samples(run), unranked(run)]
    return [sentence for sentence in sentences if sentence][:MOST_ON_FIRST_PAGE]


def failed(run: Run) -> Text | None:
    cases = [case for case in run.cases if run.legend(case.status).fails]
    if not cases:
        return None
    variants = unique(case.variant for case in cases)
    names = join([text(Code(line(v, 80))) for v in variants[:MOST_PAIRS]])
    return text(f"{plural(len(cases), 'case')} failed (", names, "), see ", Link("cases that did not pass", "not-passed"), ".")


def nothing_ran(run: Run) -> list[Text]:
    """Submitted variants whose cases were all skipped. The run fails because of them."""
    found = []
    for name in (variant.name for variant in run.variants if variant.from_submission):
        cases = [case for case in run.cases if case.variant == name]
        if all(case.status == "SKIPPED" for case in cases):
            why = "; ".join(unique(line(case.reason, 200) for case in cases)[:2])
            found.append(text("The run fails because no case of the submitted variant ", Code(line(name, 80)), f" ran: {closed(why)}"))
    return found


def leads(run: Run, cases: list[Case]) -> list[Text]:
    """Which variant is the fastest at which problems of a sweep, and by how much. For a single variant: which parameter."""
    info = metric_info("kernel_ms", run.metrics_info)
    items, problems = item_axes(cases), problem_axes(cases)
    found = lead_runs(cases, items, info)
    shown = found if len(found) <= MOST_LEADS else most_frequent(found)
    sentences = []
    for key, groups in shown[:MOST_LEADS]:
        where = at(groups, problems, len(found) == 1)
        names = join([text(Code(line(name, 80))) for name in key[:MOST_PAIRS]])
        more = f" and {len(key) - MOST_PAIRS} more" if len(key) > MOST_PAIRS else ""
        first = text("In ", sweep_name(run, cases[0].sweep, *FASTEST), ", ", names, more)
        if len(key) == len(groups[-1]):
            sentences.append(text(first, " are tied", where, apart(groups, info), "."))
        elif len(key) > 1:
            sentences.append(text(first, " are tied as the fastest", where, apart(groups, info), ".",
                                  margin(run, groups[-1], problems, items, tied=True)))
        else:
            sentences.append(text(first, " is the fastest", where, ".", margin(run, groups[-1], problems, items, tied=False),
                                  uncertain(groups)))
    if rest := sum(len(groups) for _, groups in shown[MOST_LEADS:]):
        total = sum(len(groups) for _, groups in shown)
        sentences.append(text("In ", sweep_name(run, cases[0].sweep, *FASTEST), f", others are the fastest at {rest} of {total} problems."))
    return sentences


def most_frequent(found: Leads) -> Leads:
    """One entry per group of leaders, with all problems where they lead. Those who lead most often come first."""
    merged: dict[tuple[str, ...], list[list[Case]]] = {}
    for key, groups in found:
        merged.setdefault(key, []).extend(groups)
    return sorted(merged.items(), key=lambda lead: -len(lead[1]))


def apart(groups: Sequence[Sequence[Case]], info: MetricInfo) -> str:
    """The largest difference between the medians of tied leaders."""
    widest = max(spread(leaders(group, info)) for group in groups)
    return f" (medians differ by at most {significant(100 * widest, 2)} %)"


def spread(cases: Sequence[Case]) -> float:
    medians = [case.metrics["kernel_ms"].median for case in cases]
    return max(medians) / min(medians) - 1 if min(medians) > 0 else 0


def uncertain(groups: Sequence[Sequence[Case]]) -> str:
    """How many cases have too few samples to be sure that they are slower than the fastest."""
    count = sum(distinct(group[0], case, "kernel_ms") is None for group in groups for case in group[1:])
    if not count:
        return ""
    return f" {plural(count, 'comparison is', 'comparisons are')} uncertain, because of too few samples."


def at(groups: Sequence[Sequence[Case]], problems: Sequence[str], all_of_them: bool) -> str:
    """` at size 128 and 256`: names problems by the axes in which they differ."""
    where = [label(group[0], problems) for group in groups]
    if not where[0]:
        return ""
    if len(problems) == 1:
        if all_of_them and len(groups) > 2:
            ends = [axis_text(axis_value(group[0], problems[0])) for group in (groups[0], groups[-1])]
            return f" at every {problems[0]} from {ends[0]} to {ends[1]}"
        values = [axis_text(axis_value(group[0], problems[0])) for group in groups]
        return f" at {problems[0]} {listing(values, 8)}"
    return f" at {listing(where, 4)}"


def margin(run: Run, group: Sequence[Case], problems: Sequence[str], items: Sequence[str], tied: bool) -> Text:
    """The lead in numbers at the last problem of the group: relative to the baseline, or to the slowest."""
    best, last = group[0], group[-1]
    where = label(best, problems)
    at_problem = f" at {where}" if where else ""
    speedup = best.metrics.get("speedup")
    if speedup and speedup.over != best.variant and not speedup.equal:
        few = "" if speedup.interval else f" (too few samples for an interval: n = {speedup.n})"
        subject = text(Code(label(best, items))) if tied else text("It")
        return text(" ", subject, f" is {factor_text(speedup.median)} times as fast as ",
                    Code(speedup.over or run.baseline), f"{at_problem}{few}.")
    slower = behind(group, metric_info("kernel_ms", run.metrics_info))
    if not slower:
        return ()
    name = "The slowest, " if slower[-1] is last else ""  # the last case may be slower only by chance
    factor = factor_text(slower[-1].metrics["kernel_ms"].median / best.metrics["kernel_ms"].median)
    return text(f" {name}", Code(label(slower[-1], items)), f"{',' if name else ''} takes {factor} times as long{at_problem}.")


def of_limit(run: Run) -> list[Text]:
    """The largest share of each machine limit."""
    best: dict[tuple[str, str], Case] = {}
    for case in run.cases:
        metric = case.metrics.get("percent_of_limit")
        if metric and case.comparable:
            key = (metric.limit, case.device)
            if key not in best or metric.median > best[key].metrics["percent_of_limit"].median:
                best[key] = case
    result = []
    for (name, device), case in best.items():
        metric = case.metrics["percent_of_limit"]
        limit = run.limits_of(case).get(name)
        unit = "B/s" if name.startswith("copy") else "FLOP/s"
        of = f"with {plural(case.threads, 'thread')}" if device == "cpu" else f"of the {device.upper()}"
        value = f" ({rate(limit, unit)} {of})" if limit else ""
        result.append(text(Code(line(case.variant, 80)), " comes closest to the machine limit", *([" ", Code(line(name, 80))] if name else []),
                           f"{value}: it reaches {factor_text(metric.median)} % of it at {point(run, case)}."))
    return result


def ties(run: Run) -> Text | None:
    """Pairs of different variants that are tied on one problem, except pairs of leaders."""
    info = metric_info("kernel_ms", run.metrics_info)
    pairs: dict[tuple[str, str], list[dict]] = {}
    widest: dict[tuple[str, str], float] = {}
    for sweep in run.sweeps:
        cases = [case for case in run.cases if case.sweep == sweep]
        problems, items = problem_axes(cases), item_axes(cases)
        for group in by_problem(cases).values():
            order, lead = ranked(group, info), leaders(group, info)
            for i, a in enumerate(order):
                for b in order[i + 1:]:
                    if a.variant != b.variant and not (a in lead and b in lead) and distinct(a, b, info.name) is False:
                        names = tuple(sorted((label(a, items), label(b, items))))
                        pairs.setdefault(names, []).append({axis: axis_value(a, axis) for axis in problems})
                        widest[names] = max(widest.get(names, 0), spread([a, b]))
    if not pairs:
        return None
    parts = [text(Code(line(a, 80)), " and ", Code(line(b, 80)), f" ({points(found)}{': ' if points(found) else ''}medians differ by at "
                  f"most {significant(100 * widest[a, b], 2)} %)") for (a, b), found in list(pairs.items())[:MOST_PAIRS]]
    more = f"; and {len(pairs) - MOST_PAIRS} more pairs" if len(pairs) > MOST_PAIRS else ""
    return text("These pairs are tied: ", join(parts, "; ", "; "), more, ".")


def few_samples(run: Run) -> Text | None:
    few = [case for case in run.cases if (m := case.metrics.get("kernel_ms")) and m.n and not m.interval]
    if not few:
        return None
    parts = [text(Code(line(case.variant, 80)), f" {point(run, case)} (n = {case.metrics['kernel_ms'].n})")
             for case in few[:MOST_PAIRS]]
    more = f" and {len(few) - MOST_PAIRS} more" if len(few) > MOST_PAIRS else ""
    return text(f"{plural(len(few), 'case')} {'has' if len(few) == 1 else 'have'} too few samples for an interval: ",
                join(parts, ", ", ", " if more else " and "), more, ".")


def unranked(run: Run) -> Text | None:
    """Cases whose output is right but whose times may not be compared."""
    cases = [case for case in run.cases if case.metrics and case.status != "PASSED" and not run.legend(case.status).fails]
    if not cases:
        return None
    parts = [text(Code(line(case.variant, 80)), f" {point(run, case)}") for case in cases[:MOST_PAIRS]]
    more = f" and {len(cases) - MOST_PAIRS} more" if len(cases) > MOST_PAIRS else ""
    why = listing([words(status) for status in unique(case.status for case in cases)])
    return text(f"{plural(len(cases), 'case')} {are(len(cases))} right but not ranked ({why}): ",
                join(parts, ", ", ", " if more else " and "), more, ".")


def busy(run: Run) -> Text | None:
    """Before the run began, more processes were ready to run than the machine has cores, so no time is reliable."""
    load, cores = run.noise.before.get("load_1min"), run.machine.cpu.cores
    if not isinstance(load, (int, float)) or not cores or load <= cores:
        return None
    return text(f"The machine was busy when the run began: its load was {significant(load, 2)} on {plural(cores, 'core')}. Times can be "
                "longer, and scatter more, than on an idle machine.")


def reused(run: Run) -> Text | None:
    cases = [case for case in run.cases if case.reused_from]
    if not cases:
        return None
    sources = unique(line(case.reused_from, 60) for case in cases)
    return text(f"{len(cases)} of {plural(len(run.cases), 'case')} {'was' if len(cases) == 1 else 'were'} reused from "
                f"{'an earlier run' if len(sources) == 1 else 'earlier runs'} (", join([text(Code(s)) for s in sources[:3]]),
                f"{' and others' if len(sources) > 3 else ''}) with the same sources, compiler, flags and machine.")


def dirty(run: Run) -> Text | None:
    if not run.run.harness.dirty:
        return None
    return text("The harness had uncommitted changes, so its commit is not enough to reproduce this report.")
