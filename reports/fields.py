"""Typed access to parsed JSON. Errors say where: `run.json: case 3: "axes" must be an object, not a list`."""

import math
from typing import Any, Mapping

from reports.errors import ReportError

Scalar = str | int | float | bool


def type_name(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    return {str: "a string", list: "a list", dict: "an object"}[type(value)]


class Fields:
    """An object of the file. Null means absent. Unknown keys are ignored, so that runs of a newer harness still render."""

    def __init__(self, value: Any, where: str):
        if not isinstance(value, Mapping):
            raise ReportError(f"{where}: expected an object, not {type_name(value)}")
        self.values, self.where = value, where

    def fail(self, message: str) -> ReportError:
        return ReportError(f"{self.where}: {message}")

    def get(self, name: str, types: tuple[type, ...], expected: str, default: Any) -> Any:
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise self.fail(f'"{name}" must be {expected}, not {type_name(value)}')
        if isinstance(value, float) and not math.isfinite(value):
            raise self.fail(f'"{name}" is not a finite number')
        return value

    def text(self, name: str, default: str = "") -> str:
        return self.get(name, (str,), "a string", default)

    def required(self, name: str) -> str:
        value = self.text(name)
        if not value:
            raise self.fail(f'"{name}" is missing')
        return value

    def number(self, name: str) -> float | None:
        return self.get(name, (int, float), "a number", None)

    def integer(self, name: str, default: int = 0) -> int:
        return self.get(name, (int,), "a whole number", default)

    def flag(self, name: str) -> bool | None:
        return self.get(name, (bool,), "true or false", None)

    def items(self, name: str) -> list:
        return self.get(name, (list,), "a list", [])

    def texts(self, name: str) -> tuple[str, ...]:
        values = self.items(name)
        for value in values:
            if not isinstance(value, str):
                raise self.fail(f'"{name}" must hold strings, not {type_name(value)}')
        return tuple(values)

    def object(self, name: str) -> "Fields":
        return Fields(self.get(name, (dict,), "an object", {}), f"{self.where}: {name}")

    def objects(self, name: str, singular: str) -> list["Fields"]:
        """The objects of a list. Messages count them from 1."""
        return [Fields(value, f"{self.where}: {singular} {i}") for i, value in enumerate(self.items(name), 1)]

    def scalars(self, name: str) -> dict[str, Scalar]:
        values = self.get(name, (dict,), "an object", {})
        for key, value in values.items():
            if not isinstance(value, (str, int, float, bool)):
                raise self.fail(f'"{name}": "{key}" must be a string or a number, not {type_name(value)}')
        return dict(values)
