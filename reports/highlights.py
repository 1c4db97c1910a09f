"""The summary: sentences about what the numbers of the run show."""

from typing import Sequence

from reports import claims, diagnostics, emulated, ladder, published, trends
from reports.compare import (Leads, behind, by_problem, distinct, item_axes, label, lead_runs, leaders, points,
                             problem_axes, ranked)
from reports.document import Code, Link, Text, join, say, say_many, text
from reports.language import mark, told, tr, tr_many
from reports.metrics import MetricInfo, metric_info
from reports.record import Case, Run
from reports.numbers import factor_text, rate, significant
from reports.naming import FASTEST, point, sweep_name
from reports.selection import axis_text, axis_value
from reports.statuses import NOT_RUN, words
from reports.text import closed, line, listing, plural, unique

MOST_PAIRS = 6
MOST_ON_FIRST_PAGE = 5
MOST_LEADS = 3  # sentences about the leaders of one sweep


def totals(run: Run) -> str:
    """61 of 61 passed; 20 skipped: no GPU was found on this machine"""
    ran = [case for case in run.cases if case.status not in NOT_RUN]
    parts = [tr("{passed} of {ran} passed", passed=sum(case.status == "PASSED" for case in ran), ran=len(ran)) + emulated.count(run) if ran
             else tr("no case was run")]
    for status in (row.name for row in run.statuses):
        count = len(run.with_status(status))
        if not count or status == "PASSED":
            continue
        why = unique(line(told(case.reason), 120) for case in run.with_status(status)) if status == "SKIPPED" else []
        reason = tr(": ") + why[0] if len(why) == 1 and why[0] else tr(", for {n} reasons", n=len(why)) if len(why) > 1 else ""
        parts.append(tr("{n} {status}", n=count, status=words(status)) + reason)
    if run.run.state and run.run.state != "complete":
        parts.append(tr("the run is not complete: it was interrupted") if run.run.state == "interrupted" else
                     tr("the run is still {state}", state=line(run.run.state, 40)))
    return tr("; ").join(parts)


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
    return say_many("{n} case failed ({names}), see {link}.", "{n} cases failed ({names}), see {link}.", len(cases), names=names,
                    link=Link(tr("cases that did not pass"), "not-passed"))


def nothing_ran(run: Run) -> list[Text]:
    """Submitted variants whose cases were all skipped. The run fails because of them."""
    found = []
    for name in (variant.name for variant in run.variants if variant.from_submission):
        cases = [case for case in run.cases if case.variant == name]
        if all(case.status == "SKIPPED" for case in cases):
            why = tr("; ").join(unique(line(told(case.reason), 200) for case in cases)[:2])
            found.append(say("The run fails because no case of the submitted variant {name} ran: {why}", name=Code(line(name, 80)), why=closed(why)))
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
        more = tr(" and {n} more", n=len(key) - MOST_PAIRS) if len(key) > MOST_PAIRS else ""
        parts = {"sweep": sweep_name(run, cases[0].sweep, *FASTEST), "names": text(names, more), "where": where, "apart": apart(groups, info)}
        if len(key) == len(groups[-1]):
            sentences.append(say("In {sweep}, {names} are tied{where}{apart}.", **parts))
        elif len(key) > 1:
            sentences.append(text(say("In {sweep}, {names} are tied as the fastest{where}{apart}.", **parts),
                                  margin(run, groups[-1], problems, items, tied=True)))
        else:
            sentences.append(text(say("In {sweep}, {names} is the fastest{where}.", **parts), margin(run, groups[-1], problems, items, tied=False),
                                  uncertain(groups)))
    if rest := sum(len(groups) for _, groups in shown[MOST_LEADS:]):
        total = sum(len(groups) for _, groups in shown)
        sentences.append(say("In {sweep}, others are the fastest at {rest} of {total} problems.", sweep=sweep_name(run, cases[0].sweep, *FASTEST),
                             rest=str(rest), total=str(total)))
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
    return tr(" (medians differ by at most {percent} %)", percent=significant(100 * widest, 2))


def spread(cases: Sequence[Case]) -> float:
    medians = [case.metrics["kernel_ms"].median for case in cases]
    return max(medians) / min(medians) - 1 if min(medians) > 0 else 0


def uncertain(groups: Sequence[Sequence[Case]]) -> str:
    """How many cases have too few samples to be sure that they are slower than the fastest."""
    count = sum(distinct(group[0], case, "kernel_ms") is None for group in groups for case in group[1:])
    if not count:
        return ""
    return " " + tr_many("{n} comparison is uncertain, because of too few samples.", "{n} comparisons are uncertain, because of too few samples.",
                         count)


def at(groups: Sequence[Sequence[Case]], problems: Sequence[str], all_of_them: bool) -> str:
    """` at size 128 and 256`: names problems by the axes in which they differ."""
    where = [label(group[0], problems) for group in groups]
    if not where[0]:
        return ""
    if len(problems) == 1:
        if all_of_them and len(groups) > 2:
            ends = [axis_text(axis_value(group[0], problems[0])) for group in (groups[0], groups[-1])]
            return tr(" at every {axis} from {first} to {last}", axis=problems[0], first=ends[0], last=ends[1])
        values = [axis_text(axis_value(group[0], problems[0])) for group in groups]
        return tr(" at {point}", point=f"{problems[0]} {listing(values, 8)}")
    return tr(" at {point}", point=listing(where, 4))


def margin(run: Run, group: Sequence[Case], problems: Sequence[str], items: Sequence[str], tied: bool) -> Text:
    """The lead in numbers at the last problem of the group: relative to the baseline, or to the slowest."""
    best, last = group[0], group[-1]
    where = label(best, problems)
    at_problem = tr(" at {point}", point=where) if where else ""
    speedup = best.metrics.get("speedup")
    if speedup and speedup.over != best.variant and not speedup.equal:
        few = "" if speedup.interval else tr(" (too few samples for an interval: n = {n})", n=speedup.n)
        subject = Code(label(best, items)) if tied else tr("It")
        return text(" ", say("{name} is {factor} times as fast as {other}{where}{few}.", name=subject, factor=factor_text(speedup.median),
                             other=Code(speedup.over or run.baseline), where=at_problem, few=few))
    slower = behind(group, metric_info("kernel_ms", run.metrics_info))
    if not slower:
        return ()
    # the last case may be slower only by chance
    sentence = mark("The slowest, {name}, takes {factor} times as long{where}.") if slower[-1] is last else mark(
        "{name} takes {factor} times as long{where}.")
    factor = factor_text(slower[-1].metrics["kernel_ms"].median / best.metrics["kernel_ms"].median)
    return text(" ", say(sentence, name=Code(label(slower[-1], items)), factor=factor, where=at_problem))


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
        of = tr_many("with {n} thread", "with {n} threads", case.threads) if device == "cpu" else tr("of the {device}", device=device.upper())
        value = tr(" ({rate} {of})", rate=rate(limit, unit), of=of) if limit else ""
        result.append(say("{name} comes closest to the machine limit{limit}{value}: it reaches {percent} % of it at {point}.",
                          name=Code(line(case.variant, 80)), limit=text(" ", Code(line(name, 80))) if name else "", value=value,
                          percent=factor_text(metric.median), point=point(run, case)))
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
    parts = [say("{one} and {other} ({where}medians differ by at most {percent} %)", one=Code(line(a, 80)), other=Code(line(b, 80)),
                 where=points(found) + tr(": ") if points(found) else "", percent=significant(100 * widest[a, b], 2))
             for (a, b), found in list(pairs.items())[:MOST_PAIRS]]
    more = tr("; and {n} more pairs", n=len(pairs) - MOST_PAIRS) if len(pairs) > MOST_PAIRS else ""
    return say("These pairs are tied: {pairs}.", pairs=text(join(parts, "; ", "; "), more))


def few_samples(run: Run) -> Text | None:
    few = [case for case in run.cases if (m := case.metrics.get("kernel_ms")) and m.n and not m.interval]
    if not few:
        return None
    parts = [text(Code(line(case.variant, 80)), f" {point(run, case)} (n = {case.metrics['kernel_ms'].n})")
             for case in few[:MOST_PAIRS]]
    return say_many("{n} case has too few samples for an interval: {cases}.", "{n} cases have too few samples for an interval: {cases}.",
                    len(few), cases=and_more(parts, len(few)))


def and_more(parts: list[Text], count: int) -> Text:
    """All parts, or the first of `count`."""
    more = tr(" and {n} more", n=count - MOST_PAIRS) if count > MOST_PAIRS else ""
    return text(join(parts, ", ", ", " if more else " and "), more)


def unranked(run: Run) -> Text | None:
    """Cases whose output is right but whose times may not be compared."""
    cases = [case for case in run.cases if case.metrics and case.status != "PASSED" and not run.legend(case.status).fails]
    if not cases:
        return None
    parts = [text(Code(line(case.variant, 80)), f" {point(run, case)}") for case in cases[:MOST_PAIRS]]
    why = listing([words(status) for status in unique(case.status for case in cases)])
    return say_many("{n} case is right but not ranked ({why}): {cases}.", "{n} cases are right but not ranked ({why}): {cases}.", len(cases),
                    why=why, cases=and_more(parts, len(cases)))


def busy(run: Run) -> Text | None:
    """Before the run began, more processes were ready to run than the machine has cores, so no time is reliable."""
    load, cores = run.noise.before.get("load_1min"), run.machine.cpu.cores
    if not isinstance(load, (int, float)) or not cores or load <= cores:
        return None
    return say("The machine was busy when the run began: its load was {load} on {cores}. Times can be longer, and scatter more, than on an "
               "idle machine.", load=significant(load, 2), cores=plural(cores, "core"))


def reused(run: Run) -> Text | None:
    cases = [case for case in run.cases if case.reused_from]
    if not cases:
        return None
    sources = unique(line(case.reused_from, 60) for case in cases)
    runs = text(join([text(Code(s)) for s in sources[:3]]), tr(" and others") if len(sources) > 3 else "")
    runs = say("an earlier run ({runs})", runs=runs) if len(sources) == 1 else say("earlier runs ({runs})", runs=runs)
    return say_many("{n} of {cases} was reused from {runs} with the same sources, compiler, flags and machine.",
                    "{n} of {cases} were reused from {runs} with the same sources, compiler, flags and machine.", len(cases),
                    cases=plural(len(run.cases), "case"), runs=runs)


def dirty(run: Run) -> Text | None:
    if not run.run.harness.dirty:
        return None
    return say("The harness had uncommitted changes, so its commit is not enough to reproduce this report.")
