"""Computes small C expressions with whole numbers, such as the default of a macro: `(BLOCK ? BLOCK * BLOCK : 1024)`."""

import re
from typing import Mapping

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|[-+*/%()?:<>!]))")
LONGEST = 300
LARGEST = 1 << 40
DEEPEST = 12  # names that stand for other names
LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))  # loosest first


class BadExpression(Exception):
    pass


def evaluate(text: str, names: Mapping[str, str | int], depth: int = 0) -> int | str:
    """A name that is not in `names` is a word, which can be compared with others."""
    return Expression(text, names, depth).value()


class Expression:
    def __init__(self, text: str, names: Mapping[str, str | int], depth: int):
        if len(text) > LONGEST or depth > DEEPEST:
            raise BadExpression(f'"{text[:40]}" is too long')
        self.text, self.names, self.depth = text, names, depth
        self.tokens: list[str] = []
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if not found:
                raise BadExpression(f'"{text}" is no expression')
            self.tokens.append(found[0].strip())
            at = found.end()

    def value(self) -> int | str:
        try:
            result = self.choice()
        except RecursionError:
            raise BadExpression(f'"{self.text[:40]}" is too long') from None
        if self.tokens:
            raise BadExpression(f'"{self.text}" is no expression')
        return result

    def take(self, *wanted: str) -> str:
        return self.tokens.pop(0) if self.tokens and (not wanted or self.tokens[0] in wanted) else ""

    def need(self, wanted: str) -> None:
        if not self.take(wanted):
            raise BadExpression(f'"{self.text}" is no expression: a "{wanted}" is missing')

    def choice(self) -> int | str:
        condition = self.level(0)
        if not self.take("?"):
            return condition
        yes = self.choice()
        self.need(":")
        no = self.choice()
        return yes if condition else no

    def level(self, level: int) -> int | str:
        if level == len(LEVELS):
            return self.single()
        left = self.level(level + 1)
        while sign := self.take(*LEVELS[level]):
            left = self.combine(sign, left, self.level(level + 1))
        return left

    def combine(self, sign: str, a: int | str, b: int | str) -> int:
        if sign in ("==", "!="):
            return int((a == b) == (sign == "=="))
        if isinstance(a, str) or isinstance(b, str):
            raise BadExpression(f'"{a if isinstance(a, str) else b}" in "{self.text}" has no value')
        if sign in "/%" and b == 0:
            raise BadExpression(f'"{self.text}" divides by 0')
        result = int({"||": lambda: bool(a or b), "&&": lambda: bool(a and b), "<": lambda: a < b, ">": lambda: a > b,
                      "<=": lambda: a <= b, ">=": lambda: a >= b, "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
                      "/": lambda: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
                      "%": lambda: abs(a) % abs(b) * (1 if a >= 0 else -1)}[sign]())
        if abs(result) > LARGEST:
            raise BadExpression(f'"{self.text}" is too large')
        return result

    def single(self) -> int | str:
        if self.take("("):
            inner = self.choice()
            self.need(")")
            return inner
        if sign := self.take("-", "!"):
            value = self.single()
            return self.combine("-", 0, value) if sign == "-" else int(not value)
        token = self.take()
        if token.isdigit():
            if len(token) > 12:
                raise BadExpression(f'"{self.text[:40]}" is too large')
            return int(token)
        if not re.match(r"[A-Za-z_]", token):
            raise BadExpression(f'"{self.text}" is no expression')
        found = self.names.get(token, None)
        if isinstance(found, str):
            return token if found == token else evaluate(found, self.names, self.depth + 1)
        return token if found is None else found
