"""The website, as the workflow makes it: each link inside it has an end."""

import os
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
from conftest import ROOT
from ruamel.yaml import YAML

REPOSITORY = "https://github.com/somebody/harness"
LINK = re.compile(r'(?:href|src)="([^"#?:]+)["#?]')


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    steps = YAML(typ="safe").load(ROOT / ".github/workflows/ci.yml")["jobs"]["site"]["steps"]
    script, = [step["run"] for step in steps if step.get("name") == "Site"]
    folder = tmp_path_factory.mktemp("site")
    for name in (".github", ".venv", "docs", "README.md", "labs"):
        (folder / name).symlink_to(ROOT / name)
    made = subprocess.run(["bash", "-e", "-c", script], cwd=folder, env={**os.environ, "SITE_REPOSITORY": REPOSITORY}, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder / "site"


def links(page: Path):
    return (unquote(link) for link in LINK.findall(page.read_text()))


def test_each_document_is_a_page(site):
    assert (site / "index.html").exists()
    for document in ROOT.glob("docs/**/*.md"):
        assert (site / document.relative_to(ROOT / "docs").with_suffix("") / "index.html").exists(), document


def test_no_link_is_broken(site):
    pages = [page for page in site.rglob("index.html") if "examples" not in page.parts]
    broken = {f"{page.relative_to(site)}: {link}" for page in pages for link in links(page) if not (page.parent / link).exists()}
    assert len(pages) > 20 and not broken


def test_what_is_no_page_is_a_link_to_the_repository(site):
    to_repository = re.findall(rf'href="{REPOSITORY}/(blob|tree)/main/([^"#]+)', (site / "student/index.html").read_text())
    assert ("blob", "labs/README.md") in to_repository
    for page in site.rglob("index.html"):
        for kind, path in re.findall(rf'href="{REPOSITORY}/(blob|tree)/main/([^"#]+)', page.read_text()):
            assert (ROOT / path).is_dir() if kind == "tree" else (ROOT / path).is_file(), path


def test_code_is_shown_as_code(site):
    books = [(site / book / "index.html").read_text() for book in ("student", "teacher", "reader", "maintainer")]
    assert all("<pre>" in book and "```" not in book for book in books)


def test_a_broken_link_is_an_error(tmp_path):
    (tmp_path / ".github").mkdir()
    for name in ("mkdocs.yml", "mkdocs_links.py"):
        (tmp_path / ".github" / name).write_bytes((ROOT / ".github" / name).read_bytes())
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# Start\n\n[to nowhere](docs/nowhere.md)\n")
    command = [ROOT / ".venv/bin/python", "-m", "mkdocs", "build", "--strict", "--config-file", ".github/mkdocs.yml", "--site-dir", tmp_path / "site"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 1 and "nowhere.md" in made.stdout + made.stderr
