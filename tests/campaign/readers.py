"""Files of every kind, damaged or hostile, through the whole program: a selection or one sentence.

A case writes one file and runs `entropick select` on it, with some of the options that say how to read.
"""

import datetime
import decimal
import gc
import gzip
import io
import os
import random
import tempfile
import threading
from pathlib import Path

import polars as pl

from campaign.invariants import Outcome, check, contents
from campaign.program import OLD, call, is_page, is_table
from campaign.structured import a_book, json_lines, sparse_arff
from entropick.cli.prepare import prepare
from entropick.files import room
from entropick.files.layout import TextFormat
from entropick.files.reading import errors_explained, read_table

TEXTS = {
    "mixed.csv": "id,size,site,when,label\n"
    + "".join(f"r{i},{i * 0.37 % 5:.3f},{'abc'[i % 3]},2026-01-{i % 28 + 1},{i % 2}\n" for i in range(60)),
    "comma.csv": "a;price;label\n"
    + "".join(f"{i % 9},5;{['NA', '1.234,56', '$ 3'][i % 3]};{'xy'[i % 2]}\n" for i in range(40)),
    "quotes.tsv": "x\ty\tlabel\n" + "".join(f'"q ""{i % 5}"""\t{i}e{i * 9}\t{i % 2}\n' for i in range(40)),
    "big.csv": "big,when,label\n"
    + "".join(f"{10**18 + i**7},2026-01-01T{i % 24:02}:00:00,{'ab'[i % 2]}\n" for i in range(50)),
    "weka.arff": "@relation t\n@attribute 'a b' numeric\n@attribute site {a,'b c',\"d\"}\n@attribute n integer\n"
    "@attribute label {no,yes}\n@data\n"
    + "".join(f"{i * 0.3:.2f},'b c',{i},{['no', 'yes'][i % 2]}\n" for i in range(30))
    + "{0 1.5, 3 yes}\n",
    "orange.tab": "size\tsite\tlabel\ncontinuous\td\td\n\tmeta\tclass\n"
    + "".join(f"{i * 0.7}\t{i % 4}\t{i % 2}\n" for i in range(40)),
}  # fmt: skip
TOKENS = [
    b",", b"\n", b'"', b"'", b"\\", b"\r\n", b";", b"\t", b"NA", b"?", b"nan", b"inf", b"-inf", b"1e400", b"9" * 45, b"-",
    b"\0", b"\xff", b"\xc3", b" ", b"{", b"}", b"@data", b"%", b"2026-13-45", b"True", b"1.234,56", b"12 %", b"13/31/2026",
    b"99999999999999999999", b"170141183460469231731687303715884105727", b"\xef\xbb\xbf", b"\xff\xfe", b"#", b"class",
    b"\r", b"\x1b[31m", b"\xe2\x80\xae", b"=cmd()", b"0x1F", b"1_000", b"1e-400", b"00:00", b"24:00:00", b"9999-12-31",
    b"\x1f\x8b", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"@relation", b"@attribute a relational", b"\xed\xa0\x80",
]  # fmt: skip
NAMES = [
    "a", "b", "size", "label", "", " ", "a.b", "id", "<script>alert(1)</script>", "</title><img src=x onerror=alert(1)>",
    "=cmd()", "+1", "-1", "@sum", "a,b", 'say "hi"', "rtl \u202e txt", "two\nlines", "tab\there", "\x1b[2J\x1b[31mred", "😀",
    "x" * 3000, "^a.*$", "*", "nul\0here", "é", "e\u0301", "\ufeffmark", "\u2028", "'", "`", "{{ 7*7 }}", "%s", "../../x", "x0",
]  # fmt: skip
READ_OPTIONS = [
    ["--no-header"], ["--keep-ids"], ["--date-parts"], ["--decimal", ","], ["--decimal", "."], ["--separator", ";"],
    ["--separator", "tab"], ["--encoding", "latin-1"], ["--encoding", "utf-16"], ["--encoding", "utf-7"],
    ["--missing-values", "-,none"], ["--comment", "#"], ["--comment", "@"], ["--target-type", "real"],
    ["--target-type", "class"],
]  # fmt: skip
SUFFIXES = [
    ".csv",
    ".tsv",
    ".tab",
    ".txt",
    ".parquet",
    ".pq",
    ".feather",
    ".arrow",
    ".ipc",
    ".arff",
    ".gz",
    "",
    ".xlsx",
]

SHARE_ONLY_READ = 0.8


def run(number: int, folder: Path) -> str:
    rng = random.Random(f"readers {number}")
    if rng.random() < 0.02:
        return special(rng, folder)
    kinds = [a_text, a_text, a_text, a_frame, a_frame, a_frame, a_book, json_lines, sparse_arff]
    suffix, content = rng.choice(kinds)(rng)
    if rng.random() < (0.2 if suffix == ".xlsx" else 0.75):  # damage to parts is done there
        content = damaged(content, rng)
    if rng.random() < 0.08:
        suffix, content = suffix + ".gz", gzip.compress(content)
        content = damaged(content, rng) if rng.random() < 0.5 else content
    if rng.random() < 0.05:
        suffix = rng.choice(SUFFIXES)
    path = folder / f"table{suffix}"
    path.write_bytes(content)
    try:
        if rng.random() < 0.05:
            return call(["select", "-", *options(rng)], folder, input=content)
        return (only_read if rng.random() < SHARE_ONLY_READ else selected)(path, rng, folder)
    finally:
        path.unlink()


def only_read(path: Path, rng, folder: Path) -> str:
    """Read and prepared as the program does it, without the rest, which takes most of the time."""
    text = TextFormat(
        separator=rng.choice([None, None, None, ";", "tab"]),
        decimal=rng.choice([None, None, None, ",", "."]),
        encoding=rng.choice([None, None, None, None, "latin-1", "utf-16"]),
        has_header=rng.random() < 0.9,
        comment=rng.choice([None, None, None, "#", "@"]),
    )
    before, error = contents(folder), None
    tempfile.tempdir = str(folder)
    room.LARGE = rng.choice([0, *[128 << 20] * 6])  # now and then every file is a large one
    loaded = None
    try:
        loaded = read_table(str(path), text=text)
        with errors_explained(path.name):
            target = "label" if "label" in loaded.columns else loaded.columns[-1]
            prepare(loaded, target, keep_ids=rng.random() < 0.3, date_parts=rng.random() < 0.2)
    except Exception as raised:
        error = raised
    outcome = check(Outcome(error=error))
    error = loaded = None  # and with them the file a large text was turned into
    if contents(folder) != before:
        gc.collect()
    check(Outcome(before=before, after=contents(folder)))
    return outcome


def selected(path: Path, rng, folder: Path) -> str:
    """The program on a file, now and then with an output where an old file stands."""
    arguments, outputs = ["select", str(path), *options(rng)], {}
    chance = rng.random()
    if chance < 0.1:
        out = folder / f"out{rng.choice(['.csv', '.tsv', '.parquet', '.feather'])}"
        arguments, outputs = [*arguments, "--out", str(out)], {str(out): is_table}
    elif chance < 0.13:
        out = folder / "report.html"
        arguments, outputs = [*arguments, "--report", str(out)], {str(out): is_page}
    for name in outputs:
        Path(name).write_bytes(OLD)
    try:
        return call(arguments, folder, outputs)
    finally:
        for name in outputs:
            Path(name).unlink(missing_ok=True)


def options(rng) -> list[str]:
    method = rng.choice(["MIM", "MIM", "JMI", "CMIM", "FisherScore", "ReliefF"])
    chosen = ["-t", "label"] * (rng.random() < 0.95) + [
        "-m",
        method,
        "-n",
        str(rng.choice([1, 2, 0.5])),
        "-j",
        "1",
    ]
    for option in rng.sample(READ_OPTIONS, rng.choice([0, 0, 0, 1, 1, 2])):
        chosen += option
    return chosen + ["--json"] * (rng.random() < 0.2)


# -- files ---------------------------------------------------------------------------------------


def a_text(rng):
    name = rng.choice(list(TEXTS))
    content = TEXTS[name].encode(rng.choice(["utf-8"] * 6 + ["utf-16", "utf-8-sig"]))
    return name[name.rindex(".") :], content


def a_frame(rng):
    """Columns of any type, under hostile names, in any format that holds them."""
    n = rng.choice([0, 1, 2, 25, 25, 60])
    names = dict.fromkeys([*rng.sample(NAMES, rng.choice([1, 2, 4])), "label"])
    frame = pl.DataFrame({name: a_column(rng, n) for name in names} | {"label": [i % 2 for i in range(n)]})
    write = rng.choice([as_parquet, as_ipc, as_stream, as_csv])
    try:
        return write(frame, rng)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # lists are no CSV
        return as_ipc(frame, rng)


def a_column(rng, n):
    kinds = [
        lambda i: rng.random(), lambda i: rng.choice([float("nan"), float("inf"), -0.0, 1e308, 5e-324]),
        lambda i: rng.randrange(5), lambda i: rng.choice([2**62, -(2**62)]), lambda i: str(rng.randrange(4)),
        lambda i: rng.choice(NAMES), lambda i: rng.choice([None, True, False]), lambda i: None,
        lambda i: datetime.date(rng.randrange(1, 9999), 1, 1), lambda i: datetime.time(rng.randrange(24)),
        lambda i: datetime.datetime(rng.randrange(1, 9999), 1, 1, 3), lambda i: datetime.timedelta(rng.randrange(9)),
        lambda i: decimal.Decimal(rng.randrange(99)) / 4, lambda i: bytes([rng.randrange(256)]), lambda i: [1, 2][: i % 3],
        lambda i: {"u": i}, lambda i: rng.choice([None, 1.5, 2.5]), lambda i: i,
    ]  # fmt: skip
    make = rng.choice(kinds)
    series = pl.Series([make(i) for i in range(n)], strict=False)
    if series.dtype == pl.String and rng.random() < 0.4:
        return series.cast(pl.Categorical)
    if series.dtype == pl.Int64 and rng.random() < 0.4:
        return series.cast(rng.choice([pl.Int128, pl.Int8, pl.UInt64, pl.Float32]), strict=False)
    return series


def as_parquet(frame, rng):
    file = io.BytesIO()
    frame.write_parquet(file, compression=rng.choice(["uncompressed", "snappy", "zstd", "gzip"]))
    return ".parquet", file.getvalue()


def as_ipc(frame, rng):
    file = io.BytesIO()
    frame.write_ipc(file, compression=rng.choice(["uncompressed", "lz4", "zstd"]))
    return rng.choice([".arrow", ".feather", ".ipc"]), file.getvalue()


def as_stream(frame, rng):
    file = io.BytesIO()
    frame.write_ipc_stream(file)
    return ".arrow", file.getvalue()


def as_csv(frame, rng):
    return ".csv", frame.write_csv(separator=rng.choice(",;\t|")).encode()


def damaged(content, rng):
    """Some bytes taken out, put in, repeated or replaced, some lines exchanged, the end cut off."""
    for _ in range(rng.choice([1, 1, 2, 3, 6, 15])):
        at, length = rng.randrange(len(content) + 1), rng.choice([1, 1, 2, 5, 30])
        before, hit, after = content[:at], content[at : at + length], content[at + length :]
        kind = rng.randrange(7)
        if kind == 0:
            content = before + rng.choice(TOKENS) + hit + after
        elif kind == 1:
            content = before + rng.choice(TOKENS) + after
        elif kind == 2:
            content = before + after
        elif kind == 3:
            content = before + hit * rng.choice([2, 3, 50]) + after
        elif kind == 4:
            content = before + rng.randbytes(len(hit)) + after
        elif kind == 5:
            lines = content.split(b"\n")
            rng.shuffle(lines)
            content = b"\n".join(lines)
        elif rng.random() < 0.3:
            content = before
    return content


# -- what is no plain file -----------------------------------------------------------------------


def special(rng, folder: Path) -> str:
    kind = rng.choice([a_pipe, a_device, a_loop, a_directory, a_bomb, a_hole, deep_quotes, one_long_line])
    path = folder / "special.csv"
    try:
        return kind(rng, path, folder)
    finally:
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)


def a_pipe(rng, path, folder):
    """What the shell's <(...) gives."""
    os.mkfifo(path)
    content = TEXTS["mixed.csv"].encode()
    threading.Thread(target=lambda: path.write_bytes(content), daemon=True).start()
    outcome = call(["select", str(path), "-t", "label", "-n", "1", "-j", "1"], folder)
    assert outcome == "fine", outcome
    return outcome


def a_device(rng, path, folder):
    device = rng.choice(["/dev/null", "/dev/zero", "/dev/urandom", "/dev/full", "/dev/tty"])
    outcome = call(["select", device, *options(rng)], folder)
    assert outcome == "refused", outcome
    return outcome


def a_loop(rng, path, folder):
    path.symlink_to(path)
    return call(["select", str(path), *options(rng)], folder)


def a_directory(rng, path, folder):
    path.mkdir()
    return call(["select", str(path), *options(rng)], folder)


def a_bomb(rng, path, folder):
    """A few bytes that become megabytes, or a row of very many columns."""
    content = rng.choice([b"\0", b"a", b"a,", b"1\n", b'"', b"\n"]) * (1 << rng.choice([14, 16, 18]))
    path.write_bytes(gzip.compress(content))
    return call(["select", str(path), *options(rng)], folder)


def a_hole(rng, path, folder):
    """A file that says it is large and holds nothing."""
    path.write_bytes(rng.choice([b"", b"PAR1", b"ARROW1\0\0", b"a,label\n1,2\n"]))
    os.truncate(path, 1 << 22)
    return call(["select", str(path), *options(rng)], folder)


def deep_quotes(rng, path, folder):
    path.write_bytes(
        rng.choice([b'"', b"'", b'""', b'"\\', b"\\'"]) * 200_000 + rng.choice([b"", b"\n1,2\n", b"x"])
    )
    return call(["select", str(path), *options(rng)], folder)


def one_long_line(rng, path, folder):
    path.write_bytes(
        rng.choice([b"a,", b"1,", b"{", b"@attribute ", b"a b,"]) * 20_000 + b"label\n" + b"1," * 5
    )
    return call(["select", str(path), *options(rng)], folder)
