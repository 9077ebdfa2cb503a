"""Content of formats that are made of parts: members of zip archives, XML, JSON, sparse rows.

Damage is done to the parts before they are put together, so that readers get beyond the first bytes.
"""

import io
import json
import random
import zipfile

from hostile_files import CELLS, members, sheet

FAR = ["XFD1048576", "ZZ500", "A1048576", "XFD1", "ZZZ9999999", "A0", "a7", "", "1", "AAAAAAAAAA1", "B2"]
TYPES = ["n", "s", "str", "inlineStr", "b", "e", "d", "zz", ""]
VALUES = [
    "1",
    "-1e400",
    "",
    "NaN",
    "#DIV/0!",
    "2026-01-01",
    "9" * 400,
    "&lt;x&gt;",
    "&unknown;",
    "\u202e",
    "TRUE",
    "0.5",
]
XML_DAMAGE = [
    "<",
    ">",
    "&",
    '"',
    "</row>",
    "<row>",
    "<c>",
    "<!-- ",
    " -->",
    "<![CDATA[",
    "\0",
    "<!DOCTYPE x [",
    "?>",
]
JSON_VALUES = [
    0,
    1.5,
    -1e308,
    None,
    True,
    "a",
    "",
    "\u2028",
    [1, [2]],
    {"u": {"v": 1}},
    2**63,
    -(2**70),
    "1,5",
    "NaN",
]
JSON_RAW = [
    "NaN",
    "Infinity",
    "1e999",
    '"\\ud800"',
    "[" * 500,
    '{"a":' * 500,
    "01",
    "tru",
    '"\x00"',
    "",
    "\ufeff1",
]


def a_book(rng: random.Random) -> tuple[str, bytes]:
    """An Excel file with odd cells, damaged XML, or a damaged archive."""
    more = "".join(a_cell(rng) for _ in range(rng.choice([0, 0, 1, 3, 10])))
    parts = members(sheet(CELLS + more, rng.choice(["A1:C41", "A1:XFD1048576", "x", ""])))
    if rng.random() < 0.4:
        name = rng.choice(list(parts))
        parts[name] = damaged_text(parts[name], rng)
    if rng.random() < 0.15:
        del parts[rng.choice(list(parts))]
    if rng.random() < 0.15:
        parts[rng.choice(["xl/sharedStrings.xml", "xl/styles.xml", "xl/worksheets/sheet2.xml"])] = (
            damaged_text(sheet(CELLS), rng)
        )
    content = zipped(parts, rng)
    return ".xlsx", damaged_archive(content, rng) if rng.random() < 0.3 else content


def a_cell(rng) -> str:
    reference = rng.choice(FAR)
    row = rng.choice(["", f' r="{rng.choice([1, 41, 50, 1048576, 0, "x"])}"'])
    tag = f'<c r="{reference}"' if reference else "<c"
    kind = rng.choice(["", f' t="{rng.choice(TYPES)}"'])
    value = rng.choice(VALUES)
    inside = rng.choice([f"<v>{value}</v>", f"<is><t>{value}</t></is>", "<f>1+1</f>", ""])
    return f"<row{row}>{tag}{kind}>{inside}</c></row>"


def damaged_text(text: str, rng) -> str:
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice([*XML_DAMAGE, ""]) + text[at + rng.choice([0, 0, 1, 5, 50]) :]
    return text


def zipped(parts, rng) -> bytes:
    file = io.BytesIO()
    methods = [zipfile.ZIP_DEFLATED] * 4 + [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), text.encode(errors="replace"), rng.choice(methods))
    return file.getvalue()


def damaged_archive(content: bytes, rng) -> bytes:
    """Bytes of headers and of the directory are overwritten, or the end is cut off."""
    marks = [b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"]
    mark = rng.choice(marks)
    at = content.index(mark) + rng.randrange(46)
    if rng.random() < 0.2:
        return content[:at]
    return content[:at] + rng.choice([b"\xff" * 4, b"\0" * 4, b"XXXX", rng.randbytes(2)]) + content[at + 4 :]


def json_lines(rng) -> tuple[str, bytes]:
    """One object per line, or an array of them, with values of all kinds in one column."""
    names = rng.sample(["a", "b", "", "label", "x.y", "^a$", "é", "\x1b[31m", "a" * 300], 3)
    rows = []
    for i in range(rng.choice([0, 1, 5, 40])):
        row = {name: rng.choice(JSON_VALUES) if rng.random() < 0.2 else i % 3 for name in names} | {
            "label": i % 2
        }
        text = json.dumps(row)
        if rng.random() < 0.02:
            text = text.replace(": 1", f": {rng.choice(JSON_RAW)}", 1)
        rows.append(text if rng.random() < 0.99 else rng.choice(["", "3", "[]", "null", "{", text[:-3]]))
    if rng.random() < 0.4:
        return rng.choice([".json", ".jsonl"]), f"[{rng.choice([',', ', '])}{','.join(rows)}]".encode()
    end = rng.choice(["\n"] * 4 + ["\r\n", "\r"])
    return rng.choice([".jsonl", ".ndjson", ".json"]), (end.join(rows) + end).encode()


def sparse_arff(rng) -> tuple[str, bytes]:
    """Rows of indices and values, some of them outside or twice, and ends of lines within values."""
    n = rng.choice([1, 3, 50])
    kinds = ["numeric", "integer", "string", "{no,yes}", "{'a b',\"c\"}", "date", "date 'yyyy'", "{}", "{"]
    header = "".join(
        f"@attribute {rng.choice(['a', 'b b', 'é'])!r}{j} {rng.choice(kinds[:6])}\n" for j in range(n)
    )
    header = (
        "".join(f"@attribute a{j} {rng.choice(kinds)}\n" for j in range(n)) if rng.random() < 0.5 else header
    )
    rows = []
    for i in range(rng.choice([0, 2, 30])):
        pairs = [
            f"{rng.choice([j, j, n + 1, -1, 10**9])} {rng.choice(['1', 'yes', '?', chr(39), chr(0x2028)])}"
            for j in range(0, n, 7)
        ]
        rows.append(
            "{" + ", ".join(pairs) + (f", {n} {['no', 'yes'][i % 2]}" if rng.random() < 0.9 else "") + "}"
        )
    text = f"@relation t\n{header}@attribute label {{no,yes}}\n@data\n" + "\n".join(rows) + "\n"
    return ".arff", text.encode()
