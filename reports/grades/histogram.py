"""How many students have how many points, as a small SVG drawing. It contains only numbers."""

from markupsafe import escape

from reports.language import tr, tr_many

BINS, WIDTH, HEIGHT, BASE, LEFT = 10, 560, 190, 150, 20


def histogram(shares: list[float], of: float) -> str:
    """`shares`: points divided by the most that can be earned."""
    counts = [0] * BINS
    for share in shares:
        counts[max(0, min(int(share * BINS + 1e-9), BINS - 1))] += 1
    most, step = max(max(counts), 1), (WIDTH - 2 * LEFT) / BINS
    parts = []
    for i, count in enumerate(counts):
        height, x = 120 * count / most, LEFT + i * step
        if count:
            parts.append(f'<rect class="bar" x="{x + 2:.1f}" y="{BASE - height:.1f}" width="{step - 4:.1f}" height="{height:.1f}"/>'
                         f'<text x="{x + step / 2:.1f}" y="{BASE - height - 5:.1f}">{count}</text>')
    for i in range(BINS + 1):
        parts.append(f'<text class="tick" x="{LEFT + i * step:.1f}" y="{BASE + 16}">{of * i / BINS:.4g}</text>')
    axis = escape(tr("points"))
    parts.append(f'<line x1="{LEFT}" x2="{WIDTH - LEFT}" y1="{BASE}" y2="{BASE}"/><text class="tick" x="{WIDTH / 2}" y="{BASE + 36}">{axis}</text>')
    title = tr_many("{n} student by points: {counts} in {bins} equal ranges from 0 to {most}",
                    "{n} students by points: {counts} in {bins} equal ranges from 0 to {most}", len(shares), counts=", ".join(map(str, counts)), bins=BINS,
                    most=f"{of:.4g}")
    return f'<svg class="histogram" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{escape(title)}</title>{"".join(parts)}</svg>'
