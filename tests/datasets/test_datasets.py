"""The generated data sets are what the papers describe."""

import gzip

import numpy as np
import pytest

from entropick import datasets


def test_corral():
    """128 rows; y from A and B; C wrong in one of four rows; a seed only shuffles."""
    X, y = datasets.make_corral()
    assert X.shape == (128, 6)
    assert np.array_equal(y, (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3]))
    assert (X[:, 5] != y).sum() == 32
    shuffled, y2 = datasets.make_corral(random_state=0)
    assert not np.array_equal(shuffled, X)
    both = [np.column_stack(pair) for pair in ((X, y), (shuffled, y2))]
    assert np.array_equal(*(rows[np.lexsort(rows.T)] for rows in both))


def test_hyperspheres():
    """About one row in five inside; the class follows from seven columns."""
    X, y = datasets.make_hyperspheres(random_state=0)
    assert X.shape == (5000, 100)
    assert 950 < y.sum() < 1150
    again, y2 = datasets.make_hyperspheres(random_state=0)
    assert np.array_equal(X, again)
    assert np.array_equal(y, y2)
    point = np.full((1, 100), 10.0)
    point[0, [9, 43, 52]] = 8, -3, 5  # the centre of the small ball
    assert ((point[:, 9] - 8) ** 2 + (point[:, 43] + 3) ** 2 + (point[:, 52] - 5) ** 2 <= 25).all()
    with pytest.raises(ValueError, match="at least 87"):
        datasets.make_hyperspheres(n_features=50)


def test_led24():
    """Without noise the seven segments determine the digit, and only they."""
    X, y = datasets.make_led24(noise=0.0, random_state=0)
    assert X.shape == (1000, 24)
    assert len(np.unique(np.column_stack([X[:, :7], y]), axis=0)) == 10
    assert len(np.unique(X[:, :7], axis=0)) == 10
    noisy, labels = datasets.make_led24(n_samples=20_000, random_state=0)
    clean = {digit: X[y == digit][0, :7] for digit in range(10)}
    flips = noisy[:, :7] != np.array([clean[digit] for digit in labels])
    assert abs(flips.mean() - 0.1) < 0.01


def test_madelon():
    """No single column tells y, the five informative ones together nearly determine it."""
    from sklearn.neighbors import KNeighborsClassifier

    X, y = datasets.make_madelon(random_state=0)
    assert X.shape == (2000, 500)
    assert abs(y.mean() - 0.5) < 0.05
    model = KNeighborsClassifier(5)
    assert model.fit(X[:1500, :5], y[:1500]).score(X[1500:, :5], y[1500:]) > 0.85
    assert model.fit(X[:1500, 20:], y[:1500]).score(X[1500:, 20:], y[1500:]) < 0.6
    assert np.linalg.matrix_rank(X[:, :20]) == 5


def test_bayes_table_1():
    """y is the parity of X1..X3 and X4 and X5, on training and test rows."""
    for subset, rows in (("train", 8), ("test", 5)):
        X, y = datasets.make_bayes_table1(subset)
        assert X.shape == (rows, 6)
        assert np.array_equal(y, X[:, 1:4].sum(axis=1) % 2)
        assert np.array_equal(y, X[:, 4] & X[:, 5])
    with pytest.raises(ValueError, match="'train' or 'test'"):
        datasets.make_bayes_table1("all")


def test_nefs_figure_1():
    """Uniform points; class 1 in a corner, or at random."""
    X, y = datasets.make_nefs_figure1(random_state=0)
    assert np.array_equal(y, (X[:, 0] > 0.5) & (X[:, 1] > 0.5))
    _, random = datasets.make_nefs_figure1("random", random_state=0)
    assert random.sum() == 50
    with pytest.raises(ValueError, match="'corner' or 'random'"):
        datasets.make_nefs_figure1("rings")


@pytest.fixture
def mnist(tmp_path):
    """200 noisy images in the format of MNIST; 4 and 9 differ in some pixels, parity in others."""
    rng = np.random.default_rng(0)
    labels = np.tile(np.arange(10, dtype=np.uint8), 20)
    images = rng.integers(0, 100, size=(200, 28, 28), dtype=np.uint8)
    images[labels == 9, 5, 10:14] = 255
    images[labels % 2 == 1, 20, :5] = 255
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(bytes(8) + labels[:150].tobytes())
    (tmp_path / "train-images-idx3-ubyte").write_bytes(bytes(16) + images[:150].tobytes())
    (tmp_path / "t10k-labels-idx1-ubyte.gz").write_bytes(gzip.compress(bytes(8) + labels[150:].tobytes()))
    (tmp_path / "t10k-images-idx3-ubyte.gz").write_bytes(gzip.compress(bytes(16) + images[150:].tobytes()))
    return tmp_path


def test_gisette(mnist):
    """Pixels and products of them tell a 4 from a 9; probes have the same values and tell nothing."""
    X, y = datasets.make_gisette(mnist, n_samples=40, n_features=700, random_state=0)
    assert (X.shape, y.tolist().count(1), X.min(), X.max()) == ((40, 700), 20, 0, 999)
    assert (X.sum(axis=0)[:350].sum(), X[:, :350].max()) == (X.sum(axis=0)[350:].sum(), 999)
    apart = [abs(np.corrcoef(column, y)[0, 1]) for column in X.T]
    assert max(apart[:350]) > 0.95 > 0.8 > max(apart[350:])
    with pytest.raises(ValueError, match="n_samples is too large"):
        datasets.make_gisette(mnist, n_samples=42)


def test_gina(mnist):
    """The pixels of the units tell whether a number is odd, those of the tens do not."""
    X, y = datasets.make_gina(mnist, n_samples=100, random_state=0)
    assert X.shape == (100, 2 * 784)
    apart = [abs(np.corrcoef(column, y)[0, 1]) for column in X.T]
    assert max(apart[784:]) > 0.95 > 0.8 > max(apart[:784])


def test_images_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="No file train-labels-idx1-ubyte"):
        datasets.make_gina(tmp_path)
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(bytes(9))
    with pytest.raises(FileNotFoundError, match="No file train-images-idx3-ubyte"):
        datasets.make_gina(tmp_path)
