"""Excel files built by hand, member by member, for tests and for the campaign."""

import io
import zipfile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
XML = '<?xml version="1.0" encoding="UTF-8"?>'
CELLS = "".join(
    f'<row r="{row}">'
    + "".join(
        f'<c r="{column}{row}" t="inlineStr"><is><t>{name}</t></is></c>' if row == 1
        else f'<c r="{column}{row}"><v>{row % 3 + (column == "A") * row / 7:.3f}</v></c>' if column != "C"
        else f'<c r="{column}{row}"><v>{row % 2}</v></c>'
        for column, name in zip("ABC", ("size", "site", "label"), strict=True)
    )
    + "</row>"
    for row in range(1, 41)
)  # fmt: skip


def sheet(cells: str, dimension: str = "A1:C41") -> str:
    return f'{XML}<worksheet xmlns="{MAIN}"><dimension ref="{dimension}"/><sheetData>{cells}</sheetData></worksheet>'


def members(first_sheet: str) -> dict[str, str]:
    """All that an Excel file needs."""
    return {
        "[Content_Types].xml": f'{XML}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
        '"application/xml"/></Types>',
        "_rels/.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type='
        f'"{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{XML}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" sheetId="1" '
        'r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": first_sheet,
    }


def packed(contents: dict) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def workbook(more_cells: str = "") -> bytes:
    return packed(members(sheet(CELLS + more_cells)))
