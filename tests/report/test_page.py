"""The report shows what the document says, in one self-contained page that escapes everything."""

import copy
import json
import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from sklearn.datasets import load_wine

import entropick as ep
from entropick.cli.results import show_selection
from entropick.cli.screen import Screen
from entropick.report import render, svg, words
from report_documents import (
    ESTIMATORS,
    HOSTILE,
    METHODS,
    around,
    compare_document,
    select_document,
    step,
    wide_document,
)

LARGEST = 400_000  # bytes of a report about 200 columns
SELECTORS = [
    name
    for name in ep.__all__
    if isinstance(getattr(ep, name), type) and hasattr(getattr(ep, name), "get_support")
]
NAMES = [f"sensor {j}" for j in range(12)]
DOCUMENTS = {
    "select": wide_document(NAMES),
    "compare": compare_document(),
    "hostile": wide_document(HOSTILE),
    "hostile compare": compare_document(HOSTILE, HOSTILE, HOSTILE),
    "bare": {"schema_version": 1},
}


class Page(HTMLParser):
    """What a page is made of: tags with attributes, tables by caption, visible text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.open, self.tables, self.text = [], [], {}, ""
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "link"):
            self.open.append(tag)
        if tag == "caption":
            self._caption = ""
        if tag == "tr" and "tbody" in self.open:
            self._rows.append([])
        if tag in ("td", "th"):
            self._cell = {"text": "", "note": "", **dict(attributes)}
            (self._rows[-1] if "tbody" in self.open else self._heads).append(self._cell)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        if tag == "caption":
            self._heads, self._rows = [], []
            self.tables[self._caption] = (self._heads, self._rows)

    def handle_data(self, data):
        if self.open[-1:] == ["caption"]:
            self._caption += data
        if "td" in self.open or ("th" in self.open and "table" in self.open):
            self._cell["note" if self.open[-1] == "small" else "text"] += data
        if not {"script", "style", "title"} & set(self.open):
            self.text += data

    def column(self, caption, label):
        heads, rows = self.tables[caption]
        at = [head["text"] for head in heads].index(label)
        return [row[at] for row in rows]

    def numbers(self, caption, label):
        """The exact numbers of a column."""
        return [number_in(cell) for cell in self.column(caption, label)]


def number_in(cell):
    text = cell.get("data-v", cell["text"].strip())
    return None if text in ("", "–") else float(text)


def page_of(document):
    return Page(render(document))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = rng.integers(0, 3, (60, 6)).astype(float)
    X[:, 2] = y + 0.1 * rng.random(60)
    X[:, 4] = y * rng.integers(0, 2, 60)
    return X, y


@pytest.mark.filterwarnings("ignore:.* of 6 picks .* do not lower:entropick.exceptions.SelectionWarning")
@pytest.mark.every_method
@pytest.mark.parametrize("name", SELECTORS)
def test_every_selector_has_a_report(name, table):
    """What any selector records can be shown, with its exact scores in the order of its picks."""
    selector = getattr(ep, name)()
    if "random_state" in selector.get_params():
        selector.set_params(random_state=0)
    selection = selector.fit(*table).selection_
    document = json.loads(json.dumps(select_document(selection, name)))
    page = page_of(document)
    caption = "Columns in order of selection"
    steps = document["selection"]["steps"]
    assert page.numbers(caption, "Score") == [s["score"] for s in steps]
    texts = [cell["text"] for cell in page.column(caption, "Column")]
    shown = [text.removesuffix("may be chance").removesuffix("may add nothing").strip() for text in texts]
    assert shown == [s["names"][0] for s in steps]
    assert name in page.text


def test_front_and_history_of_real_searches(table):
    """The Bayesian front and the probabilities of the cross-entropy method have sections of their own."""
    bayesian = render(select_document(ep.BayesianEntropyFS(random_state=0).fit(*table).selection_))
    assert 'id="front"' in bayesian
    assert 'id="history"' in bayesian
    assert "chosen:" in bayesian
    selection = ep.CrossEntropyFS(random_state=0).fit(*table).selection_
    crossed = render(select_document(selection))
    assert "The best subsets" in selection.exploration.front._repr_html_()
    assert "Probabilities over the rounds" in crossed
    assert 'id="front"' not in crossed


def test_records_write_their_report(table, tmp_path):
    """From Python, a selection and a comparison need no document."""
    selection = ep.JMI(2).fit(*table).selection_
    page = Page(selection.to_html())
    assert "2 of 6 columns selected" in page.text
    assert "JMI selected 2 of 6 columns" in page.text
    assert selection.to_html(tmp_path / "report.html") is None
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == selection.to_html()
    found = ep.compare(*table, methods=["jmi"], estimators=["tree"], folds=2, random_state=0)
    assert found.recommendation.sentence[:20] in Page(found.to_html()).text


def test_cards_say_what_columns_say():
    """A card per column: its levels, the shares of the classes, and who could stand in."""
    html = render(wide_document(NAMES))
    assert html.count("<h3>") == 6
    assert "<title>≤ 3.5\na: 50 %\nb: 30 %\nc: 20 %</title>" in html
    assert html.count("1,000 rows") == 6
    assert "Could stand in: <bdi>sensor 5</bdi> (75 %)" in html
    real = copy.deepcopy(wide_document(NAMES))
    levels = [{"label": "≤ 1", "n_rows": 3, "mean": 2.0}, {"label": "> 1", "n_rows": 1, "mean": 6.0}]
    real["profiles"] = {
        "classes": None,
        "mean": 3.0,
        "columns": [{"name": "x", "levels": levels, "stand_ins": []}],
    }
    shown = render(real)
    assert "the line is the mean of all rows, 3.0" in shown
    assert "Could stand in" not in shown
    assert "\nmean 6.000, 1 row</title>" in shown


def test_numbers_of_a_selection():
    """Scores, leads, residuals, p-values, redundancies, fronts and rounds are those of the document."""
    document = wide_document(NAMES)
    page = page_of(document)
    record = document["selection"]
    for label, key in {
        "Score": "score",
        "Lead": "lead",
        "Residual": "residual",
        "p": "p_value",
    }.items():
        shown = page.numbers("Columns in order of selection", label)
        assert shown == [s[key] for s in record["steps"]]
    values = document["redundancy"]["values"]
    pairs = sorted((values[i][j] for i in range(12) for j in range(i)), reverse=True)
    assert page.numbers("Pairs that share the most", "Shared") == pairs[:10]
    overlaps = page.numbers("Columns in order of selection", "Overlap")
    assert overlaps == [None] + [max(values[i][:i]) for i in range(1, 12)]
    front = record["exploration"]["front"]
    for k, label in enumerate(record["exploration"]["objectives"]):
        assert page.numbers("The subsets of the front", label) == [entry["values"][k] for entry in front]
    rounds = {entry["n_evaluated"]: entry["gamma"] for entry in record["exploration"]["history"]}
    seen = page.numbers("The rounds in numbers", "Subsets")
    assert [rounds[n] for n in seen] == page.numbers("The rounds in numbers", "Worst of elite")
    assert seen[0] == 50
    assert seen[-1] == 6000
    assert page.numbers("How columns became levels", "Missing") == list(range(12))
    assert page.numbers("Classes of the target", "Rows") == [600, 400, 234]


def test_numbers_of_a_comparison():
    """Scores, stability, times, agreement and ranks are those of the document."""
    comparison = compare_document()["comparison"]
    page = page_of(compare_document())
    for estimator in ESTIMATORS:
        caption = f"Balanced accuracy of {estimator} in numbers"
        for method in comparison["methods"]:
            scores = method["scores"][estimator]
            assert page.numbers(caption, method["name"]) == scores["mean"]
            titles = [cell["title"] for cell in page.column(caption, method["name"])]
            assert titles == [f"{m} ± {s}" for m, s in zip(scores["mean"], scores["std"], strict=True)]
        best = [max(method["scores"][estimator]["mean"]) for method in comparison["methods"]]
        assert page.numbers("Methods compared", f"Best {estimator}") == best
    stability = page.numbers("Methods compared", "Stability")
    assert stability == [method["stability"]["value"] for method in comparison["methods"]]
    assert page.numbers("Methods compared", "Fit") == [method["seconds"] for method in comparison["methods"]]
    for j, name in enumerate(METHODS):
        shown = page.numbers("Agreement between methods", name)
        assert shown == [row[j] for row in comparison["agreement"]["values"]]
        order = comparison["methods"][j]["order"]
        ranks = [order.index(entry["name"]) + 1 for entry in comparison["consensus"]]
        assert page.numbers("Columns by mean rank", name) == ranks
    assert page.numbers("Columns by mean rank", "Mean rank") == [
        e["mean_rank"] for e in comparison["consensus"]
    ]
    assert comparison["recommendation"]["sentence"] in page.text


@pytest.mark.parametrize("kind", ["select", "compare"])
def test_no_number_is_made_up(kind):
    """Every exact number in a table is one of the document, and is shown correctly rounded."""
    document = DOCUMENTS[kind]
    known = set(all_numbers(document))
    for _, rows in page_of(document).tables.values():
        for cell in (cell for row in rows for cell in row if "data-v" in cell):
            exact = float(cell["data-v"])
            assert exact in known
            text = cell["text"].replace("−", "-").replace(",", "")
            if re.fullmatch(r"-?\d+(\.\d+)?", text):
                decimals = len(text.partition(".")[2])
                assert text == f"{exact:.{decimals}f}"


def all_numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from all_numbers(item)
    elif isinstance(value, int | float):
        yield value


def test_surroundings_are_shown():
    """Source, target, command, seed, versions, warnings and notes can be read."""
    document = wide_document(NAMES)
    text = page_of(document).text
    data = document["data"]
    for part in (
        "wines.csv",
        "1,234 rows",
        "kind",
        document["command"],
        "3.11.2",
        "JMI()",
        "2026-01-02 03:04:05 UTC",
    ):
        assert part in text
    for part in (*document["warnings"], *data["notes"], data["ignored"][0]["reason"]):
        assert part in text
    compared = page_of(compare_document()).text
    assert "ReliefF: The rule stopped at once in 2 folds." in compared


@pytest.mark.parametrize("name", DOCUMENTS)
def test_page_is_closed_to_the_outside(name):
    """No address, one script, no handlers, no style attributes, and a policy that allows only the page's own."""
    html = render(DOCUMENTS[name])
    page = Page(html)
    assert [tag for tag, _ in page.tags if tag in ("script", "style")] == ["style", "script"]
    assert not {tag for tag, _ in page.tags} & {"img", "iframe", "object", "embed", "form", "base"}
    for _, attributes in page.tags:
        assert not [key for key in attributes if key.startswith("on") or key in ("style", "src", "srcset")]
        assert attributes.get("href", "#").startswith(("#", "data:,"))
    policy = next(a["content"] for _, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert re.findall(r"https?:|//www|url\(|@import", html) == []


def test_structure_helps_screen_readers():
    """Every link leads somewhere, figures have words, tables have captions and headings with a scope."""
    for document in (DOCUMENTS["select"], DOCUMENTS["compare"]):
        page = page_of(document)
        ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
        assert len(ids) == len(set(ids))
        links = [attributes["href"][1:] for tag, attributes in page.tags if tag == "a"]
        assert set(links) <= set(ids)
        for tag, attributes in page.tags:
            if tag == "svg":
                assert attributes.get("aria-hidden") == "true" or (
                    attributes["role"] == "img" and attributes["aria-label"]
                )
            if tag == "th":
                assert attributes["scope"] in ("row", "col")
        assert [tag for tag, _ in page.tags if tag in ("h1", "main", "nav")] == ["h1", "nav", "main"]
        assert all(page.tables)


@pytest.mark.slow
@pytest.mark.parametrize("make", [wide_document, lambda names: compare_document(columns=names)])
@pytest.mark.parametrize(
    "names", [[f"expression of gene {j}" for j in range(200)], [f"{j} " + "ü" * 10_000 for j in range(200)]]
)
def test_size(make, names):
    """200 columns fit into the limit, and long names do not blow a page up."""
    limit = LARGEST if len(names[0]) < 100 else 2 * LARGEST
    assert len(render(make(names)).encode()) <= limit


def test_many_columns_are_cut_and_said():
    """Beyond 200 rows the table says how many there are."""
    document = wide_document([f"column {j}" for j in range(300)])
    page = page_of(document)
    assert len(page.column("Columns in order of selection", "Column")) == 200
    assert len(page.column("How columns became levels", "Column")) == 30
    assert "The first 200 of 300 steps are shown." in page.text
    assert "The first 30 of 300 columns are shown." in page.text


def test_hostile_names_are_text():
    """Names come out as they went in, apart from what cannot be shown."""
    page = page_of(wide_document(HOSTILE))
    cells = page.column("Columns in order of selection", "Column")
    shown = [cell["text"].removesuffix(" ") for cell in cells]
    for name, text in zip(HOSTILE, shown, strict=True):
        if len(name) <= words.SHOWN_NAME and name.isprintable() and name.strip():
            assert text == name
    assert shown[5] == "‹U+202E›retaw‹U+202C›"
    assert shown[7] == "new\nline and␉tab and nul ␀ and half �"
    assert len(shown[8]) == words.SHOWN_NAME
    assert shown[10] == "‹blank›"
    assert cells[8]["title"] == "n" * words.FULL_NAME + "… (9,700 more characters)"


def test_rendering_changes_nothing():
    """The document stays as it was, and the same one gives the same page."""
    document = wide_document(HOSTILE)
    before = copy.deepcopy(document)
    assert render(document) == render(document)
    assert document == before


def test_parts_may_be_missing():
    """A document of nearly nothing is a page, and each part is left out where it has nothing to say."""
    ids = [
        attributes.get("id") for tag, attributes in page_of({"schema_version": 1}).tags if tag == "section"
    ]
    assert ids == ["repeat"]
    for key in ("data", "warnings", "versions", "redundancy", "command", "seed", "seconds"):
        render(wide_document(NAMES) | {key: None})
    for key in ("estimators", "agreement", "consensus", "recommendation", "baseline", "chance", "scoring"):
        document = compare_document()
        document["comparison"].pop(key)
        render(document)
    alone = wide_document(["only"])
    assert 'id="stop"' not in render(alone)
    assert 'id="redundancy"' not in render(alone)


def test_stop_curve_shows_what_chance_gives():
    """A band beside the residual entropy, where the cut computed one, and nowhere else."""
    document = wide_document(NAMES)
    assert "chance" not in page_of(document).text
    for i, one in enumerate(document["selection"]["steps"]):
        one["chance"] = [0.9 - 0.01 * i, 0.95 - 0.01 * i]
    html = render(document)
    assert html.count("chance: 90 % of tables with shuffled labels") == 1
    assert "In the grey band a column is no better than chance" in html


def test_held_out_rows_take_the_place_of_scores():
    """Where held-out rows decided how many, the growing scores are not drawn under the same question."""
    X, y = load_wine(return_X_y=True)
    selection = ep.JMI("auto").fit(X, y).selection_
    document = select_document(selection)
    assert 'id="prediction"' in render(document)
    assert 'id="stop"' not in render(document)
    document["selection"]["evidence"] = None
    assert 'id="stop"' in render(document)


MISSING_NUMBERS = [
    ("data", "n_rows"),
    ("selection", "steps", 0, "score"),
    ("selection", "steps", 1, "residual"),
    ("selection", "exploration", "front", 0, "values", 0),
    ("redundancy", "values", 1, 0),
    ("comparison", "methods", 0, "scores", ESTIMATORS[0], "mean", 0),
    ("comparison", "methods", 0, "scores", ESTIMATORS[0], "std", 1),
    ("comparison", "methods", 0, "stability", "low"),
    ("comparison", "baseline", ESTIMATORS[0]),
    ("comparison", "chance"),
    ("comparison", "agreement", "values", 0, 1),
]


@pytest.mark.parametrize("path", MISSING_NUMBERS, ids=lambda path: "/".join(map(str, path)))
@pytest.mark.parametrize("value", [None, "inf"])
def test_numbers_may_be_missing(path, value):
    """A number that could not be had, or is infinite, takes nothing else off the page."""
    document = wide_document(NAMES) | {"comparison": compare_document()["comparison"]}
    whole = page_of(document)
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value if isinstance(holder[path[-1]], float) else None
    assert page_of(document).tables.keys() == whole.tables.keys()


def test_best_score_goes_with_its_size():
    """Also where a score before it is missing; of equal scores the one of fewer columns counts."""
    document = compare_document()
    method = document["comparison"]["methods"][0]
    method["scores"][ESTIMATORS[0]]["mean"] = [None, 0.5, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1]
    cell = page_of(document).column("Methods compared", f"Best {ESTIMATORS[0]}")[0]
    assert (cell["text"].strip(), cell["note"]) == ("0.900", "at 3")


def test_nothing_found_is_said():
    """Where the cut kept no column, the first paragraph says so."""
    record = wide_document(NAMES)["selection"]
    record |= {
        "selected": [],
        "complete": False,
        "exploration": None,
        "steps": [step(1, "a", 0.01, kept=False, p_value=0.8)],
    }
    text = page_of(around(selection=record, method="CMIM")).text
    assert "0 of 12 columns selected" in text
    assert "No column passed the stopping rule" in text
    assert "stopped early" in text


def test_comparison_that_found_nothing():
    """The title says so, and no method is recommended."""
    document = compare_document()
    sentence = "Nothing was found: no method predicts the target better than guessing."
    document["comparison"]["recommendation"] = {
        "method": None, "n_features": 0, "estimator": None, "score": 0.33, "sentence": sentence,
    }  # fmt: skip
    text = page_of(document).text
    assert "5 methods compared, nothing found" in text
    assert sentence in text
    assert "ecommend" not in text


def test_chance_far_below_does_not_flatten_the_curves():
    """It is said in words, and drawn only where it is in reach."""
    document = compare_document()
    document["comparison"]["chance"] = 0.45
    assert ">guessing</text>" in render(document)
    document["comparison"]["chance"] = -7.25
    page = render(document)
    assert ">guessing</text>" not in page
    assert "Guessing gives −7.250." in page


def test_one_band_is_drawn_in_each_panel():
    """That of the recommended method: five would hide each other."""
    document = compare_document()
    n_panels = len(document["comparison"]["methods"][0]["scores"])
    page = render(document)
    assert page.count('class="band"') == n_panels
    assert f"one standard deviation for {document['comparison']['recommendation']['method']}" in page


def test_scores_of_any_kind():
    """Negative, missing, infinite, equal and tiny scores and columns fixed from the start have their place."""
    scores = [None, -0.5, "inf", 0.0, 1e-12, 1e9]
    steps = [step(i + 1, f"c{i}", score, fixed=i == 0) for i, score in enumerate(scores)]
    record = wide_document(NAMES)["selection"] | {"steps": steps, "exploration": None}
    cells = page_of(around(selection=record)).column("Columns in order of selection", "Score")
    assert [cell["text"] for cell in cells] == ["–", "−0.5", "inf", "0.0", "1e−12", "1,000,000,000.0"]
    equal = [step(i + 1, f"c{i}", 0.0) for i in range(3)]
    render(around(selection=record | {"steps": equal}))


def test_wrong_documents_are_refused():
    """Another version of the format is named."""
    with pytest.raises(ValueError, match=r"schema_version 1, and this one has 2\. Hint: "):
        render({"schema_version": 2})
    with pytest.raises(ValueError, match="this one has None"):
        render([])


def test_missing_library_is_named():
    """Without jinja2 the error says what to install."""
    code = "import sys; sys.modules['jinja2'] = None; from entropick.report import render; render({})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: The report needs jinja2, which is not installed. Hint: pip install" in done.stderr


def test_rendering_is_light():
    """A report is made without numpy, scikit-learn, numba or a dataframe library."""
    code = (
        "import sys; from entropick.report import render; render({'schema_version': 1});"
        "print([m for m in ('numpy', 'sklearn', 'numba', 'pandas', 'polars') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (3, "3"), (12345, "12,345"), (0.123456, "0.1235"), (-2.0, "−2.000"), (1234.56, "1,234.6"), (1e-9, "1e−09"), (0.0, "0.0"), ("inf", "inf")],
)  # fmt: skip
def test_numbers_in_words(value, text):
    """Numbers have four significant digits."""
    assert words.number(value) == text


def test_words():
    """Durations, lists and long names as people write them."""
    shown = [words.seconds(value) for value in (0.00123, 1.5, 125, 7300, None)]
    assert shown == ["1.23 ms", "1.5 s", "2 min 5 s", "2 h 1 min", "–"]
    assert words.listed(["a"]) == "<bdi>a</bdi>"
    assert words.listed(["a", "<b>", "c"]) == "<bdi>a</bdi>, <bdi>&lt;b&gt;</bdi> and <bdi>c</bdi>"
    assert words.listed(list("abcdefg"), n_max=2) == "<bdi>a</bdi>, <bdi>b</bdi> and 5 more"
    assert words.listed(list("abc"), n_max=2) == "<bdi>a</bdi>, <bdi>b</bdi> and <bdi>c</bdi>"
    assert words.shorten("abcdefghij", 7) == "abcd…ij"
    assert words.counted(1, "class", "classes") == "1 class"


def test_scales_and_ticks():
    """Ticks are round and inside the range; names at the ends of curves keep apart and in order."""
    assert svg.tick_texts(svg.Scale(0.0, 1.0, 0, 1).ticks()) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert svg.tick_texts(svg.Scale(-3.0, 17.0, 0, 1).ticks()) == ["0", "5", "10", "15"]
    counts = svg.CountScale(0, 200, 0, 400)
    assert (counts(0), counts(200)) == (0, 400)
    assert counts(1) - counts(0) > counts(11) - counts(10) > counts(101) - counts(100) > 0
    assert svg.tick_texts(counts.ticks()) == ["0", "1", "2", "5", "10", "20", "50", "100", "200"]
    assert svg.tick_texts(svg.CountScale(0, 200, 0, 150).ticks()) == ["0", "2", "10", "50", "200"]
    assert svg.spread([2.0, 2.0]) == (1.9, 2.1)
    assert svg.spread([0.0, 0.0]) == (-1.0, 1.0)
    assert svg.apart([5.0, 5.0, 5.0], 2.0, 0.0, 8.0) == [4.0, 6.0, 8.0]
    assert svg.apart([9.0, 1.0], 2.0, 0.0, 8.0) == [8.0, 1.0]


def contrast(one, two):
    """WCAG's ratio of two colours written as #rrggbb or #rgb."""
    shades = []
    for colour in (one, two):
        digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        shades.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(shades) + 0.05) / (min(shades) + 0.05)


def test_colours_can_be_read():
    """Text and curves stand out from the paper by WCAG's 4.5 in light, in dark and in print."""
    style = render({"schema_version": 1}).split("<style>")[1].split("</style>")[0]
    schemes = [
        dict(re.findall(r"--([\w-]+): (#\w+);", block))
        for block in re.findall(r":root \{(.*?)\}", style, re.S)
    ]
    assert len(schemes) == 3
    for colours in schemes:
        for name in ("ink", "soft", "accent", "c1", "c2", "c3", "c4", "c5", "c6", "c7"):
            assert contrast(colours[name], colours["paper"]) >= 4.5, name
        assert contrast(colours["alarm"], colours["alarm-wash"]) >= 4.5
        assert contrast(colours["accent"], colours["accent-wash"]) >= 4.5


def test_only_the_recommended_method_stands_out():
    """The accent belongs to one curve, however many there are, and to none without a recommendation."""
    document = compare_document([f"Method{k}" for k in range(20)], estimators=ESTIMATORS[:1])
    assert render(document).count('class="curve c0"') == 1
    document["comparison"]["recommendation"] = None
    assert render(document).count('class="curve c0"') == 0


@pytest.mark.parametrize(("cut", "meaning"), [(2, "among near rows"), ("residual", "H(y | columns)")])
def test_what_is_left_of_the_target(cut, meaning, capsys):
    """For NEFS an entropy of near rows, which may rise, unless the cut counts levels."""
    X, y = load_wine(return_X_y=True)
    selection = ep.NEFS(cut, random_state=0).fit(X, y).selection_
    page = Page(selection.to_html())
    assert meaning in page.text
    assert ("near rows" in page.text) == (cut == 2)
    show_selection(selection, "NEFS", Screen())
    assert ("among near rows" in capsys.readouterr().err) == (cut == 2)
