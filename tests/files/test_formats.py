"""The program reads Excel and JSON lines, guesses targets, writes names, and completes them."""

import datetime
import gzip
import sys
import tempfile
import zipfile

import numpy as np
import polars as pl
import pytest

click_testing = pytest.importorskip("click.testing")

from entropick.cli.program import program  # noqa: E402
from entropick.exceptions import DataError  # noqa: E402
from entropick.files.as_written import as_in_file  # noqa: E402
from entropick.files.layout import TextFormat  # noqa: E402
from entropick.files.reading import read_table  # noqa: E402


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    noise = rng.standard_normal((120, 2))
    return pl.DataFrame({"good": y + 0.1 * noise[:, 0], "noise": noise[:, 1], "Label": y})


def run(*arguments):
    return click_testing.CliRunner().invoke(program, [str(argument) for argument in arguments])


def selected(path, *options):
    """The first line of the answer."""
    result = run("select", path, "--target", "Label", "--n-features", 1, *options)
    assert result.exit_code == 0, result.output
    return next(line for line in result.stdout.splitlines() if line.startswith("Columns: "))


@pytest.mark.parametrize("name", ["table.jsonl", "table.ndjson", "table.json"])
def test_json_lines(name, table, tmp_path):
    """Known by their name or by their first signs, and read as the same table."""
    path = tmp_path / name
    table.write_ndjson(path)
    assert selected(path) == 'Columns: ["good"]'


def test_json_lines_whose_types_change(tmp_path):
    """A column of whole numbers that gets fractions far down is one of numbers."""
    path = tmp_path / "late.jsonl"
    values = [*range(15_000), *[0.5] * 10]
    path.write_text("".join(f'{{"a": {v}, "Label": {i % 2}}}\n' for i, v in enumerate(values)))
    assert selected(path) == 'Columns: ["a"]'


def test_excel(table, tmp_path):
    """The first sheet is the table; where there are more it is said so."""
    pytest.importorskip("fastexcel", reason="fastexcel is not installed")
    xlsxwriter = pytest.importorskip("xlsxwriter", reason="xlsxwriter is not installed")
    one, two = tmp_path / "one.xlsx", tmp_path / "two.xlsx"
    table.write_excel(one)
    with xlsxwriter.Workbook(two) as book:
        table.write_excel(book, "first")
        table.select("Label").write_excel(book, "second")
    for path, is_said in ((one, False), (two, True)):
        assert selected(path) == 'Columns: ["good"]'
        result = run("select", path, "--target", "Label", "--n-features", 1)
        assert ("Only the first of 2 sheets" in result.stderr) == is_said


def test_rows_of_excel_files_have_no_lines(tmp_path):
    """Although texts in them are read as those of a text file."""
    pytest.importorskip("fastexcel", reason="fastexcel is not installed")
    pytest.importorskip("xlsxwriter", reason="xlsxwriter is not installed")
    path = tmp_path / "texts.xlsx"
    pl.DataFrame({"a": ["1.5", "2.5"], "y": [0, 1]}).write_excel(path)
    loaded = read_table(str(path))
    assert loaded.frame.collect_schema()["a"] == pl.Float64
    assert loaded.row_in_file is None


def test_excel_without_its_reader(tmp_path, monkeypatch):
    """One sentence says what to install."""
    path = tmp_path / "table.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "")
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    result = run("select", path, "--target", "Label")
    assert result.exit_code == 2
    assert "pip install 'entropick[excel]'" in result.stderr


def test_damaged_excel(tmp_path):
    """One sentence for a book without pages."""
    pytest.importorskip("fastexcel", reason="fastexcel is not installed")
    path = tmp_path / "table.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "nothing")
    result = run("select", path, "--target", "Label")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert "cannot be read" in result.stderr


def test_zip_that_is_no_book(tmp_path):
    """A packed table is told from an Excel file."""
    path = tmp_path / "table.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("table.csv", "a,b\n1,2\n")
    result = run("select", path, "--target", "a")
    assert result.exit_code == 2
    assert "unpack it" in result.stderr


@pytest.mark.parametrize(
    ("columns", "guess"), [(["a", "Label", "b"], "Label"), (["a", "b", "c"], "c"), (["class", "y", "z"], "y")]
)
def test_first_guess_of_the_target(columns, guess, tmp_path):
    """Without --target the sentence names the likely one first."""
    path = tmp_path / "table.csv"
    path.write_text(",".join(columns) + "\n1,2,3\n4,5,6\n")
    result = run("select", path)
    assert result.exit_code == 2
    assert f"Hint: perhaps {guess!r}" in result.stderr


def test_columns_file(table, tmp_path):
    """The names, best first, one per line."""
    path, names = tmp_path / "table.csv", tmp_path / "names.txt"
    table.write_csv(path)
    result = run("select", path, "--target", "Label", "-n", 2, "--columns-file", names)
    assert result.exit_code == 0, result.output
    assert names.read_text() == "good\nnoise\n"
    refused = run("select", path, "--target", "Label", "--columns-file", tmp_path / "none" / "names.txt")
    assert refused.exit_code == 2
    assert "--columns-file" in refused.stderr


def test_completion_of_methods(monkeypatch):
    """What the shell asks for after `--method cm`."""
    from click.shell_completion import BashComplete

    completion = BashComplete(program, {}, "entropick", "_ENTROPICK_COMPLETE")
    found = completion.get_completions(["select", "--method"], "cm")
    assert [item.value for item in found] == ["CMIM"]


# -- columns of text files as they are meant ------------------------------------------------------


def notes_of(path, text=None):
    return " ".join(read_table(str(path), text=text).notes)


def numbers_with(strays, n_rows=60):
    """A text of a column of different numbers, some of them replaced."""
    values = [f"{i * 0.37 - 8:.3f}" for i in range(n_rows)]
    for place, stray in enumerate(strays):
        values[7 * place + 3] = stray
    return "lab,y\n" + "".join(f"{value},{'ab'[i % 2]}\n" for i, value in enumerate(values))


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(
    ("strays", "sentence"),
    [
        (["<0.01", "<0.01"], "'lab' holds numbers except '<0.01' (2 rows): read as text. Hint: --missing-values '<0.01' reads them as missing."),
        (["-"], "'lab' holds numbers except '-' (1 row): read as text. Hint: --missing-values - reads it as missing."),
        (["b", "a"], "except 'a', 'b' (2 rows): read as text. Hint: --missing-values a,b reads them as missing."),
        (["a", "b", "c", "d"], "except 'a', 'b', 'c', ... (4 rows): read as text. Hint: --missing-values names strings that mean missing."),
    ],
)  # fmt: skip
def test_strays_among_numbers_are_named(strays, sentence, large, tmp_path, monkeypatch):
    """A column of numbers is not silently one of texts, and what the hint says makes it numeric."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if large else 10**9)
    path = tmp_path / "lab.csv"
    path.write_text(numbers_with(strays))
    assert sentence in notes_of(path)
    assert sentence in run("select", path, "-t", "lab").stderr.replace("\n", " ")
    told = TextFormat(missing=tuple(strays))
    assert read_table(str(path), text=told).frame.collect_schema()["lab"] == pl.Float64
    assert "except" not in notes_of(path, told)


@pytest.mark.parametrize("strays", [["many"] * 7, ["01234"], []])
def test_texts_that_hold_numbers_as_well(strays, tmp_path):
    """Many texts, or codes, are meant as they are."""
    path = tmp_path / "lab.csv"
    path.write_text(numbers_with(strays))
    assert "except" not in notes_of(path)


CODED = "zip,time,price,size,y\n" + "".join(
    f"{zip_code},{8 + i % 9:02}:3{i % 5},-${i}.50,{'NA' if i == 4 else -i},{'ab'[i % 2]}\n"
    for i, zip_code in enumerate(["02267", "10115", "00199"] * 20)
)


def packed(text, path):
    path.write_bytes(gzip.compress(text.encode()))


def in_utf_16(text, path):
    path.write_bytes(text.encode("utf-16"))


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("write", [lambda text, path: path.write_text(text), packed, in_utf_16])
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_texts_are_written_as_they_stand(write, suffix, large, tmp_path, monkeypatch):
    """Codes, times, prices and marks of missing values are not rewritten."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if large else 10**9)
    path, out, temporary = tmp_path / "table.csv", tmp_path / f"out{suffix}", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    write(CODED, path)
    result = run("select", path, "-t", "y", "-n", 4, "--keep-ids", "--excel-safe", "--out", out)
    assert result.exit_code == 0, result.output
    separator = "," if suffix == ".csv" else "\t"
    written = pl.read_csv(out, separator=separator, infer_schema=False)
    expected = pl.read_csv(CODED.encode(), infer_schema=False)
    assert sorted(written.columns) == sorted(expected.columns)
    assert written.select(expected.columns).equals(expected)
    assert list(temporary.iterdir()) == []


def test_stdin_is_written_as_it_stands(tmp_path):
    """From a copy that lasts as long as it is needed, beside parts of dates, which are in no file."""
    out = tmp_path / "out.csv"
    days = "zip,day,y\n" + "".join(f"0{i % 4}1,2024-0{1 + i % 8}-01,{i % 4 > 1}\n" for i in range(60))
    options = ["select", "-", "-t", "y", "-n", "2", "--date-parts", "--out", str(out)]
    result = click_testing.CliRunner().invoke(program, options, input=days.encode())
    assert result.exit_code == 0, result.output
    written = pl.read_csv(out, infer_schema=False)
    assert written["day.month"].to_list() == [str(1 + i % 8) for i in range(60)]
    assert written["zip"].to_list() == [f"0{i % 4}1" for i in range(60)]


def test_formulas_among_numbers_are_escaped(tmp_path):
    """A mark of missing values may be one."""
    path, out = tmp_path / "table.csv", tmp_path / "out.csv"
    path.write_text("a,y\n" + "".join(f"{-i},{'uv'[i % 2]}\n=cmd(),v\n-1+1,u\n" for i in range(30)))
    options = ["-t", "y", "-n", 1, "--missing-values", "=cmd(),-1+1", "--excel-safe", "--out", out]
    assert run("select", path, *options, "--keep-ids").exit_code == 0
    assert pl.read_csv(out, infer_schema=False)["a"].to_list()[-3:] == ["-29", "'=cmd()", "'-1+1"]


@pytest.mark.parametrize("large", [False, True])
def test_leading_zeros_are_of_codes(large, tmp_path, monkeypatch):
    """Such a column is one of texts, with or without a header, and it is said; zeros and fractions are numbers."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if large else 10**9)
    path = tmp_path / "table.csv"
    rows = "".join(
        f"{zip_code},0,0.5,{i},{'ab'[i % 2]}\n" for i, zip_code in enumerate(["2267", "00199"] * 20)
    )
    path.write_text('"a ""zip""",zero,half,count,y\n' + rows)
    loaded = read_table(str(path))
    frame = loaded.frame.lazy().collect()
    assert frame['a "zip"'].to_list() == ["2267", "00199"] * 20
    assert [dtype.is_numeric() for dtype in frame.dtypes] == [False, True, True, True, False]
    assert """Leading zeros: 'a "zip"' ('00199'); read as text""" in " ".join(loaded.notes)
    path.write_text(rows)
    loaded = read_table(str(path), text=TextFormat(has_header=False))
    assert loaded.frame.lazy().collect()["x0"].to_list() == ["2267", "00199"] * 20


def test_a_file_that_changes_before_it_is_written(tmp_path):
    """Rows that do not belong together are not written."""
    path = tmp_path / "table.csv"
    path.write_text(CODED)
    loaded = read_table(str(path))
    path.write_text(CODED + CODED.partition("\n")[2])
    with pytest.raises(DataError, match="had 60 rows, but now has 120"):
        as_in_file(loaded.text, loaded.frame, ["zip"])


def test_columns_of_the_same_name(tmp_path):
    """It is said what they are called; none is taken for another."""
    path = tmp_path / "table.csv"
    path.write_text(
        "# by hand\na,b,a,b,a,y\n" + "".join(f"{i},{-i},{i % 7},1{i},2{i},{'uv'[i % 2]}\n" for i in range(40))
    )
    result = run("select", path, "-t", "y", "-n", 2, "--keep-ids", "--comment", "#")
    assert result.exit_code == 0, result.output
    assert (
        "Columns of the same name: number 2 of 'a' is called 'a_duplicated_0', number 2 of 'b' is called "
        "'b_duplicated_0', number 3 of 'a' is called 'a_duplicated_1'.\n"
    ) in result.stderr
    for options in (["-t", "a"], ["-t", "y", "-i", "a"], ["-t", "y", "-t", "a"]):
        result = run("select", path, "--comment", "#", *options)
        assert result.exit_code == 2
        assert "names 'a', but 3 columns have that name. Hint: rename them in the header; " in result.stderr
    assert run("select", path, "--comment", "#", "-t", "y", "-i", "a_duplicated_0").exit_code == 0


def test_names_that_only_look_duplicated(tmp_path):
    """A table that was written by the program keeps its names."""
    path = tmp_path / "table.csv"
    path.write_text("a,a_duplicated_0,y\n" + "1,2,u\n2,1,v\n" * 20)
    assert read_table(str(path)).duplicates == {}
    assert run("select", path, "-t", "y", "-i", "a").exit_code == 0


def columns_of(separator="\t", **columns):
    """A text of columns, repeated, and of two classes."""
    columns |= {"y": ["u", "v"] * (len(next(iter(columns.values()))) // 2)}
    rows = list(zip(*columns.values(), strict=True)) * 20
    return "\n".join(separator.join(row) for row in [tuple(columns), *rows]) + "\n"


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["950", "1.067"], [950, 1067]),
        (["NA", "-12.067"], [None, -12067]),
        (["0", "1.234"], [0, 1234]),
        (["0.950", "1.067"], [0.95, 1.067]),  # no number of thousands begins with 0
        (["1500", "1.067"], [1500, 1.067]),
        (["950", "1.06"], [950, 1.06]),
    ],
)
def test_points_before_three_digits_beside_decimal_commas(
    texts, numbers, separator, large, tmp_path, monkeypatch
):
    """They group thousands, and it is said."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if large else 10**9)
    path = tmp_path / "table.txt"
    path.write_text(columns_of(separator, price=texts, length=["4,41", "5"]))
    loaded = read_table(str(path))
    frame = loaded.frame.lazy().collect()
    assert frame["price"].to_list() == numbers * 20
    assert frame["length"].to_list() == [4.41, 5] * 20
    is_grouped = numbers[1] == int(numbers[1])
    assert (f"'price' ({texts[1]!r} is {numbers[1]})" in " ".join(loaded.notes)) == is_grouped
    plain = read_table(str(path), text=TextFormat(decimal="."))
    assert plain.frame.lazy().collect()["price"].to_list()[1] == float(texts[1])


@pytest.mark.parametrize(
    ("others", "meant"),
    [(["4,41", "5"], 1.234), (["$3,456.50", "1"], 1234), (["a", "b"], 1234), (["4,41", "1,234.5"], 1234)],
)
def test_an_ambiguous_comma_means_what_others_show(others, meant, tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text(columns_of(some=["1,234", "2,345"], others=others))
    assert read_table(str(path)).frame["some"][0] == meant


@pytest.mark.parametrize("large", [False, True])
def test_spaces_around_values(large, tmp_path, monkeypatch):
    """They are no part of a class, and of no mark of a missing value; files get them back."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if large else 10**9)
    path, out = tmp_path / "table.csv", tmp_path / "out.csv"
    rows = [("A", "1.5 "), (" A", " NA "), ("B", "2"), ("B ", " "), (" C C ", "-")] * 8
    path.write_text("kind,size,y\n" + "".join(f"{kind},{size},{kind}\n" for kind, size in rows))
    result = run("select", path, "-t", "y", "-n", 2, "--missing-values", "-", "--out", out)
    assert result.exit_code == 0, result.output
    assert "Leading and trailing spaces removed in 'kind', 'y'.\n" in result.stderr
    assert "has 3 classes: A (16), B (16), C C (8)." in result.stderr
    loaded = read_table(str(path), text=TextFormat(missing=("-",)))
    frame = loaded.frame.lazy().collect()
    assert frame["kind"].to_list() == ["A", "A", "B", "B", "C C"] * 8
    assert frame["size"].to_list() == [1.5, None, 2, None, None] * 8
    assert pl.read_csv(out, infer_schema=False)["kind"].to_list() == [kind for kind, _ in rows]


@pytest.mark.parametrize("large", [False, True])
def test_dates_of_two_meanings(large, tmp_path, monkeypatch):
    """Where no value tells day from month, it is said which comes first."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if large else 10**9)
    path = tmp_path / "table.csv"
    path.write_text(
        columns_of(
            ",",
            both=["01/01/2020", "10/03/2020"],
            time=["NA", "1-2-2020 10:30"],
            sure=["31/12/2020", "01/02/2020"],
            american=["12/31/2020", "01/02/2020"],
            german=["10.03.2020", "01.02.2020"],
            iso=["2020-01-02", "2020-02-03"],
            same=["03/03/2020", "04/04/2020"],
        )
    )
    loaded = read_table(str(path))
    assert loaded.frame.lazy().collect()["both"][1] == datetime.date(2020, 3, 10)
    (note,) = [note for note in loaded.notes if "day first" in note]
    assert "'both' ('10/03/2020' is 2020-03-10), 'time' ('1-2-2020' is 2020-02-01). Hint:" in note


def test_tables_aligned_by_spaces(tmp_path):
    """Several spaces count as one, but not within quotes; lines may begin and end with some."""
    path, out = tmp_path / "table.txt", tmp_path / "out.csv"
    rows = "".join(f'{i:>6}   {i % 7 / 4:<8.2f} "a  {i % 2} "" "   {"uv"[i % 2]}  \r\n' for i in range(40))
    path.write_bytes(b"\xef\xbb\xbf" + ('  "the  id"  size name    y\r\n' + rows).encode())
    frame = read_table(str(path), text=TextFormat("space")).frame
    assert frame.columns == ["the  id", "size", "name", "y"]
    assert frame.row(8) == (8, 0.25, 'a  0 "', "u")
    result = run("select", path, "-t", "y", "-n", 1, "--separator", "space", "--out", out)
    assert result.exit_code == 0, result.output
    assert pl.read_csv(out, infer_schema=False).row(8) == ('a  0 " ', "u")


def test_texts_in_excel_are_read_as_in_text_files(tmp_path):
    """Numbers, dates, codes and marks of missing values; files get them as they stand in the book."""
    pytest.importorskip("fastexcel", reason="fastexcel is not installed")
    pytest.importorskip("xlsxwriter", reason="xlsxwriter is not installed")
    path, out = tmp_path / "table.xlsx", tmp_path / "out.csv"
    table = {
        "price": ["1.234,5", None, "12"],
        "plain": ["1.5", "2", "NA"],
        "day": ["31.12.2025", "1.2.2026", "-"],
        'the "zip", a code': ["02267", "10115", "00199"],
        "size": [1.5, 2.5, None],
        "kind": ["A", " A", "B"],
    }
    pl.DataFrame({name: values * 20 for name, values in table.items()}).write_excel(path)
    options = ["-t", "kind", "--missing-values", "-", "--keep-ids", "-n", 5, "--out", out]
    result = run("select", path, *options)
    assert result.exit_code == 0, result.output
    for part in (
        "'price' ('1.234,5' is 1234.5)",
        "Leading zeros: 'the \"zip\", a code'",
        "2 classes: A (40)",
    ):
        assert part in result.stderr
    loaded = read_table(str(path), text=TextFormat(missing=("-",)))
    assert loaded.frame.columns == list(table)
    assert loaded.frame.row(0) == (1234.5, 1.5, datetime.date(2025, 12, 31), "02267", 1.5, "A")
    assert loaded.frame.row(2) == (12, None, None, "00199", None, "B")
    named = {'the ""zip"", a code': 'the "zip", a code'}  # polars leaves doubled quotes in names
    written = pl.read_csv(out, infer_schema=False).rename(named).select(list(table))
    assert written.row(0) == ("1.234,5", "1.5", "31.12.2025", "02267", "1.5", "A")
    assert written.row(1) == (None, "2", "1.2.2026", "10115", "2.5", " A")


@pytest.mark.parametrize(("n_codes", "is_left_out"), [(40, False), (90, True)])
def test_codes_of_most_rows_are_identifiers(n_codes, is_left_out, tmp_path):
    """As strings of very many levels they would fit any target."""
    path = tmp_path / "table.csv"
    path.write_text("zip,size,y\n" + "".join(f"{i % n_codes:05},{i % 7},{'uv'[i % 2]}\n" for i in range(100)))
    result = run("select", path, "-t", "y", "-n", 1)
    assert ("Left out 'zip': looks like an identifier" in result.stderr) == is_left_out
    assert "Leading zeros: 'zip' ('00000'); read as text" in result.stderr


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow", "jsonl"])
@pytest.mark.parametrize("name", ["table[1]", "table*", "[ab", "table?"])
def test_names_of_files_are_no_patterns(name, suffix, large, table, tmp_path, monkeypatch):
    """Browsers call a second download table[1].csv; another file must not be read in its place."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if large else 10**9)
    folder = tmp_path / "a [folder]"
    folder.mkdir()
    write = {"csv": "write_csv", "parquet": "write_parquet", "arrow": "write_ipc", "jsonl": "write_ndjson"}[
        suffix
    ]
    for other in ("table1", "table2"):
        getattr(table.head(5), write)(folder / f"{other}.{suffix}")
    getattr(table, write)(folder / f"{name}.{suffix}")
    loaded = read_table(str(folder / f"{name}.{suffix}"))
    assert loaded.frame.lazy().collect().height == table.height


def test_columns_of_the_same_name_in_excel(tmp_path):
    """They are told apart as in text files; a column that is called a_1 keeps its name."""
    pytest.importorskip("fastexcel", reason="fastexcel is not installed")
    xlsxwriter = pytest.importorskip("xlsxwriter", reason="xlsxwriter is not installed")
    for header, is_said in ((["a", "a", "y"], True), (["a", "a_1", "y"], False)):
        path = tmp_path / f"{header[1]}.xlsx"
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet()
            for i, row in enumerate([header, *([i % 5, i % 7, "uv"[i % 2]] for i in range(40))]):
                sheet.write_row(i, 0, row)
        note = "Columns of the same name: number 2 of 'a' is called 'a_1'."
        assert (note in notes_of(path)) == is_said
        assert run("select", path, "-t", "y", "-i", "a").exit_code == (2 if is_said else 0)
