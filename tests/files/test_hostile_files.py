"""Small files that ask for much, and damaged ones: a table or one sentence."""

import io
import json
import subprocess
import sys
import tempfile
from contextlib import suppress

import polars as pl
import pytest

from entropick.exceptions import DataError
from entropick.files import room
from entropick.files.excel import extent
from entropick.files.layout import TextFormat
from entropick.files.reading import read_table
from hostile_files import CELLS, members, packed, sheet, workbook

pytest.importorskip("fastexcel")
FAR = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


def read(path, content, **text):
    path.write_bytes(content)
    return read_table(str(path), text=TextFormat(**text))


def test_a_table_of_excel(tmp_path):
    loaded = read(tmp_path / "t.xlsx", workbook())
    assert (loaded.columns, loaded.frame.height) == (["size", "site", "label"], 39)


@pytest.mark.parametrize(
    "cells",
    [FAR, FAR.replace('"', "'"), FAR.replace("<c ", '<c x=">" '), FAR.replace("<c ", "<c\n\t"),
     FAR.replace("<c ", "<x:c ").replace("</c", "</x:c"), FAR.lower(),
     '<row r="1048576"><c><v>1</v></c></row><row r="1"><c r="XFD1"><v>1</v></c></row>'],
)  # fmt: skip
def test_a_far_cell_of_excel(cells, tmp_path):
    """A file of two kilobytes whose range has 17 thousand million cells."""
    with pytest.raises(DataError, match=r"its cells reach from A1 to XFD1048576\. Hint: "):
        read(tmp_path / "far.xlsx", workbook(cells))


@pytest.mark.parametrize("reference", ["AAAAAAAAAA1", "XFE1", "A1048577", "A" * 5000 + "1", "A" + "9" * 5000])
def test_cells_that_no_sheet_has(reference, tmp_path):
    """The reader takes the first of them for another cell, and ends the process when it has no room for it."""
    for cell in (f'<c r="{reference}"><v>1</v></c>', f'<c s="1" r="{reference}"><v>1</v></c>'):
        with pytest.raises(DataError, match=r"damaged Excel file: it has cells beyond XFD1048576\."):
            read(tmp_path / "far.xlsx", workbook(f"<row>{cell}</row>"))


@pytest.mark.slow
def test_a_far_cell_does_not_end_the_process(tmp_path):
    path = tmp_path / "far.xlsx"
    path.write_bytes(workbook(FAR))
    command = [sys.executable, "-m", "entropick.cli", "select", str(path), "-t", "label"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("Error: "), done.stdout) == (2, 1, "")


def test_excel_files_larger_than_the_memory(tmp_path, monkeypatch):
    """Room is checked as for other formats."""
    monkeypatch.setattr(room, "_rooms", lambda: iter([10**9]))
    path = tmp_path / "wide.xlsx"
    with pytest.raises(MemoryError, match=r"with cells from A1 to XFD2000, needs about 1\.6 GB"):
        read(path, workbook('<row r="2000"><c r="XFD2000"><v>1</v></c></row>'))
    monkeypatch.setattr(room, "_rooms", lambda: iter([1000]))
    with pytest.raises(MemoryError):
        read(path, workbook())


@pytest.mark.parametrize(
    "cells", ['<row r="1048576" hidden="1"/>', '<row r="9999"><c r="XFD9999" s="1"/></row>']
)
def test_formats_without_values_ask_for_nothing(cells, tmp_path):
    """Spreadsheet programs write them for whole rows and columns."""
    assert read(tmp_path / "t.xlsx", workbook(cells)).frame.shape == (39, 3)


def test_dimensions_that_lie(tmp_path):
    content = packed(members(sheet(CELLS, "A1:XFD1048576")))
    assert read(tmp_path / "t.xlsx", content).frame.shape == (39, 3)


@pytest.mark.parametrize("size", [1, 7, 100, 1 << 20])
def test_extents_do_not_depend_on_how_a_sheet_is_read(size, monkeypatch):
    monkeypatch.setattr("entropick.files.excel.CHUNK", size)
    found = extent(io.BytesIO(sheet(CELLS).encode()))
    assert (found.first, found.last, found.n_cells) == ("A1", "C40", 120)
    far = extent(io.BytesIO(sheet('<row r="7"><c><v>1</v></c><c/><c><v>2</v></c></row>').encode()))
    assert (far.first, far.last) == ("A7", "C7")
    assert extent(io.BytesIO(b"<worksheet/>")).n_cells == 0


def test_damaged_excel_files_are_told_in_one_sentence(tmp_path):
    """Every byte of the central directory, and every 17th of the rest, is overwritten once."""
    whole = workbook()
    directory = whole.index(b"PK\x01\x02")
    path = tmp_path / "t.xlsx"
    for at in (*range(0, directory, 47), *range(directory, len(whole), 9)):
        with suppress(DataError):
            read(path, whole[:at] + b"XXXX" + whole[at + 4 :])
    with pytest.raises(DataError, match=r"is a damaged Excel file|is a zip archive, not an Excel file"):
        read(path, whole.replace(b"PK\x01\x02", b"XXXX"))


def test_a_damaged_name_in_an_excel_file_is_not_quoted_at_length(tmp_path):
    """The length of the name is made so large that it takes in what follows."""
    whole = bytearray(workbook())
    name = whole.index(b"xl/workbook.xml")
    assert whole[name - 30 : name - 26] == b"PK\x03\x04"
    whole[name - 4 : name - 2] = (1200).to_bytes(2, "little")
    with pytest.raises(DataError, match="is a damaged Excel file") as caught:
        read(tmp_path / "t.xlsx", bytes(whole))
    assert len(str(caught.value)) < 600


ROWS = [{"size": i / 7, "site": "abc"[i % 3], "label": i % 2} for i in range(40)]


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt"])
@pytest.mark.parametrize("indent", [None, 2])
def test_json_arrays(suffix, indent, tmp_path):
    loaded = read(tmp_path / f"t{suffix}", json.dumps(ROWS, indent=indent).encode())
    assert loaded.frame.equals(pl.DataFrame(ROWS))


@pytest.mark.parametrize(
    "content", [b"[1, 2]", b"[]", b"[{}]", b'[{"a": 1}', b'[{"a": 1}, 3]', b"[[[[", b'[{"a":' * 10**5]
)
def test_json_that_is_no_table(content, tmp_path):
    with pytest.raises(DataError) as caught:
        read(tmp_path / "t.json", content)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_ends_of_lines(end, encoding, tmp_path):
    lines = ["size,label", *(f"{i / 7},{i % 2}" for i in range(30))]
    loaded = read(tmp_path / "t.csv", (end.join(lines) + end).encode(encoding))
    assert (loaded.columns, loaded.frame.height) == (["size", "label"], 30)


@pytest.mark.parametrize("separator", ["\u2028", "\x0b", "\x0c", "\x85", "\x1c"])
def test_other_ends_of_lines_in_values_of_arff(separator, tmp_path):
    text = f"@relation t\n@attribute a string\n@attribute label {{x,y}}\n@data\n'b{separator}c',x\nd,y\n"
    loaded = read(tmp_path / "t.arff", text.encode())
    assert loaded.frame["a"].to_list() == [f"b{separator}c", "d"]


def test_sparse_arff_that_asks_for_much(tmp_path, monkeypatch):
    """A row of two characters stands for a value of every attribute."""
    monkeypatch.setattr(room, "_rooms", lambda: iter([10**9]))
    header = "".join(f"@attribute a{j} numeric\n" for j in range(5000))
    with pytest.raises(MemoryError, match=r"needs about 3\.6 GB"):
        read(tmp_path / "t.arff", f"@relation t\n{header}@data\n{'{}' + chr(10)}".encode() + b"{}\n" * 30_000)


@pytest.mark.parametrize(
    "encoding", ["rot13", "zlib", "base64", "hex", "bz2", "uu", "quopri", "no such", "undefined"]
)
def test_encodings_that_are_none(encoding, tmp_path):
    with pytest.raises(DataError, match="is not a known text encoding"):
        read(tmp_path / "t.csv", b"a,label\n1,x\n2,y\n", encoding=encoding)


def test_a_link_to_itself(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(DataError, match="is a link that leads nowhere"):
        read_table(str(loop))


def test_no_folder_for_temporary_files(tmp_path, monkeypatch):
    """The sentence is about the folder, not about the table."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(
        DataError, match=r"No temporary file can be made in .*none': No such file .* Hint: TMPDIR"
    ):
        read(tmp_path / "t.csv", "a,label\n1,x\n2,y\n".encode("utf-16"))
