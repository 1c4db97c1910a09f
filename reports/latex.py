r"""A table as LaTeX: a `tabular` with the rules of booktabs. The document needs \usepackage{booktabs}."""

import re

from reports.document import Cell, Code, Strong, Table, Text

SPECIAL = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
           "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
           '"': "''", "–": "--", "±": r"$\pm$", "×": r"$\times$", "µ": r"$\mu$", "γ": r"$\gamma$", "√": r"$\surd$",
           "≤": r"$\leq$", "≥": r"$\geq$", "α": r"$\alpha$", "β": r"$\beta$", "∞": r"$\infty$", "…": r"\ldots{}", "‑": "-",
           "`": r"\textasciigrave{}", "\n": " "}
ESCAPED = re.compile("[" + re.escape("".join(SPECIAL)) + "]")


def escape(value: str) -> str:
    return ESCAPED.sub(lambda found: SPECIAL[found[0]], value).replace("[", "{[}").replace("]", "{]}")


def latex_text(parts: Text) -> str:
    result = []
    for part in parts:
        match part:
            case Code():
                result.append(rf"\texttt{{{escape(part.text)}}}")
            case Strong():
                result.append(rf"\textbf{{{escape(part.text)}}}")
            case _:
                result.append(escape(part if isinstance(part, str) else part.text))
    return "".join(result)


def cell(shown: Cell) -> str:
    spread = f"({shown.spread})" if shown.spread.startswith("n=") else shown.spread
    number = " ".join(part for part in (latex_text(shown.text), escape(spread)) if part)
    number = rf"\textbf{{{number}}}" if shown.best and number else number
    return number + (r" $\sim$" if shown.tied else "") + (rf"\textsuperscript{{{shown.mark}}}" if shown.mark else "")


def line_of(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def spanners(table: Table) -> list[str]:
    if not table.spanners:
        return []
    heads, rules, column = [""] * table.labels, [], table.labels + 1
    for name, count in table.spanners:
        heads.append(rf"\multicolumn{{{count}}}{{c}}{{{latex_text(name)}}}")
        rules.append(rf"\cmidrule(lr){{{column}-{column + count - 1}}}")
        column += count
    return [line_of(heads), " ".join(rules)]


def render(table: Table, label: str) -> str:
    """A complete `table` environment with title, caption and footnotes."""
    columns = "".join("r" if column.numeric else "l" for column in table.columns)
    title = escape(table.title) + ("" if table.title.endswith((".", "?", "!")) else ".")
    caption = " ".join(part for part in (title, latex_text(table.caption)) if part)
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}",
             rf"\label{{tab:{label}}}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *spanners(table),
             line_of([latex_text(column.head) for column in table.columns]), r"\midrule",
             *(line_of([cell(shown) for shown in row]) for row in table.rows), r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\footnotesize\textsuperscript{{{mark}}} {latex_text(note)}" for mark, note in table.notes]
    return "\n".join([*lines, r"\end{table}"]) + "\n"
