"""Data of the experiments: from a folder, from OpenML, with noise added."""

import gzip
import io
import re
import urllib.error
from importlib import resources

import numpy as np
import pytest

from reproduction import data as data_module
from reproduction.data import Data, with_attribute_noise


def test_data_from_a_folder(tmp_path):
    """Dense and sparse files; rows may be taken, further arrays go with them."""
    X = np.arange(12).reshape(4, 3).astype(np.uint8)
    np.savez(tmp_path / "dense.npz", X=X, y=np.array([0, 1, 0, 1]), split=np.array(list("aabb")))
    np.savez(
        tmp_path / "sparse.npz",
        data=[5, 7],
        indices=[0, 2],
        indptr=[0, 1, 2],
        shape=[2, 3],
        y=np.array([0, 1]),
    )
    found = Data(str(tmp_path), openml=False)
    dense = found.load("dense").rows(np.array([2, 0]))
    assert dense.X.tolist() == [[6, 7, 8], [0, 1, 2]]
    assert dense.extra["split"].tolist() == ["b", "a"]
    assert found.load("sparse").X.toarray().tolist() == [[5, 0, 0], [0, 0, 7]]
    assert "no file absent.npz" in found.missing("absent")
    np.savez(tmp_path / "headless.npz", X=X)
    assert "has no array 'y'" in found.missing("headless")
    (tmp_path / "broken.npz").write_bytes(b"PK nothing")
    assert "cannot be read" in found.missing("broken")


class RecordedOpenML:
    """Answers of OpenML, as scikit-learn recorded them for its own tests."""

    def __init__(self, number):
        self.asked = []
        try:
            self._folder = resources.files(f"sklearn.datasets.tests.data.openml.id_{number}")
        except ModuleNotFoundError:
            pytest.skip("This scikit-learn comes without the recorded answers of OpenML.")

    def __call__(self, request, *_, **__):
        url = getattr(request, "full_url", request)
        self.asked.append(url)
        path = re.sub(r"^https://[a-z.]*openml.org/", "", url)
        path = re.sub(r"^(data/v1/download/\d+)/.*", r"\1", path)  # the name of the file may follow
        name = re.sub(r"\W", "-", path)
        for long, short in {"json-data-list": "jdl", "json-data-features": "jdf", "json-data-qualities": "jdq",
                            "json-data": "jd", "data_name": "dn", "download": "dl", "limit": "l",
                            "data_version": "dv"}.items():  # fmt: skip
            name = name.replace(long, short)
        suffix = ".arff.gz" if path.startswith("data/") else ".json.gz"
        try:
            content = gzip.decompress((self._folder / (name + suffix)).read_bytes())
        except FileNotFoundError:
            raise urllib.error.HTTPError(url, 404, "not recorded", None, None) from None
        return _Answer(content)


class _Answer(io.BytesIO):
    def info(self):
        return {}


def test_data_from_openml(tmp_path, monkeypatch):
    """Columns, classes and codes of categories as they come from there; the second time from the cache."""
    recorded = RecordedOpenML(2)
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", recorded)
    monkeypatch.setitem(data_module.OPENML, "anneal", "anneal")
    found = Data(None, cache=str(tmp_path)).load("anneal")
    assert found.X.shape == (11, 38)
    assert found.categorical.sum() == 32
    assert sorted(set(found.y.tolist())) == list(range(len(set(found.y.tolist()))))
    n_asked = len(recorded.asked)
    assert n_asked >= 4
    data_module._load.cache_clear()
    again = Data(None, cache=str(tmp_path)).load("anneal")
    np.testing.assert_array_equal(again.X, found.X)
    assert len(recorded.asked) == n_asked


def test_openml_that_does_not_answer(tmp_path, monkeypatch):
    """Told as a missing data set, with the reason."""

    def refuse(*_, **__):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", refuse)
    why = Data(None, cache=str(tmp_path)).missing("splice")
    assert "OpenML does not answer" in why
    assert "no network" in why


def test_attribute_noise():
    """A fifth of each column changes, within its range; the same seed gives the same."""
    X = np.linspace(0, 1, 500)[:, np.newaxis] * [1.0, -3.0]
    noisy = with_attribute_noise(X, 0.2, seed=3)
    assert ((noisy != X).sum(axis=0) == 100).all()
    assert (noisy.min(axis=0) >= X.min(axis=0)).all()
    assert (noisy.max(axis=0) <= X.max(axis=0)).all()
    np.testing.assert_array_equal(noisy, with_attribute_noise(X, 0.2, seed=3))
