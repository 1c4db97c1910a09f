"""report.html in a browser: what lies behind a number, order and filter, keyboard, phone, paper, and hostile text."""

import hashlib
import json
import re

import pytest

from reports import evidence
from reports.render import render_run
from reports.tests.browser import chromium, sideways, violations, visit  # noqa: F401: fixtures
from reports.tests.recorded import add_student, recorded_run
from reports.tests.test_report import HOSTILE, hostile_run

SOURCE = "// the text of the baseline\nint main() { return \"</script><script>window.evil = 1</script>\"; }\n"
MOST_BYTES = 2_000_000


def made(folder, recorded: dict):
    (folder / "run.json").write_text(json.dumps(recorded), encoding="utf-8")
    render_run(folder, ("html",))
    return folder / "report.html"


def with_source(folder, recorded: dict) -> dict:
    """As in a bundle: the text lies in sources/, and the run knows its hash."""
    hashed = hashlib.sha256(SOURCE.encode()).hexdigest()
    path = next(variant["file"] for variant in recorded["variants"] if variant["name"] == "cpu_baseline")
    for build in recorded["builds"]:
        if build["variant"] == "cpu_baseline":
            build["source_hash"] = hashed
    (folder / "sources" / path).parent.mkdir(parents=True)
    (folder / "sources" / path).write_text(SOURCE)
    return recorded


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    return made(folder, with_source(folder, add_student(recorded_run())))


def numbers(page, table: int = 1):
    return page.locator(f"#table-{table} button.number")


def hover(page, button) -> None:
    """Waits until the page has told its scripts that it scrolled: that ends a glance."""
    button.scroll_into_view_if_needed()
    page.evaluate("() => new Promise(told => requestAnimationFrame(() => requestAnimationFrame(told)))")
    button.hover()


def shown_rows(page, table: int = 1) -> list[str]:
    return [row.inner_text().split()[0] for row in page.locator(f"#table-{table} tbody tr").all() if row.is_visible()]


def case_of(report, page, button) -> dict:
    name = button.evaluate("button => button.closest('td').dataset.case")
    return next(case for case in json.loads((report.parent / "run.json").read_text())["cases"] if case["id"] == name)


def test_a_glance_at_a_number(report, visit):
    page = visit(report)
    button = numbers(page).first
    case, peek = case_of(report, page, button), page.locator("#peek")
    assert not peek.is_visible()
    hover(page, button)
    assert peek.locator("circle").count() == len(case["samples_ms"]) > 1
    text = peek.inner_text()
    assert f"{case['variant']} size=128: PASSED" in text and f"n = {case['metrics']['kernel_ms']['n']}" in text
    assert "95 % interval" in text and f"check: right in all {len(case['check']['lines'])} parts" in text
    peek.hover()
    assert peek.is_visible()
    page.keyboard.press("Escape")
    page.wait_for_timeout(500)  # the pointer is now over another number, but did not move
    assert not peek.is_visible()
    page.mouse.move(0, 0)
    hover(page, numbers(page).nth(1))
    assert peek.is_visible()


def test_all_that_lies_behind_a_number(report, visit):
    page = visit(report)
    button = numbers(page).first
    case, sheet = case_of(report, page, button), page.locator("#sheet")
    button.click()
    assert sheet.locator("h2").inner_text() == "cpu_baseline size=128: PASSED"
    assert sheet.locator("circle").count() == len(case["samples_ms"])
    text = sheet.inner_text()
    build, = [build for build in json.loads((report.parent / "run.json").read_text())["builds"] if build["key"] == case["build_key"]]
    assert build["command"] in text and build["compiler"] in text and build["source_hash"] in text
    assert all(part["name"] in text and part["detail"] in text for part in case["check"]["lines"])
    assert "bin/harness show " in text and "cpu_sizes/cpu_baseline size=128" in text
    source, raw, clocks = sheet.locator("details").all()
    source.locator("summary").click()
    assert source.locator("pre").inner_text().splitlines() == [f"{i:5}  {line}" for i, line in enumerate(SOURCE.splitlines(), 1)] + ["    3  "]
    raw.locator("summary").click()
    assert json.loads(raw.locator("pre").inner_text()) == case | {"samples_taken": len(case["samples_ms"])}
    link = page.url
    assert "#case=" in link
    page.keyboard.press("Escape")
    assert not sheet.is_visible() and "#" not in page.url
    assert page.evaluate("document.activeElement.className") == "number"
    again = visit(report, "#" + link.split("#")[1])
    assert again.locator("#sheet h2").inner_text() == "cpu_baseline size=128: PASSED"
    again.locator("#sheet .close").click()
    assert not again.locator("#sheet").is_visible()


def test_how_numbers_were_made(tmp_path, visit):
    recorded = recorded_run()
    case = next(case for case in recorded["cases"] if case["stop_reason"] == "time_cap")
    case["metrics"] |= {"warps_occupied": {"median": 163845, "n": 1}, "speedup_total": {"median": 2.5, "n": 1}, "h2d_ms": {"median": 3.25, "n": 1}}
    page = visit(made(tmp_path, recorded))
    page.locator("td[data-case=" + json.dumps(case["id"]) + "] button.number").first.click()
    text = page.locator("#sheet").inner_text()
    assert ": 163845, counted from the launch\n" in text and ": 2.5, computed from two medians\n" in text
    assert "h2d_ms: 3.25, too few samples for an interval, n = 1\n" in text
    assert f"3 samples; calls per sample: {case['calls_per_sample']}; sampling reached the time limit of a case." in text


def test_a_link_that_is_no_link(report, visit):
    page = visit(report, "#case=%")
    assert not page.locator("#sheet").is_visible() and numbers(page).count() > 2


def test_a_number_without_a_text_of_its_source(report, visit):
    page = visit(report)
    page.locator("#table-1 tr", has_text="cpu_avx").locator("button.number").first.click()
    assert page.locator("#sheet details").count() == 2
    assert "The text is not in this page; the command below prints it where it is kept." in page.locator("#sheet").inner_text()


def test_keys_alone(report, visit):
    page = visit(report)
    page.locator("#table-1 input").focus()
    focused = lambda: page.evaluate("document.activeElement.closest('td')?.dataset.case")
    for _ in range(20):
        page.keyboard.press("Tab")
        if focused():
            break
    ids = lambda row: [button.evaluate("b => b.closest('td').dataset.case") for button in page.locator(f"#table-1 tbody tr >> nth={row}").locator("button.number").all()]
    first, second = ids(0), ids(1)
    assert focused() == first[0] and page.locator("#peek").is_visible()
    page.keyboard.press("ArrowRight")
    assert focused() == first[1]
    page.keyboard.press("ArrowDown")
    assert focused() == second[1]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert focused() == first[0]
    assert page.evaluate("document.querySelectorAll('#table-1 button.number[tabindex=\"0\"]').length") == 1
    page.keyboard.press("Enter")
    assert page.locator("#sheet").is_visible()
    page.keyboard.press("Escape")
    assert focused() == first[0]
    page.keyboard.press("Tab")
    assert focused() is None


def test_order_and_back(report, visit):
    page = visit(report)
    before = shown_rows(page)
    head = page.locator("#table-1 thead tr").last.locator("th").nth(1)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    times = lambda: [cell.evaluate("cell => cell.dataset.value") for cell in page.locator("#table-1 tbody tr td:nth-child(2)").all()]
    up = [float(value) for value in times() if value is not None]
    assert up == sorted(up) and len(up) > 2 and None not in times()[:len(up)]
    head.locator("button").click()
    down = [float(value) for value in times() if value is not None]
    assert down == up[::-1] and head.get_attribute("aria-sort") == "descending" and None not in times()[:len(up)]
    head.locator("button").click()
    assert shown_rows(page) == before and head.get_attribute("aria-sort") is None


def test_filter(report, visit):
    page = visit(report)
    table = page.locator("figure.table:has(input)").first
    rows = table.locator("tbody tr")
    everything = rows.count()
    table.locator("input").fill("AVX")
    kept = [row.inner_text() for row in rows.all() if row.is_visible()]
    assert kept and all("avx" in text for text in kept)
    assert table.locator("output").inner_text() == f"{len(kept)} of {everything} rows"
    table.locator("input").fill("")
    assert sum(row.is_visible() for row in rows.all()) == everything and table.locator("output").inner_text() == ""


def test_labels_that_were_left_blank_come_back(report, visit):
    """A label that repeats the row above is not shown, until the rows have another order."""
    page = visit(report)
    repeated = page.locator("td:has(> .repeated)").first
    width = lambda: repeated.locator(".repeated").bounding_box()["width"]
    assert repeated.locator(".repeated").inner_text() and width() <= 1
    repeated.evaluate("cell => cell.closest('table').querySelector('button.order').click()")
    assert width() > 5


def test_a_phone(report, visit):
    page = visit(report, width=360, height=640, has_touch=True, is_mobile=True)
    assert sideways(page) == 0
    numbers(page).first.tap()
    sheet = page.locator("#sheet")
    assert sheet.is_visible() and sideways(page) == 0
    for summary in sheet.locator("summary").all():
        summary.tap()
    assert sheet.evaluate("sheet => sheet.scrollWidth - sheet.clientWidth") == 0 and sideways(page) == 0


def test_paper_has_no_controls(report, visit):
    page = visit(report)
    text = page.locator("#table-1 table").inner_text()
    page.emulate_media(media="print")
    assert not page.locator("#table-1 input").is_visible() and page.locator("#table-1 table").inner_text() == text


def test_without_scripts_it_is_still_the_report(report, visit):
    page = visit(report, java_script_enabled=False)
    assert page.locator("#table-1 tbody tr").count() > 2 and page.locator("button").count() == 0


def test_hostile_text_stays_text(tmp_path, visit):
    evil = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 1'><!--"
    recorded = json.loads(json.dumps(hostile_run()).replace(json.dumps(HOSTILE)[1:-1], json.dumps(evil)[1:-1]))
    case = next(case for case in recorded["cases"] if case["variant"] == "cpu_student")
    case["id"] = f"{case['id']}{evil}\" onfocus=\"window.evil = 1"
    page = visit(made(tmp_path, with_source(tmp_path, recorded)))
    assert page.locator("script").count() == 2 and page.locator("img").count() == 0
    button = page.locator("button.number").filter(has_text="WRONG").first
    hover(page, button)
    button.click()
    for summary in page.locator("#sheet summary").all():
        summary.click()
    assert evil in page.locator("#sheet").inner_text()
    page.keyboard.press("Escape")
    numbers(page).first.click()
    page.locator("#sheet summary").first.click()
    assert "window.evil = 1" in page.locator("#sheet").inner_text()
    assert page.locator("script").count() == 2 and page.locator("img, [onerror], [onfocus]").count() == 0
    assert page.evaluate("window.evil") is None


def test_nobody_else_can_run_a_script(report):
    page = report.read_text(encoding="utf-8")
    assert "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" in page and page.count("</script>") == 2


@pytest.mark.parametrize("width", [1100, 360])
def test_readable_for_all(report, visit, width):
    """With axe-core; in parts, because a whole page takes it half a minute."""
    page = visit(report, width=width, bypass_csp=True)
    assert violations(page, "header", "nav", "#summary", "#table-1", "figure.plot") == []
    numbers(page).first.click()
    for summary in page.locator("#sheet summary").all():
        summary.click()
    assert violations(page, "#sheet") == []


def test_a_large_run_is_a_small_page(tmp_path):
    """150 cases with as many samples as a case may have."""
    recorded = recorded_run()
    timed = [case for case in recorded["cases"] if case["samples_ms"]]
    many = []
    for i in range(150):
        case = json.loads(json.dumps(timed[i % len(timed)]))
        case["id"], case["samples_ms"] = f"{case['id']} copy={i}", [0.1234567890123456 + i / 7919 + j / 104729 for j in range(2000)]
        many.append(case | {"rounds": list(range(2000))})
    page = made(tmp_path, recorded | {"cases": many}).read_text(encoding="utf-8")
    assert 500_000 < len(page.encode()) < MOST_BYTES
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert sum(len(case["samples_ms"]) for case in data["cases"]) <= evidence.MOST_SAMPLES
    assert {case["samples_taken"] for case in data["cases"]} == {2000} and data["cases"][0]["samples_ms"] == many[0]["samples_ms"][::10]


def test_a_source_counts_only_with_its_hash(tmp_path):
    from reports.load import load_run

    folder = tmp_path / "results/small/run"
    folder.mkdir(parents=True)
    recorded = with_source(folder, recorded_run())
    (folder / "run.json").write_text(json.dumps(recorded))
    hashed = hashlib.sha256(SOURCE.encode()).hexdigest()
    assert evidence.source_texts(load_run(folder), folder) == {hashed: SOURCE}
    file, = (folder / "sources").rglob("*.cpp")
    file.write_text("// changed\n")
    assert evidence.source_texts(load_run(folder), folder) == {}
    store = tmp_path / "results/sources"
    store.mkdir()
    (store / hashed).write_text(SOURCE)
    assert evidence.source_texts(load_run(folder), folder) == {hashed: SOURCE}


def test_a_number_and_its_unit_stay_on_one_line(report):
    page = report.read_text(encoding="utf-8")
    assert "95\N{NO-BREAK SPACE}% interval" in page and re.search("n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}\\d", page)
