"""Fewer elements that draw the same: paths of one look become one path, what is clipped alike stands in one group. Browsers do
not mind, but a PDF is painted element by element."""

from itertools import cycle, groupby
from typing import Iterable, Iterator
from xml.etree.ElementTree import Element

SVG = "{http://www.w3.org/2000/svg}"
PATH, GROUP, USE, DEFS = (f"{SVG}{name}" for name in ("path", "g", "use", "defs"))
HREF = "{http://www.w3.org/1999/xlink}href"
CLIP = "clip-path"
AXIS = "matplotlib.axis"  # how the ids of its groups of grid lines, ticks and their labels begin
Clipped = tuple[str | None, Element]


def join(root: Element) -> None:
    join_inside(root, {f"#{path.get('id')}": path for path in root.iter(PATH)})
    for path in root.iter(PATH):
        path.attrib.pop(HREF, None)


def join_inside(element: Element, drawn: dict[str, Element]) -> None:
    joined: list[Clipped] = []
    for clip, child in flat(element, drawn):
        if joined and joinable(child) and (clip, look(child)) == (joined[-1][0], look(joined[-1][1])):
            joined[-1][1].attrib["d"] += " " + child.attrib["d"]
        else:
            joined.append((clip, child))
    element[:] = []
    for clip, run in groupby(joined, key=lambda one: one[0]):
        holder = element
        if clip:
            holder = Element(GROUP, {CLIP: clip})
            element.append(holder)
        holder.extend(child for _, child in run)


def flat(element: Element, drawn: dict[str, Element]) -> Iterator[Clipped]:
    """The children with their clips apart, and without those that draw nothing."""
    for child in element:
        if child.tag == GROUP and AXIS in child.get("id", ""):
            yield from together(flat(child, drawn))
        elif child.tag == GROUP and set(child.attrib) == {CLIP}:
            yield from ((child.attrib[CLIP], inner) for _, inner in flat(child, drawn))
        elif child.tag == GROUP:
            join_inside(child, drawn)
            yield None, child
        elif child.tag == DEFS:
            child[:] = [kept for kept in child if kept.tag != PATH]
            if len(child):
                yield None, child
        elif child.tag == USE and child.get(HREF) in drawn:
            yield None, moved(child, drawn[child.attrib[HREF]])
        elif child.tag != PATH or "d" in child.attrib:
            yield child.attrib.pop(CLIP, None), child


def together(children: Iterable[Clipped]) -> Iterator[Clipped]:
    """Of an axis nothing hides another, so that all of one look can follow the first of it."""
    kinds: dict = {}
    for clip, child in children:
        kinds.setdefault((clip, look(child)) if joinable(child) else child, []).append((clip, child))
    for alike in kinds.values():
        yield from alike


def look(path: Element) -> frozenset:
    return frozenset((name, value) for name, value in path.attrib.items() if name != "d")


def joinable(path: Element) -> bool:
    """Where two overlap, one path of both shows what the upper one showed: opaque, in one colour, and wound one way."""
    fill, stroke = path.get("fill", "black"), path.get("stroke", "none")
    return (path.tag == PATH and (fill == "none" or HREF in path.attrib) and ("none" in (fill, stroke) or fill == stroke)
            and not any("opacity" in name for name in path.attrib))


def moved(use: Element, path: Element) -> Element:
    """The path that is used, in its place; it keeps the address, by which those of one shape are known."""
    attributes = {**use.attrib, **{name: value for name, value in path.attrib.items() if name != "id"}}
    steps = cycle((float(attributes.pop("x", 0)), float(attributes.pop("y", 0))))
    attributes["d"] = " ".join(part if part.isalpha() else f"{float(part) + next(steps):.2f}" for part in path.attrib["d"].split())
    return Element(PATH, attributes)
