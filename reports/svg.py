"""Makes the SVG of matplotlib small and safe inside a page. It adds a title for screen readers and unique ids, rounds numbers
to two decimals, and removes comments, empty groups and the style sheet, which would apply to the whole page."""

import re
from xml.etree import ElementTree

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
HREF = f"{{{XLINK}}}href"
LONG = re.compile(r"-?\d+\.\d{3,}")
TEXT = f"{{{SVG}}}text"
LIKE_IT = "Verdana, sans-serif"  # as wide as DejaVu Sans, for computers without that font


def slim(svg: str, prefix: str, title: str) -> str:
    root = ElementTree.fromstring(svg)  # trusted, because matplotlib made it; the parser removes comments
    # what the removed style sheet said of every element
    root.attrib.update({"stroke-linejoin": "round", "stroke-linecap": "butt"})
    used = {match for element in root.iter() for value in element.attrib.values() for match in re.findall(r"#([\w-]+)", value)}
    clean(root, used, prefix)
    root.set("role", "img")
    heading = ElementTree.Element(f"{{{SVG}}}title")
    heading.text = title
    root.insert(0, heading)
    # here and not at import: a process has one registry, and WeasyPrint registers the empty prefix when it is imported
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    text = ElementTree.tostring(root, encoding="unicode")
    return re.sub(r"\s*\n\s*", " ", text)


def clean(element: ElementTree.Element, used: set[str], prefix: str) -> None:
    for child in list(element):
        if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
            element.remove(child)
            continue
        clean(child, used, prefix)
        attributes(child, used, prefix)
    element[:] = [kept for child in element for kept in (
        child if child.tag == f"{{{SVG}}}g" and not child.attrib else [child]
        if len(child) or child.attrib or child.text else [])]
    if element.tag != TEXT:
        element.text = None
    for child in element:
        child.tail = None


def attributes(element: ElementTree.Element, used: set[str], prefix: str) -> None:
    found = element.attrib
    for declaration in found.pop("style", "").split(";"):
        name, _, value = declaration.partition(":")
        if value:
            found[name.strip()] = value.strip()
    if "font" in found:  # a short form that only style sheets may use
        found["font-size"], _, found["font-family"] = found.pop("font").partition(" ")
    if "font-family" in found:
        found["font-family"] += f", {LIKE_IT}"
        if "CJK" in found["font-family"]:
            found["font-family"] = found["font-family"].replace("'", "")  # WeasyPrint does not find quoted names
    if found.get("id") not in used:
        found.pop("id", None)
    if found.get("transform", "").startswith("rotate(-0 "):
        del found["transform"]
    for name, value in found.items():
        if name == "id":
            value = f"{prefix}-{value}"
        elif "#" in value and name in (HREF, "clip-path"):
            value = value.replace("#", f"#{prefix}-")
        elif name not in ("font-family",):
            value = LONG.sub(lambda m: f"{float(m[0]):.2f}", value)
        found[name] = value
