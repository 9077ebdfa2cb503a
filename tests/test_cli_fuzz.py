"""Damaged files: a table or one sentence of ours, never an exception of another library, never a hang."""

import faulthandler
import random

import pytest

pytest.importorskip("click")
pl = pytest.importorskip("polars")

from entropick.cli.prepare import prepare  # noqa: E402
from entropick.cli.reading import errors_explained, read_table  # noqa: E402
from entropick.exceptions import ColumnTypeError, DataError  # noqa: E402

N_FILES = 250  # of each kind; some seconds
HANGING = 120  # seconds, for all files of a kind; the process is then ended with a traceback

FILES = {
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
]  # fmt: skip


def damaged(content, rng):
    """Some bytes taken out, put in, repeated or replaced, some lines exchanged."""
    for _ in range(rng.choice([1, 1, 2, 3, 6, 15])):
        at, length = rng.randrange(len(content) + 1), rng.choice([1, 1, 2, 5, 30])
        before, hit, after = content[:at], content[at : at + length], content[at + length :]
        lines = content.split(b"\n")
        rng.shuffle(lines)
        content = rng.choice(
            [
                before + rng.choice(TOKENS) + hit + after,
                before + rng.choice(TOKENS) + after,
                before + after,
                before + hit * rng.choice([2, 3, 50]) + after,
                before + rng.randbytes(1) + after,
                b"\n".join(lines),
            ]
        )
    return content or b"x"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("large", [False, True], ids=["held", "spooled"])
def test_damaged_files(name, large, tmp_path, monkeypatch):
    """Each is read and prepared, or refused."""
    if large:
        monkeypatch.setattr("entropick.cli.reading.LARGE", 0)
    rng = random.Random(name)
    path = tmp_path / name
    n_read, sentences = 0, []
    faulthandler.dump_traceback_later(HANGING, exit=True)
    try:
        for _ in range(N_FILES // 5 if large else N_FILES):
            path.write_bytes(damaged(FILES[name].encode(), rng))
            try:
                loaded = read_table(str(path))
                with errors_explained(name):
                    prepare(loaded, "label" if "label" in loaded.columns else loaded.columns[-1])
                n_read += 1
            except (DataError, ColumnTypeError) as error:
                sentences.append(str(error))
    finally:
        faulthandler.cancel_dump_traceback_later()
    assert n_read > 0
    assert all("\n" not in sentence for sentence in sentences)
