"""The program reads text files and ARFF as people write them."""

import datetime
import gzip

import polars as pl
import pytest

import entropick
from entropick.exceptions import DataError
from entropick.files.arff import parse_arff
from entropick.files.layout import TextFormat, sniff_delimiter
from entropick.files.reading import read_table
from program_runs import N_ROWS, document_of, refused

ARFF = """% a comment
@RELATION test
@attribute 'the id' string
@attribute size REAL
@attribute site {a, 'b c', "d"}
@attribute label{no,yes}
@DATA
r1, 1.5, a, no
'r, 2', ?, 'b c', yes
% another
{0 "it\\'s", 1 2.5, 3 yes}
"""


def test_arff():
    """Quotes, comments, missing values, nominal values and sparse rows."""
    frame = parse_arff(ARFF)
    assert frame.columns == ["the id", "size", "site", "label"]
    assert frame.rows() == [("r1", 1.5, "a", "no"), ("r, 2", None, "b c", "yes"), ("it's", 2.5, "a", "yes")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation r\n@attribute a numeric\n@data\n1,2\n", "Line 4 has 2 values instead of 1"),
        ("@relation r\n@attribute a numeric\n@data\nx\n", "Line 4 cannot be read"),
        ("@relation r\n@attribute a relational\n@data\n", "of the type 'relational'"),
        ("@relation r\nnonsense\n", "Line 2 of the header"),
        (
            "@relation r\n@attribute a {'x,y}\n@data\nx\n",
            "Line 2 of the header cannot be read: unexpected quotes",
        ),
        (
            "@relation r\n@attribute a string\n@data\n'x' y\n",
            "Line 4 cannot be read: unexpected text after quotes",
        ),
        (
            "@relation r\n@attribute a numeric\n@data\n{00}\n",
            "Line 4 cannot be read: '00' is not an index and a value",
        ),
        ("@relation r\n@data\n1\n", "declares no attributes"),
        ("@relation r\n@attribute a numeric\n", "ends before its data"),
        ("@relation r\n@attribute a numeric\n@data\n{7 1}\n", "Line 4 cannot be read"),
        ("@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,2\n", "same name"),
    ],
)
def test_wrong_arff(text, message, tmp_path):
    """A wrong line is named."""
    path = tmp_path / "t.arff"
    path.write_text(text)
    assert message in refused("select", path, "-t", "a")


def test_long_texts_of_arff_are_cut():
    """In what is said about them."""
    for text in (f"@attribute a {'x' * 5000}\n@data\n1", f"@attribute a real\n@data\n{'x' * 5000}"):
        with pytest.raises(DataError) as caught:
            parse_arff(text)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("line", ["a" + " " * 10**6 + "'", "{" + "0" * 10**6 + "}", "'" + "\\'" * 10**6])
def test_hostile_arff_takes_no_time(line):
    """A line that cannot be read is refused at once; time that grew with its square would take hours."""
    with pytest.raises(DataError, match="Line 4 cannot be read"):
        parse_arff(f"@relation r\n@attribute a string\n@data\n{line}\n")


def test_arff_file(table, tmp_path):
    """An ARFF file gives what the same CSV gives."""
    path = tmp_path / "t.arff"
    rows = "\n".join(",".join("?" if v is None else str(v) for v in row) for row in table.rows())
    head = "@relation t\n@attribute id string\n@attribute size real\n@attribute site {0,1}\n"
    path.write_text(f"{head}@attribute noise real\n@attribute label {{no,yes}}\n@data\n{rows}\n")
    document = document_of("select", path, "-t", "label", "-n", 2)
    expected = entropick.JMI(2).fit(table.drop("id", "label"), table["label"])
    assert document["selection"]["selected"] == expected.selection_.selected_names


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".pq", ".feather", ".arrow", ".ipc"])
def test_every_format_goes_round(csv, table, tmp_path, suffix):
    """A reduced table is read again, with the same values, and selected from with the same result."""
    out = tmp_path / f"out{suffix}"
    first = document_of("select", csv, "-t", "label", "-n", 2, "--out", out)
    selected = first["selection"]["selected"]
    frame = read_table(str(out)).frame.lazy().collect()
    assert frame.columns == [*selected, "label"]
    expected = table.select([*selected, "label"]).with_columns(pl.col("site").cast(frame["site"].dtype))
    assert frame.equals(expected)
    again = document_of("select", out, "-t", "label", "-n", 2)
    assert again["selection"]["selected"] == selected
    assert [s["score"] for s in again["selection"]["steps"]] == [
        s["score"] for s in first["selection"]["steps"]
    ]
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_delimiters_are_found(table, tmp_path, delimiter):
    """Whatever the name of the file says; other delimiters within quotes do not mislead."""
    path = tmp_path / "table.txt"
    quoted = table.with_columns((pl.col("site") + ", a; b|c").alias("site"))
    quoted.write_csv(path, separator=delimiter)
    frame = read_table(str(path)).frame
    assert frame.columns == table.columns
    assert frame["site"].to_list() == quoted["site"].to_list()


def test_sniffing():
    """The delimiter is the one that gives the most columns of the same number in each line."""
    assert sniff_delimiter("a;b;c\n1,5;2,5;3,5\n") == ";"
    assert sniff_delimiter("one column\n1\n2\n") == ","
    assert sniff_delimiter("") == ","


def test_stdin_in_any_format(table, csv, tmp_path):
    """`-` reads a text or a binary table."""
    packed = tmp_path / "t.parquet"
    table.write_parquet(packed)
    for content in (csv.read_bytes(), packed.read_bytes(), gzip.compress(csv.read_bytes())):
        document = document_of("select", "-", "-t", "label", "-n", 1, input=content)
        assert document["data"]["source"] == "stdin"
        assert document["data"]["n_rows"] == N_ROWS


def test_packed_and_marked_files(csv, table, tmp_path):
    """A gzipped CSV, and one with a byte order mark."""
    packed, marked = tmp_path / "t.csv.gz", tmp_path / "bom.csv"
    packed.write_bytes(gzip.compress(csv.read_bytes()))
    marked.write_bytes(b"\xef\xbb\xbf" + csv.read_bytes())
    for path in (packed, marked):
        assert read_table(str(path)).frame.columns == table.columns


def test_late_texts_in_a_column_of_numbers(tmp_path):
    """A text after many rows of numbers makes the column one of texts."""
    path = tmp_path / "late.csv"
    rows = [f"{i % 7},{i % 2}" for i in range(12_000)] + ["many,1"]
    path.write_text("\n".join(["count,y", *rows]))
    document = document_of("select", path, "-t", "y")
    assert document["selection"]["encodings"][0]["kind"] == "category"


def text_table(columns, separator=","):
    """A text with a column y of two classes beside others; values with a separator are quoted."""
    columns = columns | {"y": ["no", "yes"] * (len(next(iter(columns.values()))) // 2)}
    quoted = (
        [f'"{v}"' if separator in str(v) else str(v) for v in row]
        for row in zip(*columns.values(), strict=True)
    )
    return "\n".join([separator.join(columns), *(separator.join(row) for row in quoted)]) + "\n"


@pytest.mark.parametrize(
    ("texts", "separator", "numbers"),
    [
        (["3.456,78", "12,5", "1.234.567,00", "7"], ",", [3456.78, 12.5, 1234567.0, 7.0]),
        (["3.456,78", "12,5", "-1.000", "7"], ";", [3456.78, 12.5, -1000.0, 7.0]),
        (["$3,456", "$12", "-$1,234.50", "$ 7"], ",", [3456.0, 12.0, -1234.5, 7.0]),
        (["3,456 €", "12 €", "1,5 €", "7 €"], ";", [3.456, 12.0, 1.5, 7.0]),
        (["12 %", "7,5%", "0 %", "100%"], ",", [12.0, 7.5, 0.0, 100.0]),
        (["1 234", "12", "1\u00a0234\u00a0567", "-7"], ",", [1234.0, 12.0, 1234567.0, -7.0]),
        (["1'234.5", "12", "3'000'000", "-7"], ",", [1234.5, 12.0, 3e6, -7.0]),
        (["1,234", "2,345", "12", "7"], ",", [1234.0, 2345.0, 12.0, 7.0]),
        (["1,234", "2,345", "12", "7"], ";", [1.234, 2.345, 12.0, 7.0]),
        (["$1.50", "NA", "", "$3"], ",", [1.5, None, None, 3.0]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("large", [False, True])
def test_numbers_as_people_write_them(tmp_path, monkeypatch, texts, separator, numbers, large):
    """Columns of texts that all are numbers are read as such, and it is said."""
    monkeypatch.setattr("entropick.files.room.LARGE", 0 if large else 10**9)
    path = tmp_path / "t.csv"
    path.write_text(text_table({"price": texts * 10, "plain": [0.5, 1.234, 2.5, 3] * 10}, separator))
    loaded = read_table(str(path))
    frame = loaded.frame.lazy().collect()
    assert frame["price"].to_list() == numbers * 10
    assert (
        frame["plain"].to_list() == [0.5, 1.234, 2.5, 3] * 10
    )  # a point alone is not taken for anything else
    (note,) = loaded.notes
    assert f"'price' ({texts[0]!r} is {numbers[0]:.10g})" in note
    encodings = document_of("select", path, "-t", "y")["selection"]["encodings"]
    assert (encodings[0]["name"], encodings[0]["kind"]) == ("price", "numeric")


@pytest.mark.parametrize(
    "texts",
    [["1.2.3.4", "4.5.6"], ["12 %", "many"], ["$", "$3"], ["1,23,4", "5"], ["192.168.0.1", "10.0.0.1"], ["A1", "B2"],
     ["31/12/2025 x", "1/1/2026"], ["1,234", "1.5,2"], ["3 456,78 kg", "1 kg"]],
)  # fmt: skip
def test_other_texts_stay_texts(tmp_path, texts):
    """One value that is no number is enough."""
    path = tmp_path / "t.csv"
    path.write_text(text_table({"code": texts * 20}, ";"))
    loaded = read_table(str(path))
    assert loaded.frame["code"].to_list() == texts * 20
    assert loaded.notes == ()


def test_the_decimal_sign_may_be_said(tmp_path):
    """It decides what 1,234 and 1.234 are."""
    path = tmp_path / "t.csv"
    path.write_text(
        text_table({"a": ["1,234", "2,5"] * 5, "b": ["1.234", "5"] * 5, "c": ["1.234,5", "3"] * 5}, ";")
    )
    frame = read_table(str(path), text=TextFormat(decimal=",")).frame
    assert frame.row(0)[:3] == (1.234, 1234.0, 1234.5)
    path.write_text(text_table({"a": ["1,234", "2"] * 5, "b": ["1.234", "5"] * 5}, ";"))
    assert read_table(str(path), text=TextFormat(decimal=".")).frame.row(0)[:2] == (1234.0, 1.234)


def test_dates_as_people_write_them(tmp_path):
    """Day first with points, month first with strokes; a day that does not exist keeps the column a text."""
    path = tmp_path / "t.csv"
    path.write_text(
        text_table({"a": ["31.12.2025", "1.2.2026"] * 5, "b": ["12/31/2025", "2/1/2026"] * 5, "c": ["2/30/2026", "1/13/2026"] * 5})
    )  # fmt: skip
    frame = read_table(str(path)).frame
    days = [datetime.date(2025, 12, 31), datetime.date(2026, 2, 1)] * 5
    assert frame["a"].to_list() == frame["b"].to_list() == days
    assert frame["c"].dtype == pl.String


def test_what_the_program_may_be_told_about_a_text(tmp_path):
    """Separator, encoding, marks of missing values, comments and no header, as options."""
    path = tmp_path / "t.txt"
    rows = "".join(f"{i % 7}~{['é', '-'][i % 3 > 0]}~{['ja', 'nein'][i % 2]}\n" for i in range(60))
    path.write_bytes(("# made by hand\n" + rows).encode("latin-1"))
    options = [
        "--separator",
        "~",
        "--encoding",
        "latin-1",
        "--missing-values",
        "-,nix",
        "--comment",
        "#",
        "--no-header",
    ]
    document = document_of("select", path, "-t", "x2", *options)
    assert document["data"]["target"]["classes"] == [["ja", 30], ["nein", 30]]
    (second,) = [e for e in document["selection"]["encodings"] if e["name"] == "x1"]
    assert (second["levels"], second["n_missing"]) == (["é"], 40)
    assert "must be one character" in refused("select", path, "-t", "y", "--separator", "ab")
    assert "is not a known text encoding" in refused("select", path, "-t", "y", "--encoding", "utf-99")
    assert "is not a known text encoding" in refused("select", path, "-t", "y", "--encoding", "base64")
    assert "--encoding names another one" in refused("select", path, "-t", "y")
    assert "is not text in ascii" in refused("select", path, "-t", "y", "--encoding", "ascii")
    tabbed = tmp_path / "tab.txt"
    tabbed.write_text(rows.replace("~", "\t"))
    assert read_table(str(tabbed), text=TextFormat("tab", has_header=False)).frame.width == 3


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_marked_encodings_are_found(csv, table, tmp_path, encoding):
    """By the mark at the beginning, packed or not, in memory or not."""
    path, packed = tmp_path / "wide.csv", tmp_path / "wide.csv.gz"
    content = ("\ufeff" if encoding.endswith("be") else "") + csv.read_text(encoding="utf-8")
    path.write_bytes(content.encode(encoding))
    packed.write_bytes(gzip.compress(path.read_bytes()))
    for file in (path, packed):
        frame = read_table(str(file)).frame
        assert frame.columns == table.columns
        assert frame["id"].to_list() == table["id"].to_list()


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("a,y\n1,no\n2,yes,3\n", "line 3 has 3 values, the header 2"),
        ('a,y\n1,no\n"two\nlines",yes\n2,yes,3\n', "line 5 has 3 values, the header 2"),
        ("# by hand\na,y\n1,no\n", "line 2 has 2 values, the header 1. Hint: --comment"),
        ('a,y\n1,no\n2,"yes\n3,no\n', "line 3 cannot be split into values"),
    ],
)
def test_broken_lines_are_named(tmp_path, content, part):
    """By their number, with what may help."""
    path = tmp_path / "t.csv"
    path.write_text(content)
    assert part in refused("select", path, "-t", "y")


def test_tables_of_orange(tmp_path):
    """Three header lines: the class is the target, meta columns are left out, codes of categories are names."""
    path = tmp_path / "iris.tab"
    rows = "".join(f"{i % 5}\t{i % 3}\tflower {i}\t{'ab'[i % 2]}\n" for i in range(60))
    path.write_text("size\tsite\tname\tkind\ncontinuous\td\tstring\tred blue\n\t\tmeta\tclass\n" + rows)
    document = document_of("select", path)
    assert document["data"]["target"]["name"] == "kind"
    assert [(e["name"], e["kind"]) for e in document["selection"]["encodings"]] == [
        ("size", "numeric"),
        ("site", "category"),
    ]
    assert document["data"]["notes"][0] == "Read as an Orange table, without its 'name'."
    path.write_text("size\tkind\n1\ta\n2\tb\n3\ta\n")
    assert read_table(str(path)).frame.height == 3
