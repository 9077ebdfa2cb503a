"""What a fit of a small table costs: `JMI` on iris (150 x 4), alone and 200 times in a grid search.

    python -m benchmarks.small
    PYTHONPATH=../before/src python -m benchmarks.small

Processor milliseconds of a fit in one thread, the best of 100, and seconds of the search.
"""

from time import process_time

from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import entropick as ep
from benchmarks.timing import time_call


def main() -> None:
    X, y = load_iris(return_X_y=True)
    selector = ep.JMI(n_features=2, n_jobs=1)
    alone = time_call(lambda: selector.fit(X, y), 100, process_time)[0].best
    grid = {"jmi__n_features": [1, 2, 3, 4], "jmi__n_bins": [3, 4, 5, 6, 8]}
    search = GridSearchCV(make_pipeline(selector, GaussianNB()), grid, cv=10, refit=False)
    searched = time_call(lambda: search.fit(X, y), 2, process_time)[0].best
    print(f"{1e3 * alone:.2f} ms a fit, {searched:.2f} s a search of 200 fits")


if __name__ == "__main__":
    main()
