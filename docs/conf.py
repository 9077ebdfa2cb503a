"""Configuration of the documentation site: ``make docs`` builds it in ``build/docs``."""

import os
import re
import sys
from pathlib import Path

import matplotlib

sys.path.insert(0, str(Path(__file__).parent))

import api_pages
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

import entropick as ep

matplotlib.use("Agg")

project = "entropick"
author = "The entropick developers"
copyright = author
version = release = ep.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
root_doc = "index"
exclude_patterns = ["_templates", "figures/**/*.md", "auto_examples/**/*.ipynb"]
templates_path = ["_templates"]
nitpicky = False

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
myst_fence_as_directive = ["math"]  # as on GitHub
html_math_renderer = "mathml"
# MyST knows no anchors made by HTML tags; tests/site/test_site.py follows every link of the built pages.
suppress_warnings = ["myst.xref_missing", "config.cache"]
default_role = "code"

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say it in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "entropick"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/logo.svg"
html_js_files = ["site.js"]
html_show_sourcelink = False
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system
html_sidebars = {"index": [], "start": [], "changelog": []}
html_theme_options = {
    "logo": {
        "text": "entropick",
        "image_light": "_static/logo.svg",
        "image_dark": "_static/logo.svg",
        "alt_text": "",  # the name stands beside it
    },
    "header_links_before_dropdown": 7,
    "navbar_persistent": ["search-button"],
    "navigation_depth": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "filename_pattern": r"plot_\w+\.py$",
    "ignore_pattern": r"(^|[\\/])(?!plot_)\w+\.py$",  # not pages of the gallery
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 0,
    "write_computation_times": False,
}
# The site's pages for files that live outside this folder.
PAGES_OF = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "RELEASING.md": "releasing.md",
    "benchmarks/README.md": "benchmarks.md",
    "reproduction/README.md": "reproduction.md",
    "README.md": "index.md",
}
RESULTS = [*Path(__file__).parents[1].glob("reproduction/pages/*.md"), Path("judging.md")]
PAGES_OF |= {
    f"reproduction/{'pages/' if p.parent.name == 'pages' else ''}{p.name}": f"results/{p.name}"
    for p in RESULTS
}
PAGES_BELOW = {"methods/README": "*.md", "evidence": "reliability*.md"}  # listed as far as they are there
# Words that readers search for: the heading of the page, or of the part of a page, that is about each.
FOUND_BY = {
    "groups-and-time": {
        "# Groups and time": "groups, patients, households, repeated measurements, time series, leakage"
    },
    "imbalanced-classes": {
        "# Imbalanced classes": "imbalanced, imbalanced data, rare classes, balanced accuracy"
    },
    "identifiers-and-leaks": {
        "# Identifiers, copies and leaks": "identifiers, ids, leaks, duplicates, customer id"
    },
    "reading-the-scores": {"# Reading the scores": "bits, scores, adds, explained, lead"},
    "data": {"## One-hot columns and other groups": "one-hot, one-hot encoding, dummies, feature_groups"},
    "cuts": {"# How many columns": "how many, number of columns, n_features"},
}
_LAST_BLANK = re.compile(r"(```python\n(?:(?!```).*\n)*?)\n```")  # ends an example for doctest
_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")


def follow_to_pages(app, docname, source):
    """Turn links to files outside this folder into links to the pages that hold them."""
    folder = Path(app.srcdir, docname).parent
    root = Path(app.srcdir).parent

    def page_of(match):
        path = Path(os.path.normpath(folder / match[1]))
        if path.is_relative_to(root) and (page := PAGES_OF.get(path.relative_to(root).as_posix())):
            return "](" + os.path.relpath(Path(app.srcdir, page), folder)
        return match[0]

    for heading, words in FOUND_BY.get(docname, {}).items():
        if f"{heading}\n" not in source[0]:
            raise ValueError(f"{docname} has no heading {heading!r}")
        entries = ", ".join(f"! {word}" for word in words.split(", "))  # main ones, which are listed first
        source[0] = source[0].replace(f"{heading}\n", f"{heading}\n\n```{{index}} {entries}\n```\n", 1)
    source[0] = _LAST_BLANK.sub(r"\1```", _LINK.sub(page_of, source[0]))
    below = folder.glob(PAGES_BELOW[docname]) if docname in PAGES_BELOW else []
    pages = sorted(path.stem for path in below if path.stem != "README")
    if pages:
        source[0] += "\n".join(["\n```{toctree}", ":maxdepth: 1", "", *pages, "```\n"])


def follow_from_included(app, relative, parent, content):
    """The same for a file from outside that a page includes: its links begin where it lives."""
    root = Path(app.srcdir).parent
    origin = Path(os.path.normpath(Path(app.srcdir) / relative)).parent

    def page_of(match):
        path = Path(os.path.normpath(origin / match[1])).relative_to(root).as_posix()
        page = PAGES_OF.get(path, path.removeprefix("docs/") if path.startswith("docs/") else None)
        folder = Path(app.env.docname).parent  # `parent` is the name of the page without its folder
        return match[0] if page is None else "](" + os.path.relpath(page, folder)

    content[0] = _LINK.sub(page_of, content[0])


_SPECIAL = re.compile(r"(``[^`]*``|`[^`]*`)|(\||\*+|(?<=\w)_(?!\w))")
_REFERENCE = re.compile(r":(?:ref|term):`([^`<]*?)\s*(<[^>]*>)?`")


def plain_text(app, what, name, obj, options, lines):
    """Docstrings are plain text: what reStructuredText takes for markup is escaped, but for code."""
    is_ours = name.startswith("entropick") and not getattr(obj, "__module__", "").startswith("sklearn")
    for i, line in enumerate(lines):
        if not is_ours:  # their references lead into their own site
            lines[i] = _REFERENCE.sub(r"\1", line)
        elif not line.lstrip().startswith((">>>", "...")):
            entry, colon, _ = line.partition(" : ")  # numpydoc escapes names of attributes
            before = entry + colon if colon else ""
            lines[i] = before + _SPECIAL.sub(
                lambda m: m[1] or "".join("\\" + c for c in m[2]), line[len(before) :]
            )


def show_inline_math(self, node):
    """Formulas are MathML, which browsers set themselves: nothing is loaded and no script runs."""
    self.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def show_math(self, node):
    """The same for a formula on its own lines."""
    self.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def add_dark_pictures(app, doctree):
    """A picture that has a dark twin, such as report.png and report-dark.png, is shown in both modes."""
    for image in list(doctree.findall(nodes.image)):
        twin = Path(image["uri"]).with_stem(Path(image["uri"]).stem + "-dark")
        if (Path(app.srcdir) / Path(app.env.docname).parent / twin).is_file():
            dark = nodes.image(uri=twin.as_posix(), alt=image.get("alt", ""), classes=["only-dark"])
            image["classes"].append("only-light")
            image.parent.insert(image.parent.index(image) + 1, dark)


def write_result_pages(folder):
    """A page of the site for each page of results."""
    folder.mkdir(exist_ok=True)
    for path, page in PAGES_OF.items():
        if page.startswith("results/"):
            text = f"```{{include}} ../../{path}\n:relative-images:\n```\n"
            (folder.parent / page).write_text(text, encoding="utf-8")


def setup(app):
    """Write the pages of the reference and of results, and follow links."""
    api_pages.write(Path(app.srcdir, "api"))
    write_result_pages(Path(app.srcdir, "results"))
    app.add_html_math_renderer("mathml", (show_inline_math, None), (show_math, None))
    app.connect("doctree-read", add_dark_pictures, priority=100)  # before pictures are collected
    app.connect("source-read", follow_to_pages)
    app.connect("include-read", follow_from_included)
    app.connect("autodoc-process-docstring", plain_text, priority=100)  # before numpydoc
