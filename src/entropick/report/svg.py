"""Elements, scales and axes as inline SVG. Colours and fonts are in the style sheet."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from entropick.report import words

Numbers = Sequence[float]
FIGURE_PADDING = 4
TICK_GAP = 7  # pixels between an axis and its numbers
CHARACTER = 7.0  # approximate width of a character in a label


def element(tag: str, *children: Any, **attributes: Any) -> Markup:
    """Make an element; children and values are escaped, ``class_`` and ``stroke_width`` become SVG names."""
    written = Markup("").join(
        Markup(' {}="{}"').format(Markup(name.rstrip("_").replace("_", "-")), _attribute(value))
        for name, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>" if children else "<{0}{1}/>").format(Markup(tag), written, inside)


def _attribute(value: Any) -> str:
    """Format a value, rounded to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def tip(text: str) -> Markup:
    """Make a tooltip."""
    return element("title", text)


def picture(label: str, width: float, height: float, *children: Markup, grows: bool = True) -> Markup:
    """Make a figure described by `label`; it keeps its size unless `grows`."""
    return element(
        "svg",
        *children,
        class_="figure" if grows else "figure fixed",
        viewBox=f"0 0 {width:g} {height:g}",
        width=None if grows else f"{width:g}",
        role="img",
        aria_label=label,
    )


@dataclass(frozen=True)
class Scale:
    """Maps values from `low` to `high` to pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """About this many round values in the range."""
        step = round_step((self.high - self.low) / about)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


@dataclass(frozen=True)
class CountScale(Scale):
    """Logarithmic scale of 1 + count, since most changes are among the first counts."""

    def __call__(self, value: float) -> float:
        return Scale(math.log1p(self.low), math.log1p(self.high), self.start, self.end)(math.log1p(value))

    def ticks(self, about: int = 5) -> list[float]:
        """Ticks that about double each time, where there is room for their labels."""
        rounded = [0, *(factor * 10**power for power in range(9) for factor in (1, 2, 5))]
        shown: list[float] = []
        for tick in (tick for tick in rounded if self.low <= tick <= self.high):
            if not shown or self(tick) - self(shown[-1]) >= CHARACTER * (len(str(tick)) + 2):
                shown.append(tick)
        return shown


def round_step(step: float) -> float:
    """Round up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * 0.999)


def spread(values: Numbers) -> tuple[float, float]:
    """Range of the values with some padding, never of width 0."""
    low, high = min(values), max(values)
    padding = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return low - padding, high + padding


@dataclass(frozen=True)
class Axes:
    """The two scales of a panel, and their labels."""

    x: Scale
    y: Scale
    x_label: str
    y_label: str
    whole_x: bool = False

    @classmethod
    def fitting(
        cls,
        x_range: tuple[float, float],
        y_range: tuple[float, float],
        labels: tuple[str, str],
        size: tuple[float, float],
        right: float = 12,
        whole_x: bool = False,
        x_scale: type[Scale] = Scale,
    ) -> "Axes":
        """Make axes that leave room for their numbers in a figure of this size."""
        width, height = size
        left = 14 + CHARACTER * max(map(len, tick_texts(Scale(*y_range, 0, 1).ticks())), default=1)
        return cls(
            x_scale(*x_range, left + TICK_GAP, width - right),
            Scale(*y_range, height - 42, 26),
            *labels,
            whole_x=whole_x,
        )

    def drawn(self) -> Markup:
        """Draw grid, numbers and labels."""
        x_ticks = self.x.ticks()
        if self.whole_x:
            x_ticks = [tick for tick in x_ticks if abs(tick - round(tick)) < 1e-9]
        y_ticks = self.y.ticks()
        bottom, left = self.y.start, self.x.start
        lines = [element("line", x1=left, x2=self.x.end, y1=self.y(t), y2=self.y(t)) for t in y_ticks]
        texts = [
            element("text", text, x=left - TICK_GAP, y=self.y(t) + 4, class_="end")
            for t, text in zip(y_ticks, tick_texts(y_ticks), strict=True)
        ]
        texts += [
            element("text", text, x=self.x(t), y=bottom + 17, class_="middle")
            for t, text in zip(x_ticks, tick_texts(x_ticks), strict=True)
        ]
        texts.append(element("text", self.x_label, x=self.x.end, y=bottom + 34, class_="end label"))
        texts.append(element("text", self.y_label, x=FIGURE_PADDING, y=12.0, class_="label"))
        return element("g", *lines, class_="grid") + element("g", *texts, class_="ticks")

    def points(self, xs: Numbers, ys: Numbers) -> str:
        """Format points for an SVG polyline."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in zip(xs, ys, strict=True))


def tick_texts(ticks: Numbers) -> list[str]:
    """Format the numbers of an axis with equal decimals."""
    if len(ticks) < 2:
        return [words.number(tick) for tick in ticks]
    decimals = max(0, -math.floor(math.log10(abs(ticks[1] - ticks[0])) + 1e-9))
    return [words.number(round(tick, decimals) or 0.0, decimals) for tick in ticks]


def apart(positions: Numbers, gap: float, low: float, high: float) -> list[float]:
    """Move positions so that they are `gap` apart between `low` and `high`, in the same order."""
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    gap = min(gap, (high - low) / max(len(positions) - 1, 1))
    moved = list(positions)
    floor = low
    for i in order:
        moved[i] = floor = max(moved[i], floor)
        floor += gap
    ceiling = high
    for i in reversed(order):
        moved[i] = ceiling = min(moved[i], ceiling)
        ceiling -= gap
    return moved
