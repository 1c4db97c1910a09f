"""What is joined draws the same: order, clips and colours stay."""

from xml.etree.ElementTree import fromstring, tostring

from reports.svg import slim

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
DOT = '<defs><path id="dot" d="M 0 -1 L 1 1 z"/></defs>'


def parts(inner: str) -> list[tuple[str, str]]:
    """Name and path (or text) of every element below the root, in order."""
    root = fromstring(slim(f"{HEAD}{inner}</svg>", "f"))
    return [(one.tag.rpartition("}")[2], one.get("d") or one.text or "") for one in root.iter() if one is not root]


def use(x: float, y: float, look: str = 'fill="#0072b2"') -> str:
    return f'<use xlink:href="#dot" x="{x}" y="{y}" {look}/>'


def test_markers_become_one_path_in_their_places():
    assert parts(DOT + use(10, 20) + use(30.5, 40)) == [
        ("path", "M 10.00 19.00 L 11.00 21.00 z M 30.50 39.00 L 31.50 41.00 z")]


def test_what_would_look_otherwise_where_it_overlaps_stays_apart():
    edged = 'fill="#ffffff" stroke="#0072b2"'
    for apart in (use(1, 1) + use(1, 1, 'fill="#d55e00"'), use(1, 1, edged) + use(2, 2, edged),
                  use(1, 1, 'fill-opacity="0.5"') + use(2, 2, 'fill-opacity="0.5"'),
                  use(1, 1) + "<text>over</text>" + use(2, 2)):
        assert [name for name, _ in parts(DOT + apart)].count("path") == 2
    shapes = '<path d="M 0 0 L 1 0 L 1 1 z"/><path d="M 0 0 L 1 1 L 1 0 z"/>'  # wound against each other
    assert len(parts(shapes)) == 2


def test_an_axis_has_one_path_for_its_ticks():
    tick = '<use xlink:href="#dot" x="{0}" y="0" stroke="#555555"/><text>{0}</text>'
    axis = f'<g id="matplotlib.axis_1">{DOT}{tick.format(1)}{tick.format(2)}</g>'.replace("z", "")
    assert [name for name, _ in parts(axis.replace('stroke="#555555"', 'fill="none" stroke="#555555"'))] == ["path", "text", "text"]


def test_what_is_clipped_alike_is_clipped_once():
    line = '<path d="M 0 0 L {0} 0" fill="none" stroke="#{0}{0}{0}" clip-path="url(#box)"/>'
    clip = '<defs><clipPath id="box"><rect width="9" height="9"/></clipPath></defs>'
    found = parts(f'{line.format(1)}{DOT}<g clip-path="url(#box)">{use(1, 1)}</g><g clip-path="url(#box)"/>{line.format(2)}{clip}')
    assert [name for name, _ in found] == ["g", "path", "path", "path", "defs", "clipPath", "rect"]


def test_nothing_is_kept_that_draws_nothing():
    empty = f'<path fill="none"/><g clip-path="url(#box)"/>{DOT}<g><path stroke="#555555"/></g>'
    assert parts(empty) == []
    assert tostring(fromstring(slim(f"{HEAD}{empty}</svg>", "f"))).count(b"<") == 1
