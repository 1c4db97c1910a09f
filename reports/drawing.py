"""Draws what a thread block of a GPU variant computes, as a small SVG: which thread computes which elements, and what is in shared
memory. It knows no variant: the head comment of a variant declares its layout after the line `Drawing:`, in expressions of its
macros (labs/README.md describes them). `python -m reports.drawing` draws labs/drawings/ again."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Mapping
from xml.sax.saxutils import escape

from reports.expressions import BadExpression, Budget, evaluate
from reports.document import Code, Paragraph, Picture, say, text
from reports import language
from reports.language import tr
from reports.record import Run
from reports.text import line, listing, plural

LABS = Path(__file__).resolve().parents[1] / "labs"
PLOTS = Path("plots")
KINDS = ("product", "window")
NAMES = ("rows", "columns", "threads", "row", "column", "thread_rows", "thread_columns", "piece_rows", "piece_columns", "step_rows",
         "step_columns", "depth", "depth_b", "buffers", "window", "stride", "shared")
MOST_ELEMENTS = 1 << 16  # of a tile
WARP = 32
DARK, LIGHT, LINE = "#222", "#ccc", "#000"
WIDTH = 640
SMALL = 11  # size of letters
FONTS = ("DejaVu Sans, Noto Sans CJK SC, sans-serif", "DejaVu Sans, Verdana, sans-serif")  # the second for English


class BadDrawing(Exception):
    pass


@dataclass(frozen=True)
class Layout:
    """What a thread block computes, in elements of the result."""

    kind: str
    rows: int
    columns: int
    threads: int
    owner: tuple[tuple[int, ...], ...]  # the thread of each element
    each: tuple[int, int]  # rows and columns of elements of one thread
    depth: int  # of the tile of A in shared memory; 0: there is none
    depth_b: int  # the same of B
    buffers: int  # pairs of tiles
    window: int  # rows and columns of input that an element of the result needs
    stride: int
    shared: bool  # the input of the block is in shared memory
    notes: tuple[str, ...]
    bytes: int  # of an element

    @property
    def input(self) -> tuple[int, int]:
        """Rows and columns of the input that a block needs."""
        return (self.rows - 1) * self.stride + self.window, (self.columns - 1) * self.stride + self.window


def layout(declared: str, macros: Mapping[str, str], element_bytes: int) -> Layout:
    """Raises BadDrawing if the declaration is wrong, for example if two threads compute one element."""
    kind, notes, given = read(declared)
    names: dict[str, str | int] = {**macros, "bytes": element_bytes}
    budget = Budget()  # of the whole drawing

    def number(name: str, default: int | None = None, low: int = 1, **more) -> int:
        if name not in given and default is not None:
            return default
        if name not in given:
            raise BadDrawing(f'there is no line "{name} = ..."')
        try:
            value = evaluate(given[name], {**names, **more}, budget)
        except BadExpression as error:
            raise BadDrawing(f"{name} = {error}") from None
        if isinstance(value, str):
            raise BadDrawing(f'{name} = "{given[name]}": "{value}" has no value')
        if not low <= value <= MOST_ELEMENTS:
            raise BadDrawing(f"{name} = {value}: it is a number from {low} to {MOST_ELEMENTS}")
        return value

    rows, columns, threads = number("rows"), number("columns"), number("threads")
    each = number("thread_rows", 1), number("thread_columns", 1)
    if rows * columns > MOST_ELEMENTS or threads > 1024 or threads * each[0] * each[1] > MOST_ELEMENTS:
        raise BadDrawing(f"{rows} x {columns} elements and {threads} threads are too many to draw")
    piece = number("piece_rows", each[0]), number("piece_columns", each[1])
    step = number("step_rows", piece[0]), number("step_columns", piece[1])
    owner = [[-1] * columns for _ in range(rows)]
    for t in range(threads):
        top, left = number("row", low=0, t=t), number("column", low=0, t=t)
        for i in range(each[0]):
            for j in range(each[1]):
                y, x = top + i // piece[0] * step[0] + i % piece[0], left + j // piece[1] * step[1] + j % piece[1]
                if y >= rows or x >= columns:
                    raise BadDrawing(f"thread {t} computes element ({y}, {x}), outside of {rows} x {columns}")
                if owner[y][x] >= 0:
                    raise BadDrawing(f"threads {owner[y][x]} and {t} both compute element ({y}, {x})")
                owner[y][x] = t
    for y, line in enumerate(owner):
        if -1 in line:
            raise BadDrawing(f"no thread computes element ({y}, {line.index(-1)})")
    depth = number("depth", 0, low=0)
    return Layout(kind, rows, columns, threads, tuple(map(tuple, owner)), each, depth, number("depth_b", depth, low=0),
                  number("buffers", 1), number("window", 1), number("stride", 1), bool(number("shared", 0, low=0)), notes, element_bytes)


def read(declared: str) -> tuple[str, tuple[str, ...], dict[str, str]]:
    """The kind, the sentences and the values of a declaration."""
    lines = [row.strip() for row in declared.splitlines() if row.strip()]
    if not lines or lines[0] not in KINDS:
        raise BadDrawing(f'the first line is {" or ".join(KINDS)}')
    notes, given = [], {}
    for part in (part.strip() for row in lines[1:] for part in row.split(";")):
        name, equals, value = (one.strip() for one in part.partition("="))
        if not equals or " " in name:
            notes.append(line(part, 200))
        elif name not in NAMES or name in given:
            raise BadDrawing(f'"{name}" is {"there twice" if name in given else "no word of a drawing; there are " + ", ".join(NAMES)}')
        else:
            given[name] = value
    return lines[0], tuple(notes[:4]), given


def sentences(drawn: Layout) -> list[str]:
    """The picture in words: below it, and for readers who cannot see it."""
    rows, columns = drawn.each
    block = tr("A block of {threads} computes {rows} x {columns} elements of the result.", threads=plural(drawn.threads, "thread"), rows=drawn.rows,
               columns=drawn.columns)
    says = [block, tr("A thread computes {rows} x {columns} elements, with their sums in registers.", rows=rows, columns=columns)
            if rows * columns > 1 else tr("A thread computes one element, with its sum in a register.")]
    if drawn.kind == "product":
        loads = tr("{rows} + {columns} numbers for {products}", rows=rows, columns=columns, products=plural(rows * columns, "multiply-add"))
        tiles = [tr("{rows} x {columns} of {matrix}", rows=drawn.rows, columns=drawn.depth, matrix="A")] * bool(drawn.depth)
        tiles += [tr("{rows} x {columns} of {matrix}", rows=drawn.depth_b, columns=drawn.columns, matrix="B")] * bool(drawn.depth_b)
        if tiles:
            size = (drawn.rows * drawn.depth + drawn.columns * drawn.depth_b) * drawn.buffers * drawn.bytes
            times = tr(", {n} times", n=drawn.buffers) if drawn.buffers > 1 else ""
            says.append(tr("Shared memory holds {tiles}{times}: {size} KiB without padding. The next tiles follow along k. A step takes {loads}.",
                           tiles=listing(tiles), times=times, size=f"{size / 1024:.4g}", loads=loads))
        else:
            says.append(tr("Nothing is in shared memory: a step takes {loads} from the caches or from global memory.", loads=loads))
    elif drawn.shared:
        height, width = drawn.input
        says.append(tr("Shared memory holds the {height} x {width} pixels of a channel that the block needs, {size} KiB without padding.",
                       height=height, width=width, size=f"{height * width * drawn.bytes / 1024:.4g}"))
    else:
        says.append(tr("Nothing is in shared memory: pixels come from the caches or from global memory."))
    return [*says, *drawn.notes]


class Canvas:
    """Parts of an SVG. Black, one grey and white, so that it can be printed."""

    def __init__(self):
        self.parts: list[str] = []

    def box(self, x: float, y: float, w: float, h: float, fill: str = "none", line: float = 1, dash: bool = False) -> None:
        stroke = f' stroke="{LINE}" stroke-width="{line:g}"' if line else ""
        dashes = ' stroke-dasharray="4 3"' if dash else ""
        self.parts.append(f'<rect x="{x:.4g}" y="{y:.4g}" width="{w:.4g}" height="{h:.4g}" fill="{fill}"{stroke}{dashes}/>')

    def say(self, x: float, y: float, words: str, size: float = SMALL, anchor: str = "start", fill: str = "#000", bold: bool = False) -> None:
        style = "".join((f' font-size="{size:g}"' * (size != SMALL), f' text-anchor="{anchor}"' * (anchor != "start"),
                         f' fill="{fill}"' * (fill != "#000"), ' font-weight="bold"' * bold))
        self.parts.append(f'<text x="{x:.4g}" y="{y:.4g}"{style}>{escape(words)}</text>')

    def svg(self, height: float, title: str) -> str:
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.4g}" width="{WIDTH}" height="{height:.4g}" role="img" '
                f'font-size="{SMALL}" font-family="{FONTS[language.current.name == "en"]}"><title>{escape(title)}</title><rect width="{WIDTH}" height="{height:.4g}" fill="#fff"/>'
                f'{"".join(self.parts)}</svg>\n')


def draw(drawn: Layout, title: str) -> str:
    picture = Canvas()
    picture.say(8, 18, title, 13, bold=True)
    bottom = max((overview_product if drawn.kind == "product" else overview_window)(picture, drawn), corner(picture, drawn, 322))
    return picture.svg(bottom + 6, " ".join([f"{title}.", *sentences(drawn)]))


def scaled(rows: int, columns: int, most: float = 110, least: float = 14) -> tuple[float, float]:
    """Height and width of a tile in the overview; a thin tile is drawn thicker than it is."""
    scale = most / max(rows, columns)
    return max(rows * scale, least), max(columns * scale, least)


def first_thread(picture: Canvas, drawn: Layout, x: float, y: float, high: float, wide: float) -> None:
    """The elements of thread 0 in the tile at (x, y)."""
    for i, line in enumerate(drawn.owner):
        j = 0
        while j < len(line):
            end = j
            while end < len(line) and line[end] == 0:
                end += 1
            if end > j:
                w, h = wide / drawn.columns, high / drawn.rows
                picture.box(x + j * w, y + i * h, max((end - j) * w, 3.5), max(h, 3.5), DARK, 0)
            j = max(end, j + 1)


def overview_product(picture: Canvas, drawn: Layout) -> float:
    """B above and A on the left of the block's tile of C. What is in shared memory is grey."""
    high, wide = scaled(drawn.rows, drawn.columns)
    strip, left, top = 96, 34, 48
    x, y = left + strip + 12, top + strip + 12
    deep, deep_b = (max(min(depth / max(drawn.rows, drawn.columns) * 110, strip * 0.6), 12) if depth else 0
                    for depth in (drawn.depth, drawn.depth_b))
    for name, ax, ay, w, h in (("A", left, y, strip, high), ("B", x, top, wide, strip)):
        picture.box(ax, ay, w, h, dash=True)
        picture.say(ax + w / 2 if name == "B" else ax - 6, ay - 6 if name == "B" else ay + h / 2 + 4, name, 13, "middle" if name == "B" else "end", bold=True)
    if deep:
        picture.box(left, y, deep, high, LIGHT)
    if deep_b:
        picture.box(x, top, wide, deep_b, LIGHT)
    first = [(i, j) for i, line in enumerate(drawn.owner) for j, t in enumerate(line) if t == 0]
    h, w = high / drawn.rows, wide / drawn.columns
    for i in sorted({i for i, _ in first}):
        picture.box(left, y + i * h, deep or strip, max(h, 1.5), DARK, 0)
    for j in sorted({j for _, j in first}):
        picture.box(x + j * w, top, max(w, 1.5), deep_b or strip, DARK, 0)
    picture.box(x, y, wide, high, line=1.5)
    first_thread(picture, drawn, x, y, high, wide)
    picture.say(x + wide + 5, y + high / 2 + 4, "C", 13, bold=True)
    bottom = y + high + 15
    picture.say(x + wide / 2, bottom, f"{drawn.rows} x {drawn.columns}", anchor="middle")
    if deep:
        picture.say(left, bottom, f"{drawn.rows} x {drawn.depth}")
    if deep_b:
        picture.say(x + wide + 5, top + deep_b / 2 + 4, f"{drawn.depth_b} x {drawn.columns}")
    return legend(picture, 8, bottom + 20, tr("read by thread 0, and its elements of C"), tr("in shared memory") if deep or deep_b else "")


def overview_window(picture: Canvas, drawn: Layout) -> float:
    """The pixels that the block needs, above what it computes."""
    height, width = drawn.input
    scale = 230 / max(width, height * 1.2)
    left, top = 14, 48
    high, wide = max(height * scale, 10), max(width * scale, 14)
    picture.say(left, top - 6, tr("image: {height} x {width} pixels", height=height, width=width))
    picture.box(left, top, wide, high, LIGHT if drawn.shared else "none", dash=not drawn.shared)
    first = [(i, j) for i, line in enumerate(drawn.owner) for j, t in enumerate(line) if t == 0]
    for i, j in first:
        y, x = i * drawn.stride * high / height, j * drawn.stride * wide / width
        picture.box(left + x, top + y, max(drawn.window * wide / width, 2.5), max(drawn.window * high / height, 2.5), DARK, 0)
    y = top + high + 34
    picture.say(left, y - 6, tr("result: {rows} x {columns} elements", rows=drawn.rows, columns=drawn.columns))
    wide_c, high_c = max(drawn.columns * scale, 14), max(drawn.rows * scale, 8)
    picture.box(left, y, wide_c, high_c, line=1.5)
    first_thread(picture, drawn, left, y, high_c, wide_c)
    return legend(picture, 8, y + high_c + 22, tr("read and computed by thread 0"), tr("in shared memory") if drawn.shared else "")


def corner(picture: Canvas, drawn: Layout, left: float) -> float:
    """The first elements of the tile, each with the number of the thread that computes it."""
    rows, columns = min(drawn.rows, 8), min(drawn.columns, 12)
    w, h, top = 25, 20, 60
    picture.say(left, 36, tr("The first elements of the block's part of the result,"))
    picture.say(left, 51, tr("each with the number of the thread that computes it:"))
    for i in range(rows):
        for j in range(columns):
            thread = drawn.owner[i][j]
            fill, ink = (DARK, "#fff") if thread == 0 else (LIGHT, "#000") if thread < WARP else ("#fff", "#000")
            picture.box(left + j * w, top + i * h, w, h, fill, 0.6)
            picture.say(left + (j + 0.5) * w, top + (i + 0.72) * h, str(thread), anchor="middle", fill=ink)
    if drawn.columns > columns:
        picture.say(left + columns * w + 3, top + rows * h / 2, "…", 12)
    if drawn.rows > rows:
        picture.say(left + columns * w / 2, top + rows * h + 11, "⋮", 12, "middle")
    return legend(picture, left, top + rows * h + 34, tr("thread 0"), tr("other threads of its warp"))


def legend(picture: Canvas, x: float, y: float, dark: str, light: str) -> float:
    for fill, words in ((DARK, dark), (LIGHT, light)):
        if words:
            picture.box(x, y - 9, 12, 10, fill, 0.6)
            picture.say(x + 17, y, words)
            y += 17
    return y


def pictures(run: Run) -> Iterator[Picture | Paragraph]:
    """One of each variant that declares a drawing, with the parameters of its last build. Its file has a number, because a
    name is any text."""
    for number, variant in enumerate((variant for variant in run.variants if variant.drawing), 1):
        dtype = sorted(run.types(variant.name), key=lambda one: one != run.kernel.dtype)[0]
        macros = next((build.macros for build in reversed(run.builds) if build.variant == variant.name), {})
        with_macros = ", ".join(f"{name}={value}" for name, value in macros.items())
        name = line(variant.name, 80) + (tr(" with {macros}", macros=line(with_macros, 120)) if with_macros else "") + (f", {dtype}" if len(run.types()) > 1 else "")
        try:
            drawn = layout(variant.drawing, {**variant.macros, **macros}, {"f32": 4, "f64": 8, "bf16": 2}[dtype])
        except BadDrawing as error:
            yield Paragraph(say("{name} cannot be drawn: {why}.", name=Code(line(variant.name, 80)), why=line(str(error), 200)))
            continue
        caption = line(" ".join(sentences(drawn)), 1000)
        yield Picture(name, str(PLOTS / f"kernel-{number}.svg"), draw(drawn, name), text(caption))


def sources() -> Iterator[tuple[Path, str, dict[str, str]]]:
    """The lab's GPU variants that declare a drawing: file, declaration, defaults of the macros."""
    for file in sorted(LABS.glob("*/*.cu")):
        text = file.read_text(encoding="utf-8")
        head = "\n".join(line[2:].removeprefix(" ") for line in text.split("\n#", 1)[0].splitlines() if line.startswith("//"))
        if "\nDrawing:\n" in head:
            macros = re.findall(r"#ifndef (\w+)\n#define \1 (.*)\n", text)
            yield file, head.split("\nDrawing:\n")[1].split("\n\n")[0], dict(macros)


def drawings() -> dict[Path, str]:
    """The files of labs/drawings: every variant with its defaults, in f32."""
    made = {}
    for file, declared, macros in sources():
        path = file.parents[1] / "drawings" / f"{file.parent.name}-{file.stem}.svg"
        made[path] = draw(layout(declared, macros, 4), file.stem)
    return made


if __name__ == "__main__":
    for path, svg in drawings().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(svg, encoding="utf-8")
        sys.stdout.write(f"{path}\n")
