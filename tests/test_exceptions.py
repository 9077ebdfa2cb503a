"""Errors and warnings carry data: codes, columns, hints; no code parses their text."""

import ast
import pickle
import re
import warnings
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest

import entropick as ep
from entropick.exceptions import (
    DROP_IT,
    Code,
    ColumnWarning,
    CombinationError,
    DataError,
    Hint,
    Message,
    SelectionWarning,
    message_of,
    warn_user,
    with_prefix,
)
from sources import tree_of

ADVICE = Message("Too few rows. Hint: give a number (", Hint("n_features", 10), "), or ", DROP_IT, ".")


def test_messages_are_texts_in_the_words_of_python():
    """Wherever a text is expected they are one, and they keep their hints when they are joined."""
    assert ADVICE == "Too few rows. Hint: give a number (n_features=10), or drop it."
    assert str(DataError(ADVICE)) == ADVICE
    assert Message("On halves: ", ADVICE).parts == ("On halves: ", *ADVICE.parts)
    assert Message.joined(["First.", ADVICE]).parts == ("First.", " ", *ADVICE.parts)
    assert Message.joined(["First.", ADVICE]) == f"First. {ADVICE}"
    assert str(Hint("binning", "quantile")) == "binning='quantile'"


def test_messages_of_any_error():
    """Those of other libraries are their text."""
    assert message_of(CombinationError(ADVICE)).parts == ADVICE.parts
    assert message_of(ValueError("plain", 3)) == "('plain', 3)"
    assert message_of(KeyError()) == ""
    assert message_of("a text").parts == ("a text",)


@pytest.mark.parametrize("code", [*Code, None])
def test_pickles_keep_the_data_of_an_error(code):
    """Errors come from workers of joblib and Dask by way of pickles."""
    error = DataError(ADVICE, code=code, column="age", row=3, value=float("inf"))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        found = pickle.loads(pickle.dumps(error, protocol))
        assert (found.code, found.column, found.row, found.value) == (code, "age", 3, float("inf"))
        assert message_of(found).parts == ADVICE.parts
        assert str(found) == ADVICE


@pytest.mark.parametrize("kind", [CombinationError, SelectionWarning])
def test_pickles_keep_hints(kind):
    """Also those of errors without a code, and of warnings."""
    assert message_of(pickle.loads(pickle.dumps(kind(ADVICE)))).parts == ADVICE.parts


def test_warnings_keep_hints():
    """As the filters of Python hand them on."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_user(ADVICE)
    assert [message_of(warning.message).parts for warning in caught] == [ADVICE.parts]


def test_prefixes_keep_the_data():
    """What a partition or a compared method adds leaves code and hints."""
    error = with_prefix("Partition 2: ", DataError(ADVICE, code=Code.MISSING_VALUE, column="age"), DataError)
    assert str(error) == f"Partition 2: {ADVICE}"
    assert (error.code, error.column) == ("missing_value", "age")
    assert Hint("n_features", 10) in message_of(error).parts


def fit(frame, y, **parameters):
    ep.MIM(**parameters).fit(frame, y)


@pytest.mark.parametrize(
    ("frame", "y", "parameters", "data"),
    [
        ({"a": [1, 2], "b": [3, np.inf]}, [0, 1], {}, (Code.INFINITE_VALUE, "b", 1, np.inf)),
        ({"a": [1, 2]}, [0.5, -np.inf], {}, (Code.INFINITE_VALUE, "y", 1, -np.inf)),
        ({"a": [1, np.nan]}, [0, 1], {"missing": "error"}, (Code.MISSING_VALUE, "a", None, None)),
        ({"a": [1, 2]}, [1, np.nan], {}, (Code.MISSING_VALUE, "y", 1, None)),
        ({"a": [1, 2]}, [0, 1], {"fixed_features": ["z"]}, (Code.UNKNOWN_COLUMN, "z", None, None)),
        ({"a": [1, 2]}, [0, 1], {"fixed_features": [7]}, (Code.UNKNOWN_COLUMN, 7, None, None)),
    ],
)
@pytest.mark.parametrize("in_a_worker", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_errors_of_a_fit_say_what_and_where(frame, y, parameters, data, in_a_worker):
    """In this process and in another."""
    run = joblib.Parallel(2 if in_a_worker else 1)
    with pytest.raises(DataError) as caught:
        run([joblib.delayed(fit)(pd.DataFrame(frame), y, **parameters)])
    error = caught.value
    assert (error.code, error.column, error.row, error.value) == data


PACKAGE = Path(ep.__file__).parent
SEARCHING_FILES = {
    "files/system.py",  # reads what the system and other libraries say in words alone
    "_base/wording.py",  # shortens them
    "comparison/run.py",  # says once what differs in numbers alone, whatever the words
}
READERS = {"str", "repr", "message_of", "first_line"}  # functions that give the text of an error
SEARCHES = {"startswith", "endswith", "find", "rfind", "index", "count", "partition", "removeprefix"}


def names_of_errors(tree):
    """What `except ... as error` names, and arguments whose type is an error or a warning."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        elif isinstance(node, ast.arg) and re.search(
            "Error|Exception|Warn", ast.unparse(node.annotation or node)
        ):
            yield node.arg


def reads_error(node, errors, texts):
    """Whether an expression takes the text of an error, or a variable that has one."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and ast.unparse(part.func) in READERS and part.args:
            about = ast.unparse(part.args[0])
            if about in errors or about.endswith(".message"):
                return True
        elif (
            isinstance(part, ast.Attribute) and part.attr == "args" and ast.unparse(part.value) in errors
        ) or (isinstance(part, ast.Name) and part.id in texts):
            return True
    return False


def searched_texts(tree):
    """Where code depends on the words of an error or a warning."""
    errors, texts = set(names_of_errors(tree)), set()
    for node in ast.walk(tree):
        value = getattr(node, "iter", getattr(node, "value", None))
        if isinstance(node, ast.Assign | ast.For | ast.comprehension) and reads_error(value, errors, texts):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            texts |= {target.id for target in targets if isinstance(target, ast.Name)}
    for node in ast.walk(tree):
        searched = []
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.Is | ast.IsNot):
            searched = [node]
        elif isinstance(node, ast.Match):
            searched = [node.subject]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            searched = [node.func.value] if node.func.attr in SEARCHES else []
            searched += node.args if ast.unparse(node.func.value) == "re" else []
        if any(reads_error(one, errors, texts) for one in searched):
            yield ast.unparse(node)


@pytest.mark.xdist_group("sources")
def test_no_text_of_an_error_is_searched():
    """A word that changes in a message must change nothing else."""
    found = {
        str(path.relative_to(PACKAGE)): texts
        for path in PACKAGE.rglob("*.py")
        if (texts := list(searched_texts(tree_of(path))))
    }
    assert set(found) == SEARCHING_FILES, found


@pytest.mark.parametrize(
    "code",
    [
        "'utf-8' in str(error).lower()",
        "str(error).startswith('No')",
        "re.search('x', str(error))",
        "error.args[0] == 'x'",
        "text = str(error).strip()\n    'x' in text",
        "[text for text in map(str, w) if str(w.message).startswith('x')]",
    ],
)
def test_searched_texts_are_found(code):
    """In the ways there are."""
    tree = ast.parse(f"try:\n    run()\nexcept ValueError as error:\n    {code}")
    assert list(searched_texts(tree))


def test_a_warning_names_the_line_of_the_caller():
    X = pd.DataFrame({"row_id": np.arange(60), "a": np.arange(60) % 3, "b": np.arange(60) % 2})
    with pytest.warns(ColumnWarning) as caught:
        ep.JMI(1).fit(X, X["a"] > 0)
    assert {Path(warning.filename) for warning in caught} == {Path(__file__)}
