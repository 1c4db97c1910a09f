"""Hooks of MkDocs: README.md is the first page; a link to a file outside docs/ leads to the repository."""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
NAMED_BLOCK = re.compile(r"^```(\w+) \S+$", re.M)  # with the file that the book writes it to: MkDocs wants only the language
LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)#\s]+)")


def on_files(files, config):
    files.append(File.generated(config, "index.md", abs_src_path=str(ROOT / "README.md")))


def on_page_markdown(markdown, page, config, files):
    source = ROOT / "README.md" if page.file.src_uri == "index.md" else ROOT / "docs" / page.file.src_uri

    def lead(link):
        file = (source.parent / link[1]).resolve()
        if not file.exists():
            return link[0]  # MkDocs names it
        path = file.relative_to(ROOT).as_posix()
        if not path.startswith("docs/") or file.is_dir():
            return f"{config.repo_url}/{'tree' if file.is_dir() else 'blob'}/main/{path}"
        return path.removeprefix("docs/") if source.parent == ROOT else link[0]

    return LINK.sub(lead, NAMED_BLOCK.sub(r"```\1", markdown))
