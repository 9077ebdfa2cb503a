"""Prose is kept in Markdown and TOML; the numbers it speaks of are filled in here.

The folder of an experiment has `protocol.py` (cells, and what runs one), `findings.py` (what came out, and
the checks of claims; what these read from many results is in `readings.py`), `sections.py` (tables and
figures), `protocol.md` (what is done), and `texts.toml`:

- `title` and `reference` of the paper
- `[words]`: phrases that several texts use by name, and `too_few`, said where cells were not run
- `summary`: what was claimed and what was found, for everybody
- `against`: what a claim is measured by, where that is no paper
- `[[claim]]`: `where`, `text` and `paper`; `check`, the function that decides (a claim without one cannot
  be checked, and `too_few` says why), and `over`, its arguments where a claim is made several times; what it
  found (`ours`), the `rule` and what is added to it (`if_holds`, `if_fails`, `if_open`, `if_depends`);
  `parts`, phrases left out where the check has nothing to say; `needs`, data sets; `headline`, whether the
  abstract or the introduction says it. What was done against a mistake here stands in ⟦ ⟧
- `[section.NAME]`: `title`, `text` and `header` of a table
- `[figure.NAME]`: `caption` and `size` of a picture
"""

import importlib
import re
import string
import tomllib
from collections.abc import Mapping
from pathlib import Path

from reproduction.protocol import (
    BEYOND,
    DEPENDS,
    FAILS,
    HOLDS,
    UNCHECKED,
    UNDECIDED,
    Claim,
    Experiment,
    Figure,
    Section,
)
from reproduction.verdicts import exact, judge, together

CHECK = re.compile(r"⟦(.*?)⟧")  # what was done against a mistake here: said once for all claims
ADDED = {HOLDS: "if_holds", FAILS: "if_fails", UNDECIDED: "if_open", DEPENDS: "if_depends"}


class _Phrases(string.Formatter):
    """Lists are written with commas, mappings as names with values, numbers after ± as mean and error."""

    def format_field(self, value, spec):
        if isinstance(value, Mapping):
            return self.format_field(
                [f"{name} {self.format_field(one, spec)}" for name, one in value.items()], ""
            )
        if spec.startswith("±"):
            return mean_and_error(value, int(spec[1:]))
        if isinstance(value, list | tuple):
            return ", ".join(self.format_field(one, spec) for one in value) or "none"
        return format(value, spec)


def say(text, words) -> str:
    """A text with its words filled in."""
    return _Phrases().vformat(text, (), words)


def _line(text, words) -> str:
    """The same in one line, whatever lines the file has."""
    return " ".join(say(text, words).split())


class NotRunError(Exception):
    """A check needs cells that were not run."""


def need(*conditions) -> None:
    """End a check whose claim cannot be judged yet."""
    if not all(conditions):
        raise NotRunError


class Texts:
    """The texts of one experiment."""

    def __init__(self, name: str) -> None:
        self.name, self._folder = name, Path(__file__).parent / name
        self._texts = self.read("texts.toml")
        self._words = self._texts.get("words", {})

    def read(self, file):
        """A file of the experiment's folder."""
        return tomllib.loads((self._folder / file).read_text(encoding="utf-8"))

    def experiment(self) -> Experiment:
        """The experiment; `protocol.md` names constants of the code."""
        names = (f"reproduction.{self.name}.{part}" for part in ("protocol", "findings", "sections"))
        code, findings, sections = map(importlib.import_module, names)
        protocol = say((self._folder / "protocol.md").read_text(encoding="utf-8"), vars(code))
        texts = self.name, self._texts["title"], self._texts["reference"], protocol
        functions = code.cells, code.run, findings.claims, sections.sections
        optional = {key: self._texts[key] for key in ("summary", "against") if key in self._texts}
        optional |= {key: vars(code)[key] for key in ("kept_back",) if key in vars(code)}
        return Experiment(*texts, *functions, **optional)

    def claims(self, checks, evidence, results, **common) -> list[Claim]:
        """A verdict on each claim; `checks` are functions by name that get the evidence.

        They give what they found as a dict with a `finding` (or `holds`, where nothing is left to chance), or
        with `readings`, which has one such dict by name for each way of doing what the paper leaves open.
        They say what they `need`. `common` are words for all texts.
        """
        found = [
            (entry, {**self._words, **common, **given}, self._found(checks, entry, evidence, given))
            for entry in self._texts["claim"]
            for given in entry.get("over", [{}])
        ]
        verdicts: list = [None] * len(found)
        for beyond in (False, True):  # what is not the paper's is corrected apart
            chosen = [i for i, (entry, _, _) in enumerate(found) if (entry["where"] == BEYOND) == beyond]
            judged = iter(judge([one["finding"] for i in chosen for one in found[i][2].values()]))
            for i in chosen:
                verdicts[i] = {name: next(judged) for name in found[i][2]}
        return [
            self._claim(entry, words, readings, judged, results)
            for (entry, words, readings), judged in zip(found, verdicts, strict=True)
        ]

    def _found(self, checks, entry, evidence, given):
        """What a check found by reading; nothing where there is none, or cells are missing."""
        if "check" not in entry:
            return {}
        try:
            found = checks[entry["check"]](evidence, **given)
        except NotRunError:
            return {}
        common = {key: value for key, value in found.items() if key != "readings"}
        readings = found.get("readings", {"": {}})
        readings = {name: {**common, **one} for name, one in readings.items()}
        for one in readings.values():
            if "finding" not in one:
                one["finding"] = exact(None if one["holds"] is None else bool(one["holds"]))
        return readings

    def _claim(self, entry, words, readings, verdicts, results) -> Claim:
        where, text, paper = (_line(entry[key], words) for key in ("where", "text", "paper"))
        if not readings:
            missing = self._why_missing(entry, words, results.missing)
            headline = entry.get("headline", False)
            return Claim(where, text, paper, ours="-", verdict=UNCHECKED, why=missing, headline=headline)
        verdict = together(list(verdicts.values()))
        ours: list[str] = []
        why: list[str] = []
        for name, found in readings.items():
            filled = {**words, **found}
            for part, phrase in entry.get("parts", {}).items():
                filled[part] = "" if filled[part] is None else say(phrase, {**filled, **filled[part]})
            shown = _line(entry["ours"], filled)
            ours.append(f"*{name}*: {shown} ({verdicts[name]})" if len(readings) > 1 else shown)
            added = entry.get(ADDED[verdict], self._words.get(ADDED[verdict], ""))
            why.append(_line(f"{entry.get('rule', '')} {added}", filled))
        named = verdicts if len(readings) > 1 else {}
        reasons = " ".join(dict.fromkeys(why))
        checks = tuple(dict.fromkeys(CHECK.findall(reasons)))
        reasons = " ".join(CHECK.sub("", reasons).split())
        headline = entry.get("headline", False)
        return Claim(where, text, paper, "; ".join(ours), verdict, reasons, named, checks, headline)

    def _why_missing(self, entry, words, missing) -> str:
        needs = [say(name, words) for name in entry.get("needs", self._words.get("needs", []))]
        reasons = " ".join(missing[name] for name in needs if name in missing)
        too_few = entry.get("too_few", self._words["too_few"])
        why = self._words.get("reason", "{reasons}") if reasons else too_few
        return _line(f"{why} {entry.get('missing', '')}", {**words, "reasons": reasons})

    def over(self, check):
        """The arguments of a check, with the numbers of the paper beside them."""
        return next(entry["over"] for entry in self._texts["claim"] if entry.get("check") == check)

    def section(self, name, rows, figures=(), /, header=None, after="", **words) -> Section:
        """A table (none where `rows` is None) with its heading, and text before and after it."""
        entry = self._texts["section"][name]
        table = "" if rows is None else markdown_table(header or entry["header"], rows)
        text = "\n\n".join(filter(None, [_line(entry.get("text", ""), words), table, after]))
        return Section(say(entry["title"], words), text, figures)

    def figure(self, name, draw, file=None, /, size=None, **words) -> Figure:
        """A picture with its caption."""
        entry = self._texts["figure"][name]
        return Figure(
            file or name, _line(entry["caption"], words), draw, tuple(size or entry.get("size", Figure.size))
        )

    def phrase(self, name, /, **words) -> str:
        """One of the common phrases."""
        return _line(self._words[name], words)


def markdown_table(header, rows, *, numbers: bool = True) -> str:
    """A table in Markdown; the first column to the left, the others to the right if they hold numbers."""
    lines = [header, ["---", *["---:" if numbers else "---"] * (len(header) - 1)], *rows]
    cells = [[str(cell).replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def mean_and_error(values, digits: int = 3) -> str:
    """Mean ± standard error, as the tables show it."""
    n = len(values)
    if not n:
        return "-"
    mean = sum(values) / n
    if n == 1:
        return f"{mean:.{digits}f}"
    error = (sum((value - mean) ** 2 for value in values) / (n - 1) / n) ** 0.5
    return f"{mean:.{digits}f} ± {error:.{digits}f}"


def span(numbers) -> str:
    """The smallest and the largest, or the one there is."""
    return f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"
