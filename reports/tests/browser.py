"""A page in a real browser, which must not complain, load anything, or scroll sideways. Tests are skipped where there is none."""

import shutil
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE_MS = 180_000  # of a machine that is busy with other tests


def skip(reason: str) -> None:
    print(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium():
    if not BROWSER:
        skip("needs chromium, to use the page as a reader does; bin/test installs packages-browser.txt")
    if not find_spec("playwright"):
        skip("the Python package playwright is not installed: reports/requirements-test.txt")
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as started:
        try:
            browser = started.chromium.launch(executable_path=BROWSER, timeout=PATIENCE_MS)
        except Error as error:
            skip(f"{BROWSER} does not start here: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """A function that opens a file as a reader does. At the end, no page may have complained or asked for anything else."""
    contexts, complaints = [], []

    def visit(file: Path, anchor: str = "", width: int = 1100, height: int = 800, **options):
        contexts.append(context := chromium.new_context(viewport={"width": width, "height": height}, **options))
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url.split("#")[0] == file.as_uri() or complaints.append(request.url))
        page.goto(file.as_uri() + anchor)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


def violations(page, *parts: str) -> list[str]:
    """What axe-core says against these parts of the page."""
    if not find_spec("axe_core_python"):
        skip("the Python package axe-core-python is not installed: reports/requirements-test.txt")
    page.evaluate(resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8") + "; null")
    found = page.evaluate("parts => axe.run({include: parts.map(part => [part])})", list(parts))
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found["violations"] for node in rule["nodes"]]


def sideways(page) -> int:
    """By how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
