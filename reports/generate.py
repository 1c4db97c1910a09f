"""Writes what follows from docs/run.schema.json: reports/record.py and the tables of docs/run-json.md.

Run `python -m reports.generate` after `bin/harness schema --run > docs/run.schema.json`."""

import json
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[1]
SCHEMA, TYPES, PAGE = ROOT / "docs/run.schema.json", ROOT / "reports/record.py", ROOT / "docs/run-json.md"
MARK = "<!-- The rest of this page is written by reports/generate.py. -->\n"
HEAD = '''"""The types of run.json. Written by reports/generate.py: do not edit."""

from typing import Any, Literal

from msgspec import Struct

from reports.derived import CaseFacts, MetricFacts, RunFacts
'''
BASES = {"Case": "CaseFacts, ", "Metric": "MetricFacts, ", "Run": "RunFacts, "}  # properties that follow from the fields
NAMES = {"string": ("str", "text"), "boolean": ("bool", "true or false"), "integer": ("int", "whole number"), "number": ("float", "number")}
DEFAULTS = {"string": '""', "array": "()", "object": "{}", "integer": "0"}  # of an optional field; None for other types


def structs() -> dict[str, dict]:
    """All structs by name, each after those that it uses."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return schema["definitions"] | {"Run": schema}


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


def types() -> str:
    def lines() -> Iterator[str]:
        yield HEAD
        for name, struct in structs().items():
            yield f'\n\nclass {name}({BASES.get(name, "")}Struct, frozen=True, kw_only=True):\n    """{struct["description"]}"""\n'
            for field, schema in struct["properties"].items():
                default = DEFAULTS.get(schema.get("type") if "enum" not in schema else "", "None")
                missing = "" if field in struct["required"] else f"{' | None' if default == 'None' else ''} = {default}"
                yield f"    {field}: {python_type(schema)}{missing}"
            yield ""
    return "\n".join(lines()).replace("\n\n\n\n", "\n\n\n").rstrip() + "\n"


def tables() -> str:
    def lines() -> Iterator[str]:
        for name, struct in reversed(structs().items()):
            yield f"\n### {name}\n{struct['description']}\n\n| field | type | meaning |\n|---|---|---|"
            for field, schema in struct["properties"].items():
                optional = "" if field in struct["required"] else " (optional)"
                yield f"| `{field}`{optional} | {plain_type(schema)} | {schema['description']} |"
    return "\n".join(lines()) + "\n"


def page() -> str:
    return PAGE.read_text(encoding="utf-8").split(MARK)[0] + MARK + tables()


if __name__ == "__main__":
    TYPES.write_text(types(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
