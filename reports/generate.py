"""Writes what follows from the schemas in docs/: reports/record.py, reports/grades/record.py and the tables of docs/run-json.md.

Run `python -m reports.generate` after `bin/harness schema --run > docs/run.schema.json` or
`bin/harness schema --grades > docs/grades.schema.json`."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/run-json.md"
MARK = "<!-- The rest of this page is written by reports/generate.py. -->\n"
HEAD = '''"""The types of {file}. Written by reports/generate.py: do not edit."""

from typing import {typing}

from msgspec import Struct

{derived}
'''


@dataclass(frozen=True)
class Format:
    """A file that the harness writes, and the types that Python reads it into."""

    file: str
    schema: Path
    types: Path
    root: str  # the struct of the whole file
    derived: str  # the import of the bases
    bases: dict[str, str]  # struct -> the class with the properties that follow from its fields


RUN = Format("run.json", ROOT / "docs/run.schema.json", ROOT / "reports/record.py", "Run",
             "from reports.derived import CaseFacts, MetricFacts, RunFacts",
             {"Case": "CaseFacts", "Metric": "MetricFacts", "Run": "RunFacts"})
GRADES = Format("grades.json", ROOT / "docs/grades.schema.json", ROOT / "reports/grades/record.py", "Grades",
                "from reports.grades.derived import StudentFacts", {"Student": "StudentFacts"})
NAMES = {"string": ("str", "text"), "boolean": ("bool", "true or false"), "integer": ("int", "whole number"), "number": ("float", "number")}
DEFAULTS = {"string": '""', "array": "()", "object": "{}", "integer": "0"}  # of an optional field; None for other types


def structs(made: Format) -> dict[str, dict]:
    """All structs by name, each after those that it uses."""
    schema = json.loads(made.schema.read_text(encoding="utf-8"))
    return schema["definitions"] | {made.root: schema}


def python_type(field: dict) -> str:
    if "$ref" in field:
        return field["$ref"].rsplit("/", 1)[1]
    if "enum" in field or "const" in field:
        return f"Literal{json.dumps(field.get('enum') or [field['const']])}"
    kind = field["type"]
    if isinstance(kind, list):
        return " | ".join(NAMES[one][0] for one in kind)
    if kind == "array":
        return f"tuple[{python_type(field['items'])}, ...]"
    if kind == "object":
        return f"dict[str, {python_type(field['additionalProperties']) if 'additionalProperties' in field else 'Any'}]"
    return NAMES[kind][0]


def plain_type(field: dict) -> str:
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "enum" in field or "const" in field:
        return ", ".join(f"`{one}`" for one in field.get("enum") or [field["const"]])
    kind = field["type"]
    if isinstance(kind, list):
        return "number or text"
    if kind == "array":
        return f"list: {plain_type(field['items'])}"
    if kind == "object":
        return f"by name: {plain_type(field['additionalProperties'])}" if "additionalProperties" in field else "object"
    return NAMES[kind][1]


def types(made: Format) -> str:
    def lines() -> Iterator[str]:
        for name, struct in structs(made).items():
            base = f"{made.bases[name]}, " if name in made.bases else ""
            yield f'\n\nclass {name}({base}Struct, frozen=True, kw_only=True):\n    """{struct["description"]}"""\n'
            for field, schema in struct["properties"].items():
                default = DEFAULTS.get(schema.get("type") if "enum" not in schema else "", "None")
                missing = "" if field in struct["required"] else f"{' | None' if default == 'None' else ''} = {default}"
                yield f"    {field}: {python_type(schema)}{missing}"
            yield ""
    body = "\n".join(lines())
    head = HEAD.format(file=made.file, typing="Any, Literal" if "Any" in body else "Literal", derived=made.derived)
    return f"{head}\n{body}".replace("\n\n\n\n", "\n\n\n").rstrip() + "\n"


def tables() -> str:
    def lines() -> Iterator[str]:
        for name, struct in reversed(structs(RUN).items()):
            yield f"\n### {name}\n{struct['description']}\n\n| field | type | meaning |\n|---|---|---|"
            for field, schema in struct["properties"].items():
                optional = "" if field in struct["required"] else " (optional)"
                yield f"| `{field}`{optional} | {plain_type(schema)} | {schema['description']} |"
    return "\n".join(lines()) + "\n"


def page() -> str:
    return PAGE.read_text(encoding="utf-8").split(MARK)[0] + MARK + tables()


if __name__ == "__main__":
    for each in (RUN, GRADES):
        each.types.write_text(types(each), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
