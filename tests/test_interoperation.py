"""Recipes with other libraries; each is skipped, with a message, where its library is absent (`make interop`)."""

import json

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import entropick as ep

X, Y = load_breast_cancer(return_X_y=True)
NAMES = [name.replace(" ", "_") for name in load_breast_cancer().feature_names]
PICKS = ep.CMIM(4).fit(X, Y).order_
PICKED = [NAMES[j] for j in PICKS]


def library(name, package=None):
    """A library, or the test is skipped and says what to install."""
    return pytest.importorskip(name, reason=f"{package or name} is not installed: make interop")


@pytest.fixture
def frame():
    return library("pandas").DataFrame(X, columns=NAMES)


def assert_same_picks(table, y=Y):
    assert ep.CMIM(4).fit(table, y).selection_.selected_names == PICKED


def test_nullable_types_of_pandas(frame):
    """Nullable columns, missing values included, select as plain ones do."""
    assert_same_picks(frame.convert_dtypes())
    gaps = frame.astype("Float64")
    gaps.iloc[::7, 0] = library("pandas").NA
    plain = gaps.astype("float64")
    assert ep.CMIM(4).fit(gaps, Y).scores_.tobytes() == ep.CMIM(4).fit(plain, Y).scores_.tobytes()


def test_arrow_types_of_pandas(frame):
    """Columns that Arrow holds select as those of numpy do."""
    library("pyarrow")
    assert_same_picks(frame.astype("double[pyarrow]"))


def test_polars(frame):
    """Frames and lazy frames; `transform` gives polars back."""
    pl = library("polars")
    table = pl.DataFrame({name: frame[name].to_numpy() for name in NAMES})
    assert_same_picks(table)
    assert_same_picks(table.lazy())
    selector = ep.CMIM(4).set_output(transform="polars").fit(table, Y)
    assert sorted(selector.transform(table).columns) == sorted(PICKED)


def test_pyarrow_dataset(frame, tmp_path):
    """A dataset of several files is scanned by polars, so that it is never in memory as a whole."""
    pa, dataset, pl = library("pyarrow"), library("pyarrow.dataset", "pyarrow"), library("polars")
    table = pa.table({**{name: frame[name].to_numpy() for name in NAMES}, "y": Y})
    dataset.write_dataset(table, tmp_path, format="parquet", max_rows_per_file=200, max_rows_per_group=200)
    files = dataset.dataset(tmp_path)
    assert len(files.files) == 3
    assert_same_picks(files.to_table().drop_columns("y"), files.to_table()["y"].to_numpy())
    lazy = pl.scan_pyarrow_dataset(files)
    assert_same_picks(lazy.drop("y"), lazy.select("y").collect()["y"])


def test_column_transformer(frame):
    """Select among numbers only, and encode the rest; names are carried through."""
    pd = library("pandas")
    table = frame.assign(site=pd.Series(np.where(X[:, 0] > 14, "a", "b")))
    parts = [("numbers", ep.CMIM(4), NAMES), ("site", OneHotEncoder(sparse_output=False), ["site"])]
    both = ColumnTransformer(parts, verbose_feature_names_out=False).set_output(transform="pandas")
    assert sorted(both.fit_transform(table, Y).columns) == sorted([*PICKED, "site_a", "site_b"])


def test_metadata_routing():
    """Weights of rows reach the selector inside a pipeline, and rows of weight 0 have no say."""
    import sklearn

    weights = np.arange(len(Y)) % 2
    with sklearn.config_context(enable_metadata_routing=True):
        select = ep.CMIM(4).set_fit_request(sample_weight=True)
        model = LogisticRegression().set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        pipeline = Pipeline([("scale", StandardScaler().set_fit_request(sample_weight=False)),
                             ("select", select), ("model", model)])  # fmt: skip
        pipeline.fit(X, Y, sample_weight=weights)
        result = cross_validate(pipeline, X, Y, params={"sample_weight": np.ones(len(Y))}, cv=3)
    half = weights == 1
    scaled = pipeline["scale"].transform(X)
    assert list(pipeline["select"].order_) == list(ep.CMIM(4).fit(scaled[half], Y[half]).order_)
    assert result["test_score"].min() > 0.9


def test_skops(frame):
    """A fitted pipeline survives a file that holds no code; only types of this library need trust."""
    skops = library("skops.io", "skops")
    model = make_pipeline(ep.CMIM(4), StandardScaler(), LogisticRegression()).fit(frame, Y)
    stored = skops.dumps(model)
    unknown = skops.get_untrusted_types(data=stored)
    assert all(name.startswith(("entropick.", "numpy.")) for name in unknown), unknown
    again = skops.loads(stored, trusted=unknown)
    assert (again.predict(frame) == model.predict(frame)).all()
    assert (again[0].order_ == PICKS).all()


def test_onnx():
    """The model behind the selector is exported; the selection is the list of its inputs."""
    convert = library("skl2onnx")
    runtime = library("onnxruntime")
    selector = ep.CMIM(4).fit(X, Y)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(selector.transform(X), Y)
    exported = convert.to_onnx(model, selector.transform(X[:1]).astype(np.float32), target_opset=17)
    session = runtime.InferenceSession(exported.SerializeToString(), providers=["CPUExecutionProvider"])
    inputs = X[:, selector.get_support(indices=True)].astype(np.float32)
    predicted = session.run(None, {session.get_inputs()[0].name: inputs})[0]
    assert (predicted == model.predict(selector.transform(X))).mean() > 0.99


def test_imbalanced_learn():
    """Resampling before the selection, inside the folds."""
    pipeline = library("imblearn.pipeline", "imbalanced-learn")
    sampling = library("imblearn.under_sampling", "imbalanced-learn")
    rare = np.r_[np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)[:40]]
    steps = [sampling.RandomUnderSampler(random_state=0), ep.CMIM(4), StandardScaler(), LogisticRegression()]
    model = pipeline.make_pipeline(*steps)
    scores = cross_validate(model, X[rare], Y[rare], scoring="balanced_accuracy", cv=3)["test_score"]
    assert scores.min() > 0.8


def test_anndata():
    """The matrix of an AnnData, dense or sparse; the result is a subset of its variables."""
    anndata, pd = library("anndata"), library("pandas")
    from scipy import sparse

    state = pd.DataFrame({"state": Y.astype(str)}, index=[f"cell {i}" for i in range(len(Y))])
    cells = anndata.AnnData(X, obs=state, var=pd.DataFrame(index=NAMES))
    selector = ep.CMIM(4).fit(cells.X, cells.obs["state"])
    cells.var["selected"] = selector.support_
    assert list(cells[:, cells.var["selected"]].var_names) == sorted(PICKED, key=NAMES.index)
    cells.X = sparse.csr_array(X)
    assert (ep.CMIM(4).fit(cells.X, cells.obs["state"]).order_ == PICKS).all()


def test_scanpy():
    """Genes that tell groups apart, after the usual preparation."""
    scanpy, anndata = library("scanpy"), library("anndata")
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1], 60)
    counts = rng.poisson(2, (120, 300)).astype(np.float32)
    counts[:, :5] += 6 * groups[:, None]
    counts[:, 5] = 0
    cells = anndata.AnnData(counts)
    scanpy.pp.filter_genes(cells, min_cells=3)
    scanpy.pp.normalize_total(cells)
    scanpy.pp.log1p(cells)
    found = ep.MIM(5, n_bins=3).fit(cells.X, groups)
    assert cells.n_vars == 299
    assert set(cells.var_names[found.order_]) == {"0", "1", "2", "3", "4"}


def test_mlflow(tmp_path, frame, monkeypatch):
    """A report and the record of a selection are logged beside the parameters."""
    mlflow = library("mlflow", "mlflow-skinny")
    library("jinja2")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    mlflow.set_experiment("selection")
    selector = ep.CMIM(4).fit(frame, Y)
    with mlflow.start_run() as run:
        mlflow.log_params({name: value for name, value in selector.get_params().items() if value is not None})
        mlflow.log_metric("n_features", selector.n_features_)
        mlflow.log_text(selector.selection_.to_html(), "report.html")
        mlflow.log_text(json.dumps(selector.selection_.to_dict()), "selection.json")
    artifacts = mlflow.artifacts.list_artifacts(run_id=run.info.run_id)
    assert sorted(artifact.path for artifact in artifacts) == ["report.html", "selection.json"]
    stored = mlflow.artifacts.load_text(run.info.artifact_uri + "/selection.json")
    assert [step["names"][0] for step in json.loads(stored)["steps"]] == PICKED
