"""Names, numbers and lists as people write them."""

import pytest

from entropick._base.wording import counted, did_you_mean, first_line, listed


def test_counted():
    """One thing has no plural."""
    assert [counted(n, "row") for n in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
    assert counted(2, "class", "classes") == "2 classes"


def test_listed():
    """There are dots only if something was left out."""
    assert listed([]) == ""
    assert listed("abc") == "a, b, c"
    assert listed("abcd") == "a, b, c, ..."
    assert listed(iter(range(9)), 2) == "0, 1, ..."


def test_did_you_mean():
    """The nearest names as they are written, whatever their case."""
    assert did_you_mean("lable", ["Label", "size"], "no") == "did you mean 'Label'?"
    assert did_you_mean("JMI", ["jmi", "jmim", "icap"], "no") == "did you mean 'jmi' or 'jmim'?"
    assert did_you_mean("jim", ["jmim", "njmim", "mim", "jmi"], "no").startswith("did you mean 'jmi' or")
    assert did_you_mean("qqq", ["label", "size"], "no") == "no"


@pytest.mark.parametrize(
    ("text", "line"), [("Bad.\nMore", "Bad"), ("  bad:\n", "bad"), ("", ""), ("a. b", "a. b")]
)
def test_first_line(text, line):
    """The first line without its final full stop, so that a sentence can continue."""
    assert first_line(ValueError(text)) == line
