"""Locate an infinite value: the line of a text file, or the row of another file."""

from entropick._base.wording import quoted
from entropick.cli.prepare import Prepared
from entropick.exceptions import Code, DataError
from entropick.files.frames import column, gaps_as_nulls, take


def infinite_value(prepared: Prepared) -> DataError | None:
    """An error about the first infinite value among the rows with a target; None if there is none.

    The library sees only the rows with a target, so it does not know the line in the file.
    """
    schema = prepared.frame.collect_schema()
    has_target = column(gaps_as_nulls(take(prepared.frame, [prepared.target])), prepared.target).is_not_null()
    for name in [prepared.target, *prepared.names]:
        if schema[name].is_float():
            values = column(prepared.frame, name)
            rows = (values.is_infinite() & has_target).arg_true()
            if len(rows):
                return _error(prepared, name, int(rows[0]), float(values[int(rows[0])]))
    return None


def _error(prepared: Prepared, name: str, row: int, value: float) -> DataError:
    if name == prepared.target:
        what, rest, as_missing = "The target", "", "leaves its row out"
    else:
        what, rest, as_missing = "Column", "; values must be finite or missing", "makes it a missing value"
    line = _line(prepared, row, value)
    if line is None:
        where, way_out = f"row {row + 1}, the first being 1", "make it a missing value"
    else:
        where, way_out = f"line {line[0]} of the file", f"--missing-values={line[1]} {as_missing}"
    return DataError(
        f"{what} {quoted(name)} holds an infinite value ({where}: {value}){rest}. Hint: clip it, or "
        f"{way_out}.",
        code=Code.INFINITE_VALUE,
        column=name,
        row=row,
        value=value,
    )


def _line(prepared: Prepared, row: int, value: float) -> tuple[int, str] | None:
    """The line of a row and the text of its infinite value; None if unknown."""
    found = prepared.loaded.row_in_file and prepared.loaded.row_in_file(row)
    if found is None:
        return None
    texts = [text for text in found[1] if _is_number(text, value)]
    return (found[0], texts[0]) if texts else None


def _is_number(text: str, value: float) -> bool:
    try:
        return float(text) == value
    except ValueError:
        return False
