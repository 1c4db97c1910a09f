"""Computes small C expressions with whole numbers, such as the default of a macro: `(BLOCK ? BLOCK * BLOCK : 1024)`."""

import re
from dataclasses import dataclass
from typing import Callable, Mapping

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|[-+*/%()?:<>!]))")
LONGEST = 300
LARGEST = 1 << 40
DEEPEST = 12  # names that stand for other names
MOST_TOKENS = 200_000  # of all expressions that share a budget; the largest drawing of labs/ reads 72 000
LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))  # loosest first


class BadExpression(Exception):
    pass


@dataclass
class Budget:
    """What may still be read. Without it a few names that stand for others would take hours."""

    tokens: int = MOST_TOKENS


def evaluate(text: str, names: Mapping[str, str | int], budget: Budget | None = None) -> int | str:
    """A name that is not in `names` is a word, which can be compared with others."""
    return Expression(text, names, budget or Budget(), 0).value()


class Expression:
    def __init__(self, text: str, names: Mapping[str, str | int], budget: Budget, depth: int):
        if len(text) > LONGEST or depth > DEEPEST:
            raise BadExpression(f'"{text[:40]}" is too long')
        self.text, self.names, self.budget, self.depth = text, names, budget, depth
        self.needed = True  # false in a part that C would not compute
        self.tokens: list[str] = []
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if not found:
                raise BadExpression(f'"{text}" is no expression')
            self.tokens.append(found[0].strip())
            at = found.end()
        budget.tokens -= len(self.tokens)
        if budget.tokens < 0:
            raise BadExpression(f'"{text[:40]}" takes too long: its names stand for too many others')

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
        yes = self.only_if(bool(condition), self.choice)
        self.need(":")
        no = self.only_if(not condition, self.choice)
        return yes if condition else no

    def only_if(self, needed: bool, parse: Callable[[], int | str]) -> int | str:
        """A part that is not needed must be an expression, but it may divide by 0."""
        before, self.needed = self.needed, self.needed and needed
        value = parse()
        self.needed = before
        return value

    def level(self, level: int) -> int | str:
        if level == len(LEVELS):
            return self.single()
        left = self.level(level + 1)
        while sign := self.take(*LEVELS[level]):
            needed = bool(left) if sign == "&&" else not left if sign == "||" else True
            left = self.combine(sign, left, self.only_if(needed, lambda: self.level(level + 1)))
        return left

    def combine(self, sign: str, a: int | str, b: int | str) -> int:
        if not self.needed:
            return 0
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
        if not self.needed:
            return 0
        found = self.names.get(token, None)
        if isinstance(found, str):
            return token if found == token else Expression(found, self.names, self.budget, self.depth + 1).value()
        return token if found is None else found
