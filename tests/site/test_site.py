"""The built site (`make docs`): links lead somewhere, images load, search finds, nothing shuts readers out."""

import functools
import http.server
import os
import shutil
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from helpers import public_names

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "docs"
AXE = ROOT / "build" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = sorted(SITE.rglob("*.html"))
LOOKED_AT = ["index.html", "start.html", "guide.html", "cuts.html", "methods/jmi.html", "api/index.html",
             "api/generated/entropick.JMI.html", "auto_examples/index.html", "auto_examples/plot_how_many.html",
             "coming-from.html", "reproduction.html", "groups-and-time.html", "methods/bayesian.html"]  # fmt: skip

if not PAGES:
    pytest.skip("the site is not built: make docs", allow_module_level=True)


class Page(HTMLParser):
    """Ids, links and images of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.images = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {attrs[key] for key in ("id", "name") if attrs.get(key)}
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag == "img":
            self.images.append(attrs)


@functools.cache
def page_at(path):
    return Page(path)


def broken_links(path):
    """Links of a page to files or places that are not there."""
    for link in page_at(path).links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        is_place = target.suffix == ".html" and parts.fragment
        if not target.is_file() or (is_place and unquote(parts.fragment) not in page_at(target).ids):
            yield link


def test_links_lead_somewhere():
    """Every link inside the site, with its anchor."""
    broken = {f"{path.relative_to(SITE)} -> {link}" for path in PAGES for link in broken_links(path)}
    assert sorted(broken) == []


def test_images_are_there_and_described():
    """Every image has a file and says what it shows."""
    for path in PAGES:
        for image in page_at(path).images:
            if not urlsplit(image["src"]).scheme:
                assert (path.parent / unquote(image["src"])).is_file(), (path, image["src"])
            assert image.get("alt") is not None, (path, image["src"])


def test_every_public_name_has_a_page():
    """The reference forgets nothing."""
    missing = [name for name in public_names() if not (SITE / f"api/generated/{name}.html").is_file()]
    assert missing == []


def test_gallery_has_figures():
    """Each example ran and drew something."""
    for source in (ROOT / "examples").glob("plot_*.py"):
        page = SITE / "auto_examples" / f"{source.stem}.html"
        assert any(source.stem in image["src"] for image in page_at(page).images), source.stem


class Silent(http.server.SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        pytest.skip("no chromium: run `make browser`, or set CHROMIUM")
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()


@pytest.fixture
def show(browser, address):
    """Opens a page of the site; requests to other hosts are refused."""
    contexts = []

    def open_page(name, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.route(lambda url: not url.startswith(address), lambda route: route.abort())
        page.goto(f"{address}/{name}")
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", LOOKED_AT)
def test_images_load(name, show):
    """In a browser every image has a size."""
    page = show(name)
    page.wait_for_load_state("load")
    shown = "[...document.images].filter(i => i.loading != 'lazy')"
    sizes = page.evaluate(f"{shown}.map(i => [i.src, i.naturalWidth])")
    assert [source for source, width in sizes if width == 0] == []


def test_search_finds(show):
    """A word leads to its page."""
    page = show("search.html?q=StabilitySelector")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    found = page.locator("#search-results li a").evaluate_all("links => links.map(a => a.href)")
    assert any("StabilitySelector" in link or "stability" in link for link in found)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("imbalanced", "imbalanced-classes"),
        ("patients", "groups-and-time"),
        ("one-hot", "data"),
        ("leaks", "identifiers-and-leaks"),
        ("how many", "cuts"),
    ],
)
def test_search_leads_first_to_the_page_about_it(words, name, show):
    """Questions of readers have their page at the top."""
    page = show(f"search.html?q={words}")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    page.wait_for_selector("#search-results .search-summary:has-text('found')", timeout=20_000)
    first = page.locator("#search-results li a").first.get_attribute("href")
    assert first.split(".html")[0].endswith(name), first


def test_formulas_are_set_by_the_browser(show):
    """As MathML, without a script or a request."""
    page = show("methods/mrmr.html")
    assert page.locator("math mfrac").count() >= 1
    assert page.locator("script[src*='mathjax' i]").count() == 0


@pytest.mark.parametrize("name", LOOKED_AT)
def test_narrow(name, show):
    """On a telephone no page scrolls sideways."""
    page = show(name, viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


CUT_OFF = """
[...document.querySelectorAll('article pre, article table, article .pst-scrollable-table-container')]
  .filter(box => box.offsetParent !== null && (box.scrollWidth > box.clientWidth + 1
    || box.getBoundingClientRect().right > document.querySelector('article').getBoundingClientRect().right + 1))
  .map(box => box.innerText.slice(0, 60))
  .concat(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [])
"""


@pytest.mark.parametrize("width", [420, 768, 1300])
def test_no_page_is_cut_off(width, show):
    """On every page, at every width, tables and code wrap within their column, and nothing is wider."""
    page = show("index.html", viewport={"width": width, "height": 900})
    address = page.url.removesuffix("/index.html")
    cut_off = {}
    for path in PAGES:
        name = path.relative_to(SITE).as_posix()
        page.goto(f"{address}/{name}", wait_until="domcontentloaded")
        if found := page.evaluate(CUT_OFF):
            cut_off[name] = found
    assert cut_off == {}


LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 360, "height": 740}},
    "print": {},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", LOOKED_AT)
def test_accessible(name, look, show):
    """axe finds no violation, in light, in dark, on a telephone and on paper."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make docs-test")
    page = show(name, **LOOKS[look])
    if look == "print":
        page.emulate_media(media="print")
    page.wait_for_load_state("networkidle")  # colours are judged once all styles are there
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = page.evaluate("axe.run().then(result => result.violations)")
    told = [(v["id"], [node["html"][:150] for node in v["nodes"][:3]]) for v in violations]
    assert told == []
