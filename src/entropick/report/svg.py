"""Drawing: elements, scales and axes as inline SVG. Colours and fonts are the style sheet's business."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from entropick.report import words

Numbers = Sequence[float]
FIGURE_PADDING = 4
TICK_GAP = 7  # between an axis and its numbers
CHARACTER = 7.0  # width of a character of a label, about


def element(tag: str, *children: Any, **attributes: Any) -> Markup:
    """One element; children and values are escaped, ``class_`` and ``stroke_width`` are written as in SVG."""
    written = Markup("").join(
        Markup(' {}="{}"').format(Markup(name.rstrip("_").replace("_", "-")), _attribute(value))
        for name, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>" if children else "<{0}{1}/>").format(Markup(tag), written, inside)


def _attribute(value: Any) -> str:
    """A tenth of a pixel is enough."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def tip(text: str) -> Markup:
    """What is shown behind the pointer."""
    return element("title", text)


def picture(label: str, width: float, height: float, *children: Markup, grows: bool = True) -> Markup:
    """A whole figure; `label` says in words what it shows. One that does not grow keeps its size."""
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
    """Values from `low` to `high` on pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values in the range, some `about` of them."""
        step = round_step((self.high - self.low) / about)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


@dataclass(frozen=True)
class CountScale(Scale):
    """Counts from 0 on, by the logarithm of 1 + count: most happens among the first ones."""

    def __call__(self, value: float) -> float:
        return Scale(math.log1p(self.low), math.log1p(self.high), self.start, self.end)(math.log1p(value))

    def ticks(self, about: int = 5) -> list[float]:
        """Each about twice as large as the one before, as far as their numbers have room."""
        rounded = [0, *(factor * 10**power for power in range(9) for factor in (1, 2, 5))]
        shown: list[float] = []
        for tick in (tick for tick in rounded if self.low <= tick <= self.high):
            if not shown or self(tick) - self(shown[-1]) >= CHARACTER * (len(str(tick)) + 2):
                shown.append(tick)
        return shown


def round_step(step: float) -> float:
    """The next of 1, 2, 5, 10, ... times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * 0.999)


def spread(values: Numbers) -> tuple[float, float]:
    """A range around the values with a little air, and never of width 0."""
    low, high = min(values), max(values)
    air = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return low - air, high + air


@dataclass(frozen=True)
class Axes:
    """The two scales of a panel, and what is written at them."""

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
        """Axes that leave room for their numbers inside a figure of the given size."""
        width, height = size
        left = 14 + CHARACTER * max(map(len, tick_texts(Scale(*y_range, 0, 1).ticks())), default=1)
        return cls(
            x_scale(*x_range, left + TICK_GAP, width - right),
            Scale(*y_range, height - 42, 26),
            *labels,
            whole_x=whole_x,
        )

    def drawn(self) -> Markup:
        """Grid, numbers and labels."""
        x_ticks = self.x.ticks()
        if self.whole_x:
            x_ticks = [tick for tick in x_ticks if abs(tick - round(tick)) < 1e-9]
        y_ticks = self.y.ticks()
        bottom, left = self.y.start, self.x.start
        parts = [element("line", x1=left, x2=self.x.end, y1=self.y(t), y2=self.y(t)) for t in y_ticks]
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
        return element("g", *parts, class_="grid") + element("g", *texts, class_="ticks")

    def points(self, xs: Numbers, ys: Numbers) -> str:
        """Points as SVG's polylines want them."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in zip(xs, ys, strict=True))


def tick_texts(ticks: Numbers) -> list[str]:
    """The numbers of an axis, all with the same decimals."""
    if len(ticks) < 2:
        return [words.number(tick) for tick in ticks]
    decimals = max(0, -math.floor(math.log10(abs(ticks[1] - ticks[0])) + 1e-9))
    return [words.number(round(tick, decimals) or 0.0, decimals) for tick in ticks]


def apart(places: Numbers, gap: float, low: float, high: float) -> list[float]:
    """The places moved as little as needed to be `gap` apart between `low` and `high`, in the same order."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    gap = min(gap, (high - low) / max(len(places) - 1, 1))
    moved = list(places)
    floor = low
    for i in order:
        moved[i] = floor = max(moved[i], floor)
        floor += gap
    ceiling = high
    for i in reversed(order):
        moved[i] = ceiling = min(moved[i], ceiling)
        ceiling -= gap
    return moved
