"""Valid and invalid command lines: a result or one sentence, in time."""

import random
from pathlib import Path

from campaign.program import OLD, call, is_page, is_table
from campaign.readers import NAMES, TEXTS
from entropick.selectors.catalog import METHODS

TABLES = [
    "renyi_figure1",
    "bayes_table1",
    "corral",
    "iris",
    "mixed.csv",
    "comma.csv",
    "weka.arff",
    "orange.tab",
]
CLASSIFIERS = ["logistic", "neighbors", "forest", "tree", "bayes", "ridge"]
QUICK = ["MIM", "JMI", "MRMR", "CMIM", "FisherScore", "RenyiFS", "ReliefF", "LaplacianScore", "FCBF"]
STRANGE = [
    "", " ", "-", "--", "-1", "0", "1", "2", "3", "99999999999999999999", "1e3", "0.5", "1.0", "-0.5", "nan", "inf", "1e-400",
    "auto", "AUTO", "None", "true", "label", "target", "a,b", ",", ",,", "jmi", "JMI,MIM", "no_such_thing", "tab", "\t", "ab",
    "\u202e", "😀", "x" * 5000, "\x1b[31m", "two\nlines", "%s", "{}", "\udcff", "/", "/dev/null", "..", "~", "*", "C:\\x",
    *NAMES,
]  # fmt: skip
OPTIONS = {  # name: what makes sense
    "-t": ["label", "target"], "--target-type": ["auto", "class", "real"], "-i": ["id", "size", "x0"], "--keep-ids": None,
    "--date-parts": None, "--separator": [",", ";", "tab"], "--decimal": [".", ","], "--encoding": ["latin-1", "utf-8"],
    "--missing-values": ["-,none"], "--no-header": None, "--comment": ["#", "%"], "--json": None, "--seed": ["0", "7"],
    "-j": ["1", "2", "-1", "0"], "-q": None, "-h": None, "--correction": ["none", "miller_madow", "adjusted"],
    "--n-bins": ["2", "5", "auto"], "--binning": ["quantile", "uniform", "mdlp"], "--fixed": ["size", "x0", "id"],
}  # fmt: skip
SELECT = {"-m": QUICK, "-n": ["1", "2", "0.5", "auto", "held_out", "residual"], "--stability": None}
COMPARE = {"-m": ["mim", "jmi,mim"], "-e": CLASSIFIERS, "--scoring": ["accuracy", "roc_auc", "r2"], "--folds": ["2", "3"],
           "--max-rows": ["10", "50"]}  # fmt: skip


def run(number: int, folder: Path) -> str:
    rng = random.Random(f"arguments {number}")
    command = rng.choices(["select", "compare", "methods", "datasets", ""], [80, 4, 3, 3, 10])[0]
    if command == "select":
        return asked("select", SELECT, rng, folder)
    if command == "compare":
        return asked("compare", COMPARE, rng, folder)
    words = [command] * bool(command) + [strange(rng) for _ in range(rng.randrange(4))]
    rng.shuffle(words)
    return call(words, folder)


def asked(command: str, own: dict, rng, folder: Path) -> str:
    """A question about a small table, with options in any order, some of them strange or twice."""
    file = table(rng, folder)
    words, outputs = [[file]], {}
    known = OPTIONS | own
    if rng.random() < 0.8:
        words.append(["-t", "label" if "." in file else "target"])
    if command == "compare":  # the usual methods and models take a second
        words += [["-m", "mim"], ["-e", "bayes"], ["--folds", "2"]]
    elif rng.random() < 0.6:
        words.append(["-n", "1"])
    for option in rng.sample(list(known), rng.randrange(6)):
        words.append([option] if known[option] is None else [option, value(known[option], rng)])
    if rng.random() < 0.15:
        words.append([strange(rng)])
    if rng.random() < 0.15:
        path, whole = an_output(command, rng, folder)
        words.append(["--report" if whole is is_page else "--out", path])
        outputs = {path: whole}
        if rng.random() < 0.5 and Path(path).parent == folder:
            Path(path).write_bytes(OLD)
    if command == "select" and rng.random() < 0.1:
        words.append(["-m", rng.choice(list(METHODS))])
    rng.shuffle(words)
    try:
        return call([command, *(word for group in words for word in group)], folder, outputs)
    finally:
        for name in (*outputs, file):
            if name.startswith(str(folder)) and Path(name).is_file():
                Path(name).unlink(missing_ok=True)


def value(sensible: list[str], rng) -> str:
    return rng.choice(sensible) if rng.random() < 0.7 else strange(rng)


def strange(rng) -> str:
    if rng.random() < 0.8:
        return rng.choice(STRANGE)
    return rng.choice(list(OPTIONS)) + rng.choice(STRANGE)


def table(rng, folder: Path) -> str:
    name = rng.choice(TABLES)
    if name not in TEXTS:
        return name
    path = folder / name
    path.write_text(TEXTS[name])
    return str(path)


def an_output(command: str, rng, folder: Path):
    """A path to write to, and what makes the file whole."""
    if command == "compare" or rng.random() < 0.4:
        return str(folder / rng.choice(["report.html", "no/such/r.html", "", "r", "é.html"])), is_page
    suffix = rng.choice([".csv", ".tsv", ".parquet", ".pq", ".feather", ".CSV", ".xlsx", ""])
    return str(folder / rng.choice(["out", "no/such/out", "é"])) + suffix, is_table
