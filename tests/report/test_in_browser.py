"""The report in a real browser: no errors, no network access, sortable, readable in every theme."""

import copy
import json
import os
import runpy
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import entropick as ep
from entropick.report import render, words
from entropick.selectors.report import document_of
from report_documents import CRITERIA, HOSTILE, compare_document, table_to_choose_from, wide_document


def living_document(selector, X, y):
    """The document of a fit with its table."""
    return {"schema_version": 1, **document_of(selector.fit(X, y), X, y)}


CANCER = load_breast_cancer(as_frame=True, return_X_y=True)

NAMES = [f"sensor {j}" for j in range(12)]
DOCUMENTS = {
    "select": wide_document(NAMES),
    "compare": compare_document(),
    "hostile": wide_document(HOSTILE),
    "hostile compare": compare_document(HOSTILE, HOSTILE, HOSTILE),
    "bare": {"schema_version": 1},
    "living": living_document(ep.JMI("auto"), *CANCER),
}
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
AXE = Path(__file__).parents[2] / "build" / "node_modules" / "axe-core" / "axe.min.js"
NARROW = {"width": 360, "height": 740}
RANKING = "#ranking tbody tr"


def find_chromium():
    """The program named by CHROMIUM, or the first one installed; None where there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    program = find_chromium()
    if program is None:
        pytest.skip(f"no browser found under {', '.join(PROGRAMS)}: run `make browser`, or set CHROMIUM")
    # root, as in containers, may not use the sandbox
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def show(browser, tmp_path):
    """Opens a document's report offline; afterwards nothing may have been said or asked for."""
    contexts, noise = [], []

    def open_report(document, **options):
        path = tmp_path / "report.html"
        path.write_text(render(document), encoding="utf-8")
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: noise.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noise.append(f"error: {error}"))
        page.on("dialog", lambda dialog: noise.append(f"dialog: {dialog.message}"))
        page.on(
            "request", lambda request: request.url == path.as_uri() or noise.append(f"request: {request.url}")
        )
        page.goto(path.as_uri())
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert noise == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_opens_silently(name, show):
    """Offline: no error, no request, and no name has become a part of the page."""
    page = show(DOCUMENTS[name])
    assert page.title().endswith("· entropick")
    assert page.locator("script").count() == 1
    assert page.locator("img, iframe, object, form").count() == 0
    page.wait_for_timeout(100)  # time for a smuggled script to speak up


def test_tables_sort(show):
    """By click and by keyboard, both ways, by exact values, and the heading says how."""
    page = show(DOCUMENTS["select"])
    rows = page.locator(RANKING)
    first = lambda: rows.first.locator("th bdi").inner_text()  # noqa: E731
    button = page.locator("#ranking thead button", has_text="Residual")
    button.click()
    heading = page.locator("#ranking thead th", has_text="Residual")
    assert heading.get_attribute("aria-sort") == "descending"
    assert first() == "sensor 0"
    button.focus()
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    assert first() == "sensor 11"
    page.locator("#ranking thead button", has_text="Column").click()
    assert rows.locator("th bdi").all_inner_texts() == NAMES
    assert page.locator("#ranking [aria-sort]").count() == 1


def test_gaps_sort_last(show):
    """A cell without a value stays below, whichever way."""
    page = show(DOCUMENTS["select"])
    button = page.locator("#ranking thead button", has_text="Overlap")
    for _ in range(2):
        button.click()
        assert page.locator(RANKING).last.locator("th bdi").inner_text() == "sensor 0"


def test_mixed_sizes_sort_as_numbers(show):
    """Times in different units sort by their seconds."""
    page = show(DOCUMENTS["compare"])
    button = page.locator("#methods thead button", has_text="Fit")
    button.click()
    button.click()
    names = page.locator("#methods tbody th bdi").all_inner_texts()
    assert names == ["JMI", "MRMR", "CMIM", "ReliefF", "RenyiFS"]


def test_values_appear_behind_the_pointer(show):
    """A point of a figure and a number of a table tell their values at once."""
    page = show(DOCUMENTS["compare"])
    page.locator("#accuracy .curve.c0 circle").nth(4).hover()
    assert page.locator("#tip").inner_text().startswith("JMI, 8 columns: 0.")
    cell = page.locator("#consensus tbody td").nth(5)
    exact = page.locator("#methods tbody td[data-v]").first
    exact.hover()
    assert page.locator("#tip").inner_text() == exact.get_attribute("data-v")
    cell.hover()
    assert page.locator("#tip").is_hidden()


def test_a_piece_of_a_bar_has_its_own_value(show):
    """Of the lines of a bar or a row of the heat map, the one behind the pointer is shown; of its name, all."""
    page = show(DOCUMENTS["select"])
    bar = page.locator("#columns .levels g").first
    bar.locator("rect").nth(1).hover()
    assert page.locator("#tip").inner_text() == "≤ 3.5, b: 30 %"
    bar.locator("text").first.hover()
    assert page.locator("#tip").inner_text() == "≤ 3.5\na: 50 %\nb: 30 %\nc: 20 %"
    page.locator(".heat g").nth(2).locator("rect").nth(1).hover()
    assert page.locator("#tip").inner_text().startswith("sensor 2, sensor 1: 0.")


@pytest.mark.parametrize("name", ["select", "compare"])
def test_readable_without_scripts(name, show):
    """All text is there, and no button that does nothing."""
    tall = {"viewport": {"width": 1300, "height": 9000}}  # cards far below have no text until they are near
    with_scripts = drawn_text(show(DOCUMENTS[name], **tall))
    page = show(DOCUMENTS[name], java_script_enabled=False, **tall)
    assert page.locator("button").count() == 0
    page.locator("summary").first.click()
    assert page.locator("details").first.get_attribute("open") is not None
    page.locator("summary").first.click()
    assert drawn_text(page) == with_scripts


def drawn_text(page):
    page.screenshot()  # waits until all that is in sight is drawn, without which cards have no text
    return page.locator("main").inner_text().replace("\n", "")


def test_hostile_names_are_shown_as_text(show):
    """Markup, other directions of writing, pictures and very long names are seen as they are."""
    page = show(DOCUMENTS["hostile"])
    shown = page.locator(f"{RANKING} th bdi").all_text_contents()
    assert shown[0] == HOSTILE[0]
    assert shown[1:5] == HOSTILE[1:5]
    assert shown[6] == HOSTILE[6]
    assert len(shown[8]) == words.SHOWN_NAME
    assert page.title() == "5 of 11 columns selected · entropick"


def luminance(colour):
    red, green, blue = (int(part) for part in colour.split("(")[1].rstrip(")").split(",")[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def body_style(page, name):
    return page.evaluate(f"getComputedStyle(document.body).{name}")


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_light_and_dark(scheme, is_dark, show):
    """The page follows the reader's setting, with text far from its ground."""
    page = show(DOCUMENTS["compare"], color_scheme=scheme)
    ground, text = (luminance(body_style(page, name)) for name in ("backgroundColor", "color"))
    assert (ground < text) == is_dark
    assert abs(ground - text) > 180


@pytest.mark.parametrize("name", ["select", "compare", "hostile", "hostile compare", "living"])
def test_narrow_screens(name, show):
    """On a telephone the page does not scroll sideways; wide tables do so inside."""
    page = show(DOCUMENTS[name], viewport=NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_paper(show):
    """On paper there is no navigation, dark turns light, and folded tables are open."""
    page = show(DOCUMENTS["select"], color_scheme="dark")
    page.emulate_media(media="print")
    assert page.locator("nav").is_hidden()
    assert body_style(page, "backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.parametrize("name", ["select", "compare", "living"])
def test_nothing_is_cut_off_on_paper(name, show):
    """No table is wider than a sheet of A4 between its margins."""
    page = show(DOCUMENTS[name], viewport={"width": 718, "height": 1047})
    page.emulate_media(media="print")
    ends = page.locator("table").evaluate_all("tables => tables.map(t => t.getBoundingClientRect().right)")
    assert max(ends) <= 718


def test_keyboard(show):
    """The first stop is the way past the navigation; every wide table and every sort button can be reached."""
    page = show(DOCUMENTS["select"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    for expected in ("BUTTON", "PRE") * 2:  # the names and the line of code, each with its copy button
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.tagName") == expected
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "scroll"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"


def test_copy_buttons(show):
    """The names go to the clipboard as a list that Python reads."""
    page = show(DOCUMENTS["select"], permissions=["clipboard-read", "clipboard-write"])
    page.locator("#answer .snippet button").first.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert json.loads(copied) == DOCUMENTS["select"]["selection"]["selected"]
    assert "ep." in page.locator("#answer pre").nth(1).inner_text()


LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": NARROW},
    "print": {},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", ["select", "compare", "hostile", "living"])
def test_accessible(name, look, show):
    """axe finds no violation, in light, in dark, on a telephone and on paper."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make docs-test")
    page = show(DOCUMENTS[name], bypass_csp=True, **LOOKS[look])
    if look == "print":
        page.emulate_media(media="print")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = page.evaluate("axe.run().then(result => result.violations)")
    assert [(v["id"], [node["html"][:150] for node in v["nodes"][:3]]) for v in violations] == []


OVERLAPPING = """() => [...document.querySelectorAll("svg.figure")].flatMap(figure => {
  const texts = [...figure.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
  return texts.flatMap(([name, a], i) => texts.slice(0, i).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4).map(([other]) => [other, name]));
})"""


@pytest.mark.parametrize("n_chosen", [2, 4, 8, 20])
def test_labels_of_figures_do_not_overlap(n_chosen, show):
    """Whatever number of columns was chosen, and is marked beside "all columns"."""
    document = copy.deepcopy(DOCUMENTS["living"])
    document["selection"]["evidence"]["n_chosen"] = n_chosen
    page = show(document, viewport={"width": 1300, "height": 9000})
    assert page.locator("#prediction .reference text", has_text="kept").count() == 2
    assert page.evaluate(OVERLAPPING) == []


def chosen(page):
    """The columns that the page offers to copy."""
    return json.loads(page.locator(".living code").inner_text())


def choose(page, key, value):
    """Move the slider or choose a criterion."""
    event = "input" if key == "number" else "change"
    page.locator(f"#{key}").evaluate(
        f"(field, value) => {{ field.value = value; field.dispatchEvent(new Event('{event}')); }}", value
    )


def code_on(page):
    """The pipeline step that the page offers to copy."""
    page.locator(".formats button", has_text="Pipeline").click()
    code = page.locator(".living code").inner_text()
    page.locator(".formats button", has_text="List").click()
    return code


def selected_by(code, X, y):
    """The columns that a piece of code selects."""
    found = {"X": X}
    exec(code, found)
    return found["selector"].fit(found["X"], y).selection_.selected_names


EACH_CRITERION = """names => names.map(name => {
  const field = document.querySelector("#criterion");
  field.value = name;
  field.dispatchEvent(new Event("change"));
  return JSON.parse(document.querySelector(".living code").textContent);
})"""


@pytest.mark.parametrize("seed", range(20))
def test_the_page_selects_what_the_library_selects(seed, show):
    """Every criterion, with and without adjusted information, for half of the columns."""
    X, y = table_to_choose_from(seed)
    correction = ("adjusted", None)[seed % 2]
    n = X.shape[1] // 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = show(living_document(ep.JMI(n, correction=correction), X, y))
        expected = {
            name: getattr(ep, name)(n, correction=correction).fit(X, y).selection_.selected_names
            for name in CRITERIA
        }
        found = page.evaluate(EACH_CRITERION, CRITERIA)
        assert dict(zip(CRITERIA, found, strict=True)) == expected
        for name in CRITERIA[seed : seed + 1]:  # one of them; none for the last tables
            choose(page, "criterion", name)
            assert selected_by(code_on(page), X, y) == expected[name]


def test_the_slider_moves_everything(show):
    """List, code, ranks, cards, the dot on the curve, and the sentence on the score."""
    page = show(DOCUMENTS["living"])
    record = DOCUMENTS["living"]["selection"]
    assert chosen(page) == record["selected"]
    assert code_on(page) == f"import entropick as ep\nselector = {DOCUMENTS['living']['code']}"
    order = [step["names"][0] for step in record["steps"]]
    choose(page, "number", 5)
    assert chosen(page) == order[:5]
    assert page.locator("#number + output").inner_text() == "5"
    assert selected_by(code_on(page), *CANCER) == order[:5]
    assert page.locator(".choice tbody tr:not(.quiet) th bdi").all_inner_texts() == order[:5]
    assert page.locator("#columns .cards > div:not(.left-out) h3").all_text_contents() == order[:5]
    assert page.locator("#prediction circle.now").evaluate_all("dots => dots.map(d => d.dataset.n)") == [
        "5",
        "5",
    ]
    score = record["evidence"]["scores"][record["evidence"]["sizes"].index(5)]
    assert (
        f"Accuracy of nearest neighbours on held-out rows {score:.3f}" in page.locator(".status").inner_text()
    )
    page.locator(".controls button").click()
    assert chosen(page) == record["selected"]


def test_pinned_and_banned_columns(show):
    """The code for them selects the same columns; a banned one names its stand-in; curves are not about them."""
    page = show(DOCUMENTS["living"])
    choose(page, "number", 6)
    page.get_by_label("Ban worst perimeter", exact=True).click()
    page.get_by_label("Pin worst symmetry", exact=True).click()
    found = chosen(page)
    assert found[0] == "worst symmetry"
    assert "worst perimeter" not in found
    assert selected_by(code_on(page), *CANCER) == found
    assert page.locator("tr.banned td").nth(3).inner_text().startswith("stand-in: worst radius")
    assert page.locator("circle.now").count() == 0
    assert "New: worst symmetry" in page.locator(".status").inner_text()
    page.get_by_label("Ban worst perimeter", exact=True).click()
    assert "worst perimeter" in chosen(page)


def test_long_tables_show_more_when_scrolled(show):
    """Of 60 columns, 40 have a row at first, and banned ones; searches find the others, and paper has them."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (50, 60)), rng.integers(0, 2, 50)
    page = show(living_document(ep.MIM(50), X, y))
    from playwright.sync_api import expect

    rows, box = page.locator(".choice tbody tr:visible"), page.locator(".tall")
    assert rows.count() == 40
    ranked = page.locator(".choice tbody th bdi").all_text_contents()
    page.locator("#find").fill(ranked[-1])
    assert ranked[-1] in rows.locator("th bdi").all_inner_texts()
    page.locator("#find").fill("")
    page.get_by_label(f"Ban {ranked[0]}", exact=True).click()
    assert rows.locator("th bdi").all_inner_texts() == [*ranked[1:41], ranked[0]]
    box.evaluate("box => box.scrollTo(0, box.scrollHeight)")
    expect(rows).to_have_count(60)
    box.evaluate("box => box.scrollTo(0, 0)")
    expect(rows).to_have_count(41)
    page.emulate_media(media="print")
    assert rows.count() == 50


def test_finding_and_copying(show):
    """Columns are found by parts of their names, lead to their cards, and are copied in several languages."""
    page = show(DOCUMENTS["living"])
    page.locator("#find").fill("SYMM")
    rows = page.locator(".choice tbody tr:visible")
    assert sorted(rows.locator("th bdi").all_inner_texts()) == [
        "mean symmetry",
        "symmetry error",
        "worst symmetry",
    ]
    assert page.locator(".find .note").inner_text() == "3 of 30 columns"
    rows.locator("a", has_text="worst symmetry").click()
    assert page.locator(":target h3").text_content() == "worst symmetry"
    choose(page, "number", 2)
    texts = {"polars": "df.select([", "pandas": "df[[", "SQL": 'SELECT "worst perimeter", '}
    for name, start in texts.items():
        page.locator(".formats button", has_text=name).click()
        assert page.locator(".living code").inner_text().startswith(start)


def test_other_methods_keep_their_order(show):
    """A method that pairs do not determine is the first choice, beside the criteria."""
    X, y = CANCER
    page = show(living_document(ep.ReliefF(4), X, y))
    assert page.locator("#criterion option").all_inner_texts() == ["ReliefF", *CRITERIA]
    fitted = ep.ReliefF(4).fit(X, y).selection_.selected_names
    assert chosen(page) == fitted
    choose(page, "number", 2)
    assert chosen(page) == fitted[:2]
    choose(page, "criterion", "MIM")
    assert chosen(page) == ep.MIM(2, correction="adjusted").fit(X, y).selection_.selected_names


def test_nothing_selected(show):
    """The page begins with no column, too, and the reader may choose some."""
    selector = ep.JMI(3).fit(*CANCER)
    order = selector.selection_.selected_names
    selector.selection_ = selector.selection_.keep(0)
    page = show({"schema_version": 1, **document_of(selector, *CANCER)})
    assert chosen(page) == []
    choose(page, "number", 2)
    assert chosen(page) == order[:2]
    assert selected_by(code_on(page), *CANCER) == order[:2]


def test_a_living_report_without_scripts(show):
    """The columns and the code are there, and nothing that does not work."""
    page = show(DOCUMENTS["living"], java_script_enabled=False)
    assert page.locator(".living").is_hidden()
    assert (
        json.loads(page.locator("#answer code").first.inner_text())
        == DOCUMENTS["living"]["selection"]["selected"]
    )
    assert page.locator("button, input, select").count() == 0


def test_pictures_are_of_this_report(browser, tmp_path):
    """Those in README and on the site; `python docs/make_report_picture.py` takes new ones."""
    images = pytest.importorskip("PIL.Image")
    made = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_report_picture.py"))
    _, words = made["photograph"](browser, made["write_report"](tmp_path), "light")
    for picture in made["PICTURES"].values():
        assert images.open(picture).text[made["WORDS"]] == words
