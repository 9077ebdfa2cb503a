"""Tables and figures of the paper on NEFS, the paper beside ours."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from experiments.nefs import reading
from experiments.nefs.design import (
    CORRAL_NAMES,
    CURVES,
    HASHED,
    IN_ROW_ORDER,
    OUR_VARIANTS,
    PAPER_METHODS,
    SIGNED,
    SMALL_SIZES,
    WHOLE_SIZES,
    Curves,
)
from experiments.protocol import Figure, Results, Section, markdown_table, mean_and_error

TABLE_II = {
    "X-MIFS": "C A1 B1 B0",
    "RELIEFF": "B0 B1 A1 A0",
    "SNEFS": "B0 B1 A1 A0",
    "NEFS": "B0 A1 B1 A0",
    "RRPC_S": "C B0 B1 A1",
    "RRPC_SS": "C B1 A1 A0",
    "mRMR": "C B0 B1 A1",
}
TABLE_IV = {
    "X-MIFS": ("4.8e-07", "-0.144"),
    "RELIEFF": ("1.14e-06", "1.21"),
    "SNEFS": ("1.02e-05", "16.6"),
    "NEFS": ("2.61e-04", "257"),
    "RRPC_S": ("3.8e-06", "-0.521"),
    "RRPC_SS": ("3.2e-06", "-0.489"),
    "mRMR": ("1.57e-06", "-0.152"),
}
# Colours that can be told apart by everybody (Okabe and Ito), one for each method; variants are dashed.
COLOURS = {
    "NEFS": "#0072B2",
    "SNEFS": "#D55E00",
    "RELIEFF": "#009E73",
    "X-MIFS": "#CC79A7",
    "RRPC_S": "#000000",
    "RRPC_SS": "#999999",
    "mRMR": "#E69F00",
    "X-MIFS, quantiles": "#CC79A7",
    "mRMR, quantiles": "#E69F00",
    SIGNED: "#000000",
}
Series = dict[str, list[tuple[int, list[float]]]]


def sections(results: Results) -> list[Section]:
    """What there is to show of the cells that were run."""
    parts: Iterable[Callable[[Results], Section | None]] = (
        corral,
        hyperspheres,
        *[lambda found, curves=curves: accuracy(found, curves) for curves in CURVES],
        few_rows,
        selection_on_all_rows,
        friedman,
        times,
    )
    return [section for part in parts if (section := part(results)) is not None]


def corral(results: Results) -> Section | None:
    """Table II."""
    rows = []
    for method in (*PAPER_METHODS, HASHED, IN_ROW_ORDER):
        runs = [tuple(order) for order in reading.corral_runs(results, method)]
        if not runs:
            return None
        order, count = reading.most_frequent(runs)
        shares = [np.mean([set(run) == {0, 1, 2, 3} for run in runs]), np.mean([run[0] == 5 for run in runs])]
        most = " ".join(CORRAL_NAMES[j] for j in order)
        rows.append([method, TABLE_II.get(method, ""), most, count, *[f"{share:.2f}" for share in shares]])
    header = [
        "Method",
        "Paper",
        "Most frequent order",
        f"times of {len(runs)}",
        "A0 A1 B0 B1 first",
        "C first",
    ]
    text = (
        "A0 and A1, B0 and B1, and the two pairs can be exchanged without a change of the class, so which of "
        "their orders is most frequent is chance or a matter of the order of rows; that the four come first, "
        "or C does, is not.\n\n"
    )
    return Section("CORRAL, Table II", text + markdown_table(header, rows))


def hyperspheres(results: Results) -> Section | None:
    """How many of the relevant columns are found."""
    numbers = {m: reading.relevant_found(results, m) for m in PAPER_METHODS + OUR_VARIANTS}
    numbers = {method: found for method, found in numbers.items() if found}
    if not numbers:
        return None
    paper = {
        "NEFS": "5 or 6",
        "SNEFS": "5 or 6",
        "RELIEFF": "1 or 2",
        "RRPC_S": "1 or 2",
        "RRPC_SS": "1 or 2",
    }
    rows = [
        [method, paper.get(method, ""), mean_and_error(found, 1), min(found), max(found)]
        for method, found in numbers.items()
    ]
    n = len(numbers["SNEFS"])
    header = ["Method", "Paper", f"Of the 7 relevant columns, mean of {n}", "least", "most"]
    return Section("HYPERSPHERES, columns found", markdown_table(header, rows))


def accuracy(results: Results, curves: Curves) -> Section | None:
    """Accuracy against the number of columns on one data set."""
    parts, figures = [], []
    for classifier in curves.classifiers:
        series: Series = {}
        for method in curves.methods:
            found = [
                (s, reading.accuracies(results, curves.name, classifier, method, s)) for s in curves.sizes
            ]
            if all(values for _, values in found):
                series[method] = found
        if not series:
            continue
        parts.append(f"{classifier}:\n\n{_curve_table(series)}")
        caption = (
            f"{curves.name}, {classifier}: accuracy against the number of columns, with standard errors."
        )
        name = f"nefs_{curves.name.lower()}_{classifier.lower()}"
        figures.append(Figure(name, caption, _drawing(series)))
    if not parts:
        return None
    n = len(results.where(part="curves", data=curves.name))
    text = f"Mean ± standard error over {n} folds.\n\n" + "\n\n".join(parts)
    return Section(f"{curves.name}, accuracy", text, figures)


def few_rows(results: Results) -> Section | None:
    """Fig. 4c."""
    methods = PAPER_METHODS + OUR_VARIANTS
    series = {m: [(s, reading.small_accuracies(results, m, s)) for s in SMALL_SIZES] for m in methods}
    series = {method: found for method, found in series.items() if found[0][1]}
    if not series:
        return None
    n = len(series["SNEFS"][0][1])
    text = f"Selection and training on 57 random rows, RF, tested on all others; {n} draws.\n\n"
    caption = "SPAMBASE_N with as many rows as columns, RF: accuracy against the number of columns."
    figures = [Figure("nefs_spambase_few_rows", caption, _drawing(series))]
    return Section("SPAMBASE_N with N = D", text + _curve_table(series), figures)


def selection_on_all_rows(results: Results) -> Section | None:
    """What it would add to select before the folds are made."""
    rows = []
    for record in results.where(part="whole"):
        name = record.settings["data"]
        for method in PAPER_METHODS + OUR_VARIANTS:
            leaked = np.array(record.result["accuracy"][method])
            cells: list[str] = []
            for place, size in enumerate(WHOLE_SIZES):
                honest = reading.accuracies(results, name, "RF", method, size)
                cells += [mean_and_error(leaked[:, place].tolist()), mean_and_error(honest)]
            rows.append([name, method, *cells])
    if not rows:
        return None
    header = ["Data", "Method"]
    for size in WHOLE_SIZES:
        header += [f"{size} columns, chosen on all rows", f"{size}, in the training part"]
    text = (
        "The paper does not say whether columns were selected before the folds were made. If so, the test "
        "rows took part in the selection. RF, both ways; all verdicts use the selection in the training "
        "part.\n\n"
    )
    return Section("Selection before or in the folds", text + markdown_table(header, rows))


def friedman(results: Results) -> Section | None:
    """Friedman's test at every size."""
    rows = []
    for curves in CURVES:
        for classifier in curves.classifiers:
            p = [reading.friedman(results, curves.name, classifier, PAPER_METHODS, s) for s in curves.sizes]
            known = [
                f"{size}: {value:.1g}"
                for size, value in zip(curves.sizes, p, strict=True)
                if value is not None
            ]
            if known:
                n_small = sum(value < reading.FRIEDMAN_LEVEL for value in p if value is not None)
                rows.append([curves.name, classifier, f"{n_small} of {len(known)}", ", ".join(known)])
    if not rows:
        return None
    header = ["Data", "Classifier", "sizes with p < 0.01", "p by number of columns"]
    text = "Friedman's test between the paper's seven methods, the folds as blocks.\n\n"
    return Section("Friedman's tests", text + markdown_table(header, rows))


def times(results: Results) -> Section | None:
    """Table IV."""
    models = {m: reading.time_model(results, m) for m in (*PAPER_METHODS, HASHED)}
    rows = [
        [
            method,
            *TABLE_IV.get(method, ("", "")),
            f"{model.coefficient:.2e}",
            f"{model.intercept:.3f}",
            f"{model.r_squared:.2f}",
            len(model.seconds),
            f"{max(model.seconds.values()):.2f}",
        ]
        for method, model in models.items()
        if model is not None
    ]
    if not rows:
        return None
    header = [
        "Method",
        "Paper: coefficient",
        "intercept",
        "Ours: coefficient",
        "intercept",
        "R²",
        "tables",
        "most s",
    ]
    text = (
        "Seconds of processor time of one thread as a line in rows · columns, 10 picks. The paper's are of "
        "another machine and of its own programs. Exact NEFS and RELIEFF grow with the square of the rows, "
        "so that a line is a rough model of them.\n\n"
    )
    return Section("Time, Table IV", text + markdown_table(header, rows))


def _curve_table(series: Series) -> str:
    sizes = [size for size, _ in next(iter(series.values()))]
    rows = [[method, *[mean_and_error(values) for _, values in found]] for method, found in series.items()]
    return markdown_table(["Columns", *map(str, sizes)], rows)


def _drawing(series: Series) -> Callable[[Any], None]:
    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for method, found in series.items():
            sizes = [size for size, _ in found]
            means = [float(np.mean(values)) for _, values in found]
            errors = [
                float(np.std(values, ddof=1) / len(values) ** 0.5) if len(values) > 1 else 0.0
                for _, values in found
            ]
            style = "-" if method in PAPER_METHODS else "--"
            axes.errorbar(
                sizes,
                means,
                errors,
                color=COLOURS[method],
                linestyle=style,
                marker=".",
                capsize=2,
                label=method,
            )
        axes.set_xlabel("number of columns")
        axes.set_ylabel("accuracy")
        axes.legend(fontsize="x-small", loc="center left", bbox_to_anchor=(1.01, 0.5))

    return draw
