"""The pictures of the report: bars, curves, a heat map, a front."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from entropick.report import svg, words
from entropick.report.svg import Axes, element

PANEL = (360.0, 236.0)
HALF = (440.0, 290.0)
WIDE = (680.0, 300.0)
MANY_COUNTS = 12  # beyond which counts are drawn on a logarithmic scale
LABEL_GAP = 13.0  # between the names at the ends of curves
N_COLOURS = 8  # in the style sheet: c0 for the main curve of a figure, c1 to c7 for the others in turn


def bar(score: float, runner_up: float | None, low: float, high: float) -> Markup:
    """Draw a bar from 0 to the score inside a table cell, with a mark at the runner-up."""
    scale = svg.Scale(low, high, 0.0, 100.0)
    start, end = sorted((scale(0.0), scale(score)))
    shapes = [element("rect", x=_share(start), width=_share(max(end - start, 0.4)), y=2)]
    if runner_up is not None and low <= runner_up <= high:
        at = _share(scale(runner_up))
        shapes.append(element("line", x1=at, x2=at, y1=0, y2=14))
    return element("svg", *shapes, class_="bar", aria_hidden="true", height=14)


def _share(percent: float) -> str:
    return f"{percent:.1f}%"


@dataclass(frozen=True)
class Curve:
    """A line through points, with a band around it if `error` is given.

    `index` chooses the colour; the main curve of a figure has index 0.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    tips: Sequence[str]
    error: Sequence[float] | None = None
    index: int = 0
    labelled: bool = False

    @property
    def colour(self) -> str:
        return "c0" if self.index == 0 else f"c{1 + (self.index - 1) % (N_COLOURS - 1)}"

    def extent(self) -> list[float]:
        """Lowest and highest value, the band included."""
        errors = self.error or [0.0] * len(self.y)
        pairs = list(zip(self.y, errors, strict=True))
        return [min(y - e for y, e in pairs), max(y + e for y, e in pairs)]

    def drawn(self, axes: Axes, dots: bool) -> Markup:
        shapes = []
        if self.error is not None:
            upper = axes.points(self.x, [y + e for y, e in zip(self.y, self.error, strict=True)])
            lower = axes.points(self.x[::-1], [y - e for y, e in zip(self.y, self.error, strict=True)][::-1])
            shapes.append(element("polygon", points=f"{upper} {lower}", class_="band"))
        shapes.append(element("polyline", points=axes.points(self.x, self.y)))
        radius = 3 if dots else 1
        for x, y, text in zip(self.x, self.y, self.tips, strict=True):
            number = int(x) if self.index == 0 and x == int(x) else None  # where the script marks a choice
            shapes.append(
                element("circle", svg.tip(text), cx=axes.x(x), cy=axes.y(y), r=radius, data_n=number)
            )
        return element("g", *shapes, class_=f"curve {self.colour}")


@dataclass(frozen=True)
class Band:
    """The area between two curves."""

    name: str
    x: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]

    def drawn(self, axes: Axes) -> Markup:
        points = f"{axes.points(self.x, self.high)} {axes.points(self.x[::-1], self.low[::-1])}"
        return element("polygon", svg.tip(self.name), points=points, class_="others")


@dataclass(frozen=True)
class Reference:
    """A straight line with a name, at a value of x or of y; that of an upright line may stand low."""

    name: str
    value: float
    upright: bool = False
    low: bool = False

    def drawn(self, axes: Axes) -> Markup:
        if self.upright:
            x = axes.x(self.value)
            line = element("line", x1=x, x2=x, y1=axes.y.end, y2=axes.y.start)
            to_the_left = x > (axes.x.start + axes.x.end) / 2  # where there is more room
            shift, anchor = (-5, "end") if to_the_left else (5, None)
            y = axes.y.start - 6 if self.low else axes.y.end + 10
            text = element("text", self.name, x=x + shift, y=y, class_=anchor)
        else:
            y = axes.y(self.value)
            line = element("line", x1=axes.x.start, x2=axes.x.end, y1=y, y2=y)
            text = element("text", self.name, x=axes.x.start + 4, y=y - 4)
        return element("g", line, text, class_="reference")


def thinned(n: int, n_max: int) -> list[int]:
    """At most `n_max` of the numbers below n, evenly spread, including first and last."""
    if n <= n_max:
        return list(range(n))
    return sorted({round(i * (n - 1) / (n_max - 1)) for i in range(n_max)})


def curves(
    label: str,
    axis_labels: tuple[str, str],
    lines: Sequence[Curve],
    references: Sequence[Reference | Band] = (),
    size: tuple[float, float] = PANEL,
    y_range: tuple[float, float] | None = None,
) -> Markup:
    """Draw curves over counts in one panel; labelled ones have their names at the right end.

    Parameters
    ----------
    label : description of the figure
    axis_labels : labels of x and y
    lines : the curves, in order of importance
    references : straight lines and bands behind the curves
    size : width and height
    y_range : range of y; by default what the curves and references need
    """
    xs = [x for line in lines for x in line.x]
    ys = [y for line in lines for y in line.extent()]
    ys += [mark.value for mark in references if isinstance(mark, Reference) and not mark.upright]
    ys += [y for band in references if isinstance(band, Band) for y in (*band.low, *band.high)]
    names = [words.shorten(line.name, words.SHOWN_LABEL) for line in lines if line.labelled]
    right = 12 + max((8 + svg.CHARACTER * len(name) for name in names), default=0)
    x_range = (min(xs), max(xs)) if max(xs) > min(xs) else (min(xs) - 1, max(xs) + 1)
    x_scale = svg.CountScale if min(xs) >= 0 and max(xs) > MANY_COUNTS else svg.Scale
    y_range = y_range or svg.spread(ys)
    axes = Axes.fitting(x_range, y_range, axis_labels, size, right, whole_x=True, x_scale=x_scale)
    drawn = [line.drawn(axes, dots=len(line.x) <= 40) for line in reversed(lines)]
    return svg.picture(
        label,
        *size,
        axes.drawn(),
        *(mark.drawn(axes) for mark in references),
        *drawn,
        _names_at_ends(lines, axes),
    )


def _names_at_ends(lines: Sequence[Curve], axes: Axes) -> Markup:
    labelled = [line for line in lines if line.labelled]
    heights = svg.apart([axes.y(line.y[-1]) for line in labelled], LABEL_GAP, axes.y.end, axes.y.start)
    texts = [
        element(
            "text", words.shorten(line.name, words.SHOWN_LABEL), x=axes.x.end + 8, y=height + 4,
            class_=line.colour,
        )
        for line, height in zip(labelled, heights, strict=True)
    ]  # fmt: skip
    return element("g", *texts, class_="names") if texts else Markup("")


def heat_map(label: str, names: Sequence[str], pairs: Sequence[tuple[float, int, int]]) -> Markup:
    """Draw values from 0 to 1 of pairs of names (first before second) as a triangle; full colour is 1.

    As in `levels`, the tip of a row has a line per cell.
    """
    n = len(names)
    shown = [words.shorten(name, words.SHOWN_LABEL) for name in names]
    cell = min(26.0, 600.0 / n)
    left = 26 + svg.CHARACTER * max(map(len, shown))
    value_of = {(j, i): value for value, j, i in pairs}
    rows = []
    for i in range(n):
        before = [j for j in range(i) if (j, i) in value_of]
        tips = [shown[i], *(f"{shown[j]}: {words.number(value_of[j, i], 3)}" for j in before)]
        cells = [
            element("rect", x=j, fill_opacity=f"{min(max(value_of[j, i], 0.0), 1.0):.2f}".lstrip("0"))
            for j in before
        ]
        itself = element("rect", x=i, class_="self")  # the style sheet has its size
        rows.append(element("g", svg.tip("\n".join(tips)), *cells, itself, transform=f"translate(0 {i})"))
    texts = []
    for i, name in enumerate(shown):
        middle = (i + 0.5) * cell
        texts.append(element("text", name, x=left - 26, y=middle + 4, class_="end"))
        texts.append(element("text", i + 1, x=left - 7, y=middle + 4, class_="end quiet"))
        texts.append(element("text", i + 1, x=left + middle, y=n * cell + 15, class_="middle quiet"))
    scaled = f"translate({left:g} 0) scale({cell:g})"
    drawn = element("g", *rows, class_="heat", transform=scaled) + element("g", *texts, class_="ticks")
    return svg.picture(label, left + n * cell + 4, n * cell + 22, drawn, grows=False)


def front(
    label: str,
    axis_labels: tuple[str, str],
    points: Sequence[tuple[float, float]],
    tips: Sequence[str],
    sizes: Sequence[int],
    chosen: int | None,
) -> Markup:
    """Draw subsets by two objectives as a staircase, with their sizes; the chosen one stands out."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    axes = Axes.fitting(svg.spread(xs), svg.spread(ys), axis_labels, WIDE)
    order = sorted(range(len(points)), key=lambda i: points[i])
    stairs = [(axes.x(xs[i]), axes.y(ys[i])) for i in order]
    path = f"M{stairs[0][0]:.1f} {stairs[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in stairs[1:])
    shapes = [element("path", d=path, class_="stairs")]
    for i in order:
        standing_out = i == chosen
        shapes.append(
            element(
                "circle", svg.tip(tips[i]), cx=axes.x(xs[i]), cy=axes.y(ys[i]), r=6 if standing_out else 3.5,
                class_="chosen" if standing_out else "subset",
            )
        )  # fmt: skip
    shapes += _sizes_beside(order, stairs, sizes, chosen)
    return svg.picture(label, *WIDE, axes.drawn(), element("g", *shapes, class_="front"))


def _sizes_beside(
    order: Sequence[int], points: Sequence[tuple[float, float]], sizes: Sequence[int], chosen: int | None
) -> list[Markup]:
    """Labels with the sizes of the subsets, where there is room; the chosen one first."""
    taken: list[tuple[float, float]] = []
    texts = []
    for k in sorted(range(len(order)), key=lambda k: (order[k] != chosen, k)):
        x, y = points[k]
        if all(abs(x - other_x) > 26 or abs(y - other_y) > 16 for other_x, other_y in taken):
            taken.append((x, y))
            is_chosen = order[k] == chosen
            text = (
                f"chosen: {words.counted(sizes[order[k]], 'column')}" if is_chosen else str(sizes[order[k]])
            )
            texts.append(element("text", text, x=x + 9, y=y - 6, class_="chosen" if is_chosen else None))
    return texts


@dataclass(frozen=True)
class Piece:
    """A segment of a bar, as shares of its length."""

    start: float
    end: float
    tip: str


LEVEL_HEIGHT, LEVEL_LEFT, LEVEL_RIGHT = 19.0, 102.0, 74.0  # of the bars of a card, 5 less in the style sheet
CARD_WIDTH = 380.0
NO_PIECE = element("rect")  # the style sheet colours pieces by their place


def class_colour(index: int) -> int:
    """Number of the colour of a class; the last colour is shared by all further classes."""
    return min(index, N_COLOURS - 1)


def levels(label: str, rows: Sequence[tuple[str, Sequence[Piece], str]], line: float | None = None) -> Markup:
    """Draw a bar per level, with its name on the left and a number on the right, and a line across.

    The tip of a bar has a line per piece; the script shows the line of the piece behind the pointer.
    """
    scale = svg.Scale(0.0, 1.0, LEVEL_LEFT, CARD_WIDTH - LEVEL_RIGHT)
    height = LEVEL_HEIGHT * len(rows)
    bars = []
    for k, (name, pieces, number) in enumerate(rows):
        bar = [svg.tip("\n".join([name, *(piece.tip for piece in pieces)]))]
        for piece in pieces:
            start, end = round(scale(piece.start)), round(scale(piece.end))
            bar.append(
                element("rect", x=start, width=end - start or 0.5) if piece.end > piece.start else NO_PIECE
            )
        bar += [element("text", name, x=LEVEL_LEFT - 8), element("text", number, x=CARD_WIDTH)]
        bars.append(element("g", *bar, transform=f"translate(0 {k * LEVEL_HEIGHT + 3:g})"))
    if line is not None:
        bars.append(element("line", x1=scale(line), x2=scale(line), y1=0, y2=height))
    return svg.picture(label, CARD_WIDTH, height, element("g", *bars, class_="levels ticks"))


def interval(value: float, low: float, high: float) -> Markup:
    """Draw a value between 0 and 1 with its interval, inside a table cell."""
    start, end = (100 * min(max(bound, 0.0), 1.0) for bound in (low, high))
    return element(
        "svg",
        element("rect", x=_share(start), width=_share(max(end - start, 0.4)), y=5, height=4),
        element("circle", cx=_share(100 * min(max(value, 0.0), 1.0)), cy=7, r=4),
        class_="interval",
        aria_hidden="true",
        height=14,
    )
