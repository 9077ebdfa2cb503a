"""Tables of levels, for tests of the encoding."""

import pytest

from entropick import table as tables

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


class Encoded:
    """Codes, and how they came about."""

    def __init__(self, codes, encoding):
        self.codes, self.encodings = codes, encoding.columns

    def __getattr__(self, name):
        return getattr(self.codes, name)

    def __iter__(self):
        return iter(self.codes)


def encode(X, target=None, **options):
    return Encoded(*tables.encode(X, target, **options))
