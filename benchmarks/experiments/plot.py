"""Plots as SVG: lines and points with linear or logarithmic axes, and heat maps. They bring their own background, with
another set of colours for dark pages."""
import base64
import math
import struct
import zlib
from dataclasses import dataclass
from xml.sax.saxutils import escape

COLOURS = [("#1f6fb4", "#6db3f2"), ("#c8501e", "#f39a6b"), ("#2b8a3e", "#74c987"), ("#7a3fb0", "#c39be8"),
           ("#b0902b", "#e3c665"), ("#b02b6b", "#ee8ebb"), ("#4a5560", "#b6c2cd"), ("#138a8a", "#66cfcf")]
MARKERS = ["circle", "square", "triangle", "diamond"]


@dataclass
class Series:
    """A line through points (x, y); `errors` are half lengths of error bars; `mark` is "line", "points" or "both"."""
    name: str
    x: list
    y: list
    errors: list = None
    mark: str = "both"
    dashed: bool = False
    colour: int = None


def style():
    rules = [".back{fill:#ffffff}.grid{stroke:#dddddd}.axis{stroke:#666666}text{fill:#333333;font:12px sans-serif}"
             ".title{font-size:14px}"]
    dark = [".back{fill:#16191d}.grid{stroke:#33383f}.axis{stroke:#9aa4ae}text{fill:#d5dae0}"]
    for i, (light, night) in enumerate(COLOURS):
        for target, colour in ((rules, light), (dark, night)):
            target.append(f".s{i}{{stroke:{colour};fill:none}}.f{i}{{stroke:{colour};fill:{colour}}}")
    return f"<style>{''.join(rules)}@media (prefers-color-scheme:dark){{{''.join(dark)}}}</style>"


def coordinate(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def label(value):
    if value == 0:
        return "0"
    if abs(value) >= 1e6 or abs(value) < 1e-3:
        mantissa, exponent = f"{value:.2e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa}e{int(exponent)}"
    return f"{value:,.4f}".rstrip("0").rstrip(".") if abs(value) < 1000 else f"{value:,.0f}"


class Axis:
    """Maps values of a range to pixels."""

    def __init__(self, values, log, limits, start, end):
        values = [value for value in values if value is not None and (value > 0 or not log) and math.isfinite(value)]
        low, high = limits if limits else (min(values), max(values))
        if low == high:
            low, high = (low / 2, high * 2) if log else (low - 0.5, high + 0.5)
        if not limits:
            margin = 0.04 * (math.log(high / low) if log else high - low)
            low, high = (low / math.exp(margin), high * math.exp(margin)) if log else (low - margin, high + margin)
        self.low, self.high, self.log, self.start, self.end = low, high, log, start, end

    def pixel(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low) if self.log else \
            (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def holds(self, value):
        slack = 1e-9 * (self.high - self.low)
        return value is not None and (value > 0 or not self.log) and self.low - slack <= value <= self.high + slack

    def ticks(self):
        if self.log:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            step = max(1, (last - first) // 7)
            marks = (1,) if last - first > 3 else (1, 2, 5)
            values = [m * 10.0 ** e for e in range(first, last + 1, step) for m in marks]
        else:
            rough = (self.high - self.low) / 6
            power = 10.0 ** math.floor(math.log10(rough))
            step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999)
            values = [round(k * step, 12) for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]
        return [value for value in values if self.holds(value)]


def marker(kind, x, y, css):
    if kind == "circle":
        return f'<circle class="{css}" cx="{coordinate(x)}" cy="{coordinate(y)}" r="3"/>'
    shapes = {"square": [(-3, -3), (3, -3), (3, 3), (-3, 3)], "triangle": [(0, -4), (3.5, 3), (-3.5, 3)],
              "diamond": [(0, -4), (4, 0), (0, 4), (-4, 0)]}
    points = " ".join(f"{coordinate(x + a)},{coordinate(y + b)}" for a, b in shapes[kind])
    return f'<polygon class="{css}" points="{points}"/>'


def chart(title, x, y, series, log_x=False, log_y=False, x_range=None, y_range=None, width=720, height=420):
    """A chart as SVG text. Values outside the ranges, and values that are None, interrupt a line."""
    legend_width = 24 + max(len(one.name) for one in series) * 6.6
    left, right, top, bottom = 70, width - legend_width - 20, 36, height - 50
    spread = [v + s * e for one in series for v, e in zip(one.y, one.errors or [0] * len(one.y)) if v is not None
              for s in (-1, 1)]
    across = Axis([v for one in series for v in one.x], log_x, x_range, left, right)
    along = Axis(spread, log_y, y_range, bottom, top)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           f'role="img"><title>{escape(title)}</title>{style()}<rect class="back" width="{width}" height="{height}"/>',
           f'<text class="title" x="{left}" y="22">{escape(title)}</text>']
    for value in across.ticks():
        at = coordinate(across.pixel(value))
        out.append(f'<line class="grid" x1="{at}" y1="{top}" x2="{at}" y2="{bottom}"/>'
                   f'<text x="{at}" y="{bottom + 18}" text-anchor="middle">{label(value)}</text>')
    for value in along.ticks():
        at = coordinate(along.pixel(value))
        out.append(f'<line class="grid" x1="{left}" y1="{at}" x2="{coordinate(right)}" y2="{at}"/>'
                   f'<text x="{left - 6}" y="{coordinate(float(at) + 4)}" text-anchor="end">{label(value)}</text>')
    out.append(f'<line class="axis" x1="{left}" y1="{bottom}" x2="{coordinate(right)}" y2="{bottom}"/>'
               f'<line class="axis" x1="{left}" y1="{top}" x2="{left}" y2="{bottom}"/>'
               f'<text x="{coordinate((left + right) / 2)}" y="{height - 12}" text-anchor="middle">{escape(x)}</text>'
               f'<text transform="translate(16 {coordinate((top + bottom) / 2)}) rotate(-90)" '
               f'text-anchor="middle">{escape(y)}</text>')
    for i, one in enumerate(series):
        out += draw(one, i, across, along)
        at = top + 10 + 20 * i
        css = (one.colour if one.colour is not None else i) % len(COLOURS)
        dash = ' stroke-dasharray="5 4"' if one.dashed else ""
        if one.mark != "points":
            out.append(f'<line class="s{css}" stroke-width="2"{dash} x1="{coordinate(right + 10)}" y1="{at}" '
                       f'x2="{coordinate(right + 28)}" y2="{at}"/>')
        if one.mark != "line":
            out.append(marker(MARKERS[i % len(MARKERS)], right + 19, at, f"f{css}"))
        out.append(f'<text x="{coordinate(right + 34)}" y="{at + 4}">{escape(one.name)}</text>')
    return "\n".join(out) + "\n</svg>\n"


def draw(one, index, across, along):
    css = (one.colour if one.colour is not None else index) % len(COLOURS)
    dash = ' stroke-dasharray="5 4"' if one.dashed else ""
    out, piece = [], []

    def flush():
        if len(piece) > 1 and one.mark != "points":
            out.append(f'<polyline class="s{css}" stroke-width="1.6"{dash} points="{" ".join(piece)}"/>')
        piece.clear()

    for i, (a, b) in enumerate(zip(one.x, one.y)):
        if not across.holds(a) or not along.holds(b):
            flush()
            continue
        at, up = across.pixel(a), along.pixel(b)
        piece.append(f"{coordinate(at)},{coordinate(up)}")
        if one.errors and one.errors[i]:
            ends = [along.pixel(min(max(v, along.low), along.high)) for v in (b - one.errors[i], b + one.errors[i])]
            out.append(f'<line class="s{css}" x1="{coordinate(at)}" y1="{coordinate(ends[0])}" x2="{coordinate(at)}" '
                       f'y2="{coordinate(ends[1])}"/>')
        if one.mark != "line":
            out.append(marker(MARKERS[index % len(MARKERS)], at, up, f"f{css}"))
    flush()
    return out


def png(rows):
    """An RGB image as PNG bytes."""
    raw = b"".join(b"\0" + bytes(channel for pixel in row for channel in pixel) for row in rows)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def shade(value, limit):
    """Blue below 0, white at 0, red above 0."""
    share = max(-1.0, min(1.0, value / limit))
    fade = round(255 * (1 - abs(share)))
    return (255, fade, fade) if share > 0 else (fade, fade, 255)


def heatmaps(title, panels, columns=2, size=200):
    """Matrices as images. A panel is (name, rows of values, limit): values from -limit (blue) to limit (red). Row 0 is
    at the bottom."""
    lines = (len(panels) + columns - 1) // columns
    width, height = columns * (size + 30) + 30, lines * (size + 44) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           f'role="img"><title>{escape(title)}</title>{style()}<rect class="back" width="{width}" height="{height}"/>',
           f'<text class="title" x="30" y="22">{escape(title)}</text>']
    for i, (name, values, limit) in enumerate(panels):
        x, y = 30 + (i % columns) * (size + 30), 54 + (i // columns) * (size + 44)
        image = base64.b64encode(png([[shade(v, limit) for v in row] for row in reversed(values)])).decode()
        out.append(f'<text x="{x}" y="{y - 6}">{escape(name)}</text><image x="{x}" y="{y}" width="{size}" '
                   f'height="{size}" preserveAspectRatio="none" href="data:image/png;base64,{image}"/>'
                   f'<rect class="axis" fill="none" x="{x}" y="{y}" width="{size}" height="{size}"/>')
    return "\n".join(out) + "\n</svg>\n"
