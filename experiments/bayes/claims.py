"""What the Bayesian-entropy paper says of its experiments, and the verdicts."""

from collections.abc import Sequence

import numpy as np

from experiments.bayes.analysis import EIGHT, Tables, significance
from experiments.bayes.classifiers import CLASSIFIERS
from experiments.bayes.protocol import ALPHAS, DATASETS, DOMAINS, EVALUATIONS_PER_COLUMN, WRAPPERS
from experiments.bayes.published import SECONDS, T_TESTS, TABLES
from experiments.protocol import FAILS, HOLDS, UNCHECKED, Claim, Results, mean_and_error

NEAR_COLUMNS, NEAR_SHARE = 1.0, 0.25  # numbers of columns are the same within one column or a quarter,
NEAR_ROWS = 0.75  # and a table is the same where three quarters of its rows are
ALIKE_ALPHAS = 5.0  # points of accuracy between the best and the worst alpha
N_COLUMNS = {
    "Lung": 56,
    "Lymph": 18,
    "Spect": 22,
    "Iono.": 34,
    "Led.": 24,
    "Chess": 36,
    "Splice": 60,
    "Mush.": 22,
}


def claims(results: Results) -> Sequence[Claim]:
    """All claims, whatever part of the cells is there."""
    tables = Tables(results)
    found = [_fewer_columns(tables), _lung_columns(tables)]
    found += [_sizes(tables, domain) for domain in DOMAINS]
    found += [_accuracies(tables, domain) for domain in DOMAINS]
    found += [_t_tests(tables, domain, name) for domain in DOMAINS for name in CLASSIFIERS]
    found += [_best_for_1nn(tables), _led(tables), _ionosphere(tables), _alpha_matters_little(tables)]
    found += [_dependent_better(tables), _lung_independent(tables)]
    found += [_faster_than_the_paper(tables), _time_and_alpha(tables), _faster_than_others(tables)]
    return found


def _claim(where: str, text: str, paper: str, ours: str, holds: bool, why: str) -> Claim:
    return Claim(where, text, paper, ours, HOLDS if holds else FAILS, why)


def _unchecked(tables: Tables, where: str, text: str, paper: str, labels: Sequence[str] = ()) -> Claim:
    """A claim for which cells are missing, with the reason where a data set is."""
    wanted = labels or EIGHT
    files = {label: file for file, label in DATASETS.items()}
    reasons = [tables.results.missing[files[x]] for x in wanted if files[x] in tables.results.missing]
    return Claim(where, text, paper, "-", UNCHECKED, " ".join(reasons) or "The cells it needs were not run.")


def _runs(tables: Tables) -> str:
    n_splits = [len(tables.splits(label)) for label in tables.eight]
    n_seeds = [len(tables.seeds(label)) for label in tables.eight]
    return (
        f"{_span(n_splits)} splits and {_span(n_seeds)} searches on the first split (the paper: 30 searches)"
    )


def _span(numbers: Sequence[int]) -> str:
    return f"{min(numbers)}" if min(numbers) == max(numbers) else f"{min(numbers)} to {max(numbers)}"


# -- numbers of columns ----------------------------------------------------------------------


def _fewer_columns(tables: Tables) -> Claim:
    where, text = (
        "Section 5.2",
        "The number of columns is considerably smaller on all data sets (dependent domain).",
    )
    paper = "all 8 data sets"
    if not tables.eight:
        return _unchecked(tables, where, text, paper)
    shares = {label: _mean_size(tables, label) / N_COLUMNS[label] for label in tables.eight}
    smaller = [label for label, share in shares.items() if share < 0.75]
    ours = f"{len(smaller)} of {len(shares)} data sets; share of columns kept: " + ", ".join(
        f"{label} {share:.0%}" for label, share in shares.items()
    )
    why = (
        "Rule: less than three quarters of the columns everywhere, on average over alpha, classifiers, runs."
    )
    return _claim(where, text, paper, ours, len(smaller) == len(shares), why)


def _mean_size(tables: Tables, label: str) -> float:
    return float(
        np.mean([np.mean(tables.sizes[label, "dependent", a, c]) for a in ALPHAS for c in CLASSIFIERS])
    )


def _lung_columns(tables: Tables) -> Claim:
    where, text = "Section 5.2", "On Lung less than 10 % of the 56 columns are selected on average."
    paper = "4.1 columns (dependent domain, mean of Table 3)"
    if "Lung" not in tables.labels:
        return _unchecked(tables, where, text, paper, ["Lung"])
    sizes = [n for a in ALPHAS for c in CLASSIFIERS for n in tables.sizes["Lung", "dependent", a, c]]
    ours = f"{np.mean(sizes):.1f} columns, between {min(sizes)} and {max(sizes)}"
    return _claim(where, text, paper, ours, float(np.mean(sizes)) < 5.6, "Rule: mean below 5.6 columns.")


def _sizes(tables: Tables, domain: str) -> Claim:
    number = {"dependent": "Table 3", "independent": "Table 4"}[domain]
    text = f"Numbers of columns 1-NN takes, {domain} domain."
    alphas = ALPHAS if domain == "dependent" else ALPHAS[1:]
    rows = [(label, a) for label in tables.eight for a in alphas]
    paper = f"{len(EIGHT) * len(alphas)} means of 30 runs"
    if not rows:
        return _unchecked(tables, number, text, paper)
    pairs = {
        (label, a): (
            float(np.mean(tables.sizes[label, domain, a, "1-NN"])),
            TABLES[domain][label, str(a), "1-NN"][1],
        )
        for label, a in rows
    }
    far = [
        row
        for row, (ours, theirs) in pairs.items()
        if abs(ours - theirs) > max(NEAR_COLUMNS, NEAR_SHARE * theirs)
    ]
    n_near = len(rows) - len(far)
    mean = np.mean([abs(ours - theirs) for ours, theirs in pairs.values()])
    ours = f"{n_near} of {len(rows)} rows the same, mean difference {mean:.1f} columns"
    smaller = sum(pairs[row][0] < pairs[row][1] for row in far)
    why = (
        f"Rule: the same within one column or a quarter, in three quarters of the rows. Of the {len(far)} "
        f"other rows {smaller} have fewer columns here ({_names(far)}): of the subsets with the best "
        "training accuracy the smallest is taken, and the paper does not say which it takes."
    )
    return _claim(number, text, paper, ours, n_near >= NEAR_ROWS * len(rows), why)


def _names(rows: Sequence[tuple[str, float]]) -> str:
    names = list(dict.fromkeys(label for label, _ in rows))
    return ", ".join(names) if names else "none"


# -- accuracies ------------------------------------------------------------------------------


def _accuracies(tables: Tables, domain: str) -> Claim:
    number = {"dependent": "Table 3", "independent": "Table 4"}[domain]
    text = f"Accuracies, {domain} domain."
    alphas = ALPHAS if domain == "dependent" else ALPHAS[1:]
    rows = [(label, a, c) for label in tables.eight for a in alphas for c in CLASSIFIERS]
    paper = f"{len(EIGHT) * len(alphas) * len(CLASSIFIERS)} means, one split"
    if not rows:
        return _unchecked(tables, number, text, paper)
    differences = {
        (label, a, c): float(np.mean(tables.accuracies[label, domain, a, c]))
        - TABLES[domain][label, str(a), c][0]
        for label, a, c in rows
    }
    by_set = {
        label: np.mean([abs(d) for row, d in differences.items() if row[0] == label])
        for label in tables.eight
    }
    near = [label for label, difference in by_set.items() if difference <= 5]
    ours = "mean difference in points: " + ", ".join(f"{label} {d:.1f}" for label, d in by_set.items())
    why = (
        "Rule: within 5 points on average, on six of eight data sets. The paper has one split that is not "
        "known. On Lung a test row is 9 points, and its 11 test rows decide everything; on Spect the "
        "accuracies of the paper are all below the share of the larger class in the whole table (79 %), so "
        "its test rows were not like the others, while accuracies here are means over several splits. That "
        "the same fronts give the same accuracies elsewhere (Chess, Mush., Iono.) speaks against a mistake "
        "here."
    )
    return _claim(number, text, paper, ours, len(near) >= 0.75 * len(by_set), why)


def _t_tests(tables: Tables, domain: str, classifier: str) -> Claim:
    number = {"dependent": "Table 3", "independent": "Table 4"}[domain]
    better, worse = T_TESTS[domain][classifier]
    text = (
        f"{classifier}: selected columns against all of them, {domain} domain, t-test at 0.05 on 8 data sets."
    )
    paper = f"better on {better}, worse on {worse}"
    if not any(len(tables.splits(label)) > 1 for label in tables.eight):
        return _unchecked(tables, number, text, paper)
    theirs = [significance(tables.gains_their_way(label, domain, classifier)) for label in tables.eight]
    own = [significance(tables.gains_own_way(label, domain, classifier)) for label in tables.eight]
    means = [float(np.mean(tables.gains_own_way(label, domain, classifier))) for label in tables.eight]
    ours = (
        f"better on {own.count(1)}, worse on {own.count(-1)}; the paper's way: better on {theirs.count(1)}, "
        f"worse on {theirs.count(-1)}; mean gain {mean_and_error(means, 1)} points"
    )
    holds = bool(np.sign(sum(own)) == np.sign(better - worse))
    return _claim(number, text, paper, ours, holds, _why_t_test(tables, holds, own, theirs))


def _why_t_test(tables: Tables, holds: bool, own: list[int], theirs: list[int]) -> str:
    rule = (
        "Rule: as the paper, more data sets significantly better than worse, or fewer, where alpha is "
        f"taken by held-out training rows and the test is paired over splits. {_runs(tables)}."
    )
    if holds:
        return rule
    return rule + (
        " The paper repeats the search on one split and takes the alpha that is best on the test rows, "
        "then tests against one number: so its test sees the chance of the search but not that of the "
        "split, and every difference is significant where all searches end with the same subset (± 0.00). "
        f"Done that way, the same fronts here give {theirs.count(1)} better and {theirs.count(-1)} worse; "
        f"with a new split for each search and an alpha that has not seen the test rows {own.count(1)} and "
        f"{own.count(-1)} are left. The fronts are those of the tables (see the numbers of columns), and "
        "their entropies are compared with plain loops over the rows in the tests."
    )


def _best_for_1nn(tables: Tables) -> Claim:
    where, text = "Section 5.2", "The advantage over all columns is largest for 1-NN."
    paper = "6 of 8 for 1-NN, at most 5 of 8 for others"
    if not tables.eight:
        return _unchecked(tables, where, text, paper)
    gains = {
        c: [float(np.mean(tables.gains_own_way(label, d, c))) for label in tables.eight for d in DOMAINS]
        for c in CLASSIFIERS
    }
    ours = "mean gain in points: " + ", ".join(
        f"{c} {mean_and_error(values, 1)}" for c, values in gains.items()
    )
    holds = max(gains, key=lambda c: float(np.mean(gains[c]))) == "1-NN"
    why = "Rule: the largest mean gain over data sets and both domains, alpha by held-out training rows."
    return _claim(where, text, paper, ours, holds, why)


def _led(tables: Tables) -> Claim:
    where, text = (
        "Section 5.2",
        "On Led. 1-NN is right on all rows with a few columns and not with all of them.",
    )
    paper = "100 % with 6.0 columns, 79.88 % with 24"
    if "Led." not in tables.labels:
        return _unchecked(tables, where, text, paper, ["Led."])
    accuracy = tables.accuracies["Led.", "dependent", 0, "1-NN"]
    everything = tables.all_columns("Led.", "1-NN")
    size = float(np.mean(tables.sizes["Led.", "dependent", 0, "1-NN"]))
    ours = f"{np.mean(accuracy):.2f} % with {size:.1f} columns, {mean_and_error(everything, 2)} % with 24"
    why = (
        "Rule: 100 % with fewer than 8 columns, below 90 % with all. The paper's Led. has no noise (100 "
        "%), unlike the UCI definition with its 10 %; so it is generated without noise here, and both are "
        "in the tables."
    )
    holds = min(accuracy) == 100 and size < 8 and float(np.mean(everything)) < 90
    return _claim(where, text, paper, ours, holds, why)


def _ionosphere(tables: Tables) -> Claim:
    where, text = "Section 5.2", "On Iono. 1-NN is as good with less than 18 % of the columns."
    paper = "87.63 % (6 of 34 columns) against 87.18 %, not significant"
    if len(tables.splits("Iono.")) < 2:
        return _unchecked(tables, where, text, paper, ["Iono."])
    gains = tables.gains_own_way("Iono.", "dependent", "1-NN")
    size = float(np.mean([n for a in ALPHAS for n in tables.sizes["Iono.", "dependent", a, "1-NN"]]))
    ours = f"{mean_and_error(gains, 1)} points with {size:.1f} columns"
    selected = np.mean(
        [a for alpha in ALPHAS for a in tables.accuracies["Iono.", "dependent", alpha, "1-NN"]]
    )
    everything = tables.all_columns("Iono.", "1-NN")
    holds = significance(gains) >= 0 and round(size) <= 0.18 * N_COLUMNS["Iono."]
    why = (
        "Rule: not significantly worse over the splits (t-test at 0.05), with at most 6 columns (18 %) on "
        f"average. With selected columns 1-NN has {selected:.1f} % here (mean of all alpha) and 85.5 to "
        f"87.6 % in the paper; with all columns it has {mean_and_error(everything, 1)} % here and 87.18 % "
        "there, on one split. Bins are ours: the paper does not say how it made the columns discrete. So "
        "the selected columns do as in the paper; what differs is 1-NN with all of them, where nothing is "
        "selected."
    )
    return _claim(where, text, paper, ours, holds, why)


def _alpha_matters_little(tables: Tables) -> Claim:
    where, text = (
        "Section 5.2",
        "In the dependent domain the accuracy is in most cases not sensitive to alpha.",
    )
    theirs = [
        _spread([TABLES["dependent"][x, str(a), c][0] for a in ALPHAS]) for x in EIGHT for c in CLASSIFIERS
    ]
    paper = f"{sum(s < ALIKE_ALPHAS for s in theirs)} of {len(theirs)} within {ALIKE_ALPHAS:.0f} points"
    if not tables.eight:
        return _unchecked(tables, where, text, paper)
    spreads = {
        (label, c): _spread([float(np.mean(tables.accuracies[label, "dependent", a, c])) for a in ALPHAS])
        for label in tables.eight
        for c in CLASSIFIERS
    }
    n_small = sum(spread < ALIKE_ALPHAS for spread in spreads.values())
    others = sorted({label for (label, _), spread in spreads.items() if spread >= ALIKE_ALPHAS})
    ours = (
        f"{n_small} of {len(spreads)} within {ALIKE_ALPHAS:.0f} points; others: {', '.join(others) or 'none'}"
    )
    why = "Rule: for three quarters of data sets x classifiers the mean accuracies of all alpha are so near."
    return _claim(where, text, paper, ours, n_small >= 0.75 * len(spreads), why)


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _published_mean(domain: str, label: str) -> float:
    """Mean accuracy of the paper over all alpha above 0 and classifiers."""
    return float(np.mean([TABLES[domain][label, str(a), c][0] for a in ALPHAS[1:] for c in CLASSIFIERS]))


def _domain_means(tables: Tables, label: str) -> tuple[float, float]:
    """Mean accuracy over all alpha above 0 and classifiers, in both domains."""
    dependent, independent = (
        float(np.mean([np.mean(tables.accuracies[label, d, a, c]) for a in ALPHAS[1:] for c in CLASSIFIERS]))
        for d in DOMAINS
    )
    return dependent, independent


def _dependent_better(tables: Tables) -> Claim:
    where, text = (
        "Section 5.2",
        "The dependent domain is better than the independent one on most data sets but Lung.",
    )
    theirs = [
        _published_mean("dependent", x) > _published_mean("independent", x) for x in EIGHT if x != "Lung"
    ]
    paper = f"{sum(theirs)} of the 7 others by its tables"
    others = [label for label in tables.eight if label != "Lung"]
    if not others:
        return _unchecked(tables, where, text, paper)
    means = {label: _domain_means(tables, label) for label in others}
    n_better = sum(dependent > independent for dependent, independent in means.values())
    ours = f"{n_better} of the {len(others)} others: " + ", ".join(
        f"{label} {dependent:.1f} and {independent:.1f}" for label, (dependent, independent) in means.items()
    )
    why = (
        "Rule: mean accuracy over alpha above 0, classifiers and runs is higher on more than half of them. "
        "A large alpha leaves one column in the independent domain, which is what lowers its mean."
    )
    return _claim(where, text, paper, ours, n_better > len(others) / 2, why)


def _lung_independent(tables: Tables) -> Claim:
    where, text = "Section 5.2", "On Lung (22 training rows) the independent domain is much better."
    paper = "36 to 82 % (dependent), 73 to 91 % (independent, alpha >= 0.1), one split"
    if "Lung" not in tables.labels:
        return _unchecked(tables, where, text, paper, ["Lung"])
    gains = []
    for record in tables.splits("Lung"):
        means: dict[str, list[float]] = {d: [] for d in DOMAINS}
        for row in record.result["rows"]:
            if row["alpha"]:
                means[row["domain"]] += [chosen[0] for chosen in row["chosen"].values()]
        gains.append(float(np.mean(means["independent"]) - np.mean(means["dependent"])))
    dependent, independent = _domain_means(tables, "Lung")
    ours = f"{dependent:.1f} % and {independent:.1f} %; {mean_and_error(gains, 1)} over {len(gains)} splits"
    why = (
        "Rule: the mean difference over splits is above 0. The paper has one split with 11 test rows, of "
        "which each is 9 points; a difference of 40 points there is four rows. "
    )
    if np.mean(gains) <= 0:
        why += (
            "Over several splits the independent domain is worse: with 21 rows its prior outweighs what "
            "was counted from alpha = 1 on, the fronts are left with single columns, and these are near "
            "guessing (the numbers of columns are those of Table 4). The entropies of this domain agree "
            "with Table 1 of the paper to all its digits and with plain loops, see the tests."
        )
    return _claim(where, text, paper, ours, float(np.mean(gains)) > 0, why)


# -- time ------------------------------------------------------------------------------------


def _faster_than_the_paper(tables: Tables) -> Claim:
    where, text = "Table 5", "Seconds of a search with alpha = 0."
    paper = ", ".join(f"{label} {SECONDS[label]['alpha=0']}" for label in EIGHT)
    if not tables.eight:
        return _unchecked(tables, where, text, paper)
    seconds = {label: float(np.mean(tables.seconds[label, 0])) for label in tables.eight}
    ours = ", ".join(f"{label} {value:.2f}" for label, value in seconds.items())
    holds = all(value <= SECONDS[label]["alpha=0"] for label, value in seconds.items())
    why = "Rule: no slower anywhere. Seconds of the processor, one thread, another machine than the paper's."
    return _claim(where, text, paper, ours, holds, why)


def _time_and_alpha(tables: Tables) -> Claim:
    where, text = "Section 5.2", "The time does not depend on alpha (dependent domain)."
    paper = "highest / lowest mean of an alpha: 1.07 to 1.31"
    if not tables.eight:
        return _unchecked(tables, where, text, paper)
    ratios = {}
    for label in tables.eight:
        means = [float(np.mean(tables.seconds[label, a])) for a in ALPHAS]
        ratios[label] = max(means) / min(means)
    ours = ", ".join(f"{label} {ratio:.2f}" for label, ratio in ratios.items())
    n_alike = sum(ratio <= 1.5 for ratio in ratios.values())
    why = (
        "Rule: at most 1.5 on three quarters of the data sets. On Splice, fronts of thousands of subsets "
        "for large alpha take longer to keep than to score."
    )
    return _claim(where, text, paper, ours, n_alike >= 0.75 * len(ratios), why)


def _rivals_in_the_paper() -> str:
    """How many times as long as alpha = 0 the others take in Table 5."""
    ratios = {
        name: [seconds[name] / seconds["alpha=0"] for seconds in SECONDS.values()]
        for name in ("F-MI", "F-E", *WRAPPERS)
    }
    return "time of a search, in those of alpha = 0: " + ", ".join(
        f"{name} {min(values):.2g} to {max(values):.3g}" for name, values in ratios.items()
    )


def _faster_than_others(tables: Tables) -> Claim:
    where, text = (
        "Table 5",
        "Much faster than entropy filters (F-E) and wrappers by swarm, slower than F-MI only.",
    )
    paper = _rivals_in_the_paper()
    timed = tables.results.where(kind="times")
    ratios: dict[str, list[float]] = {}
    for record in timed:
        label = DATASETS[record.settings["data"]]
        if label not in tables.labels:
            continue
        subsets = EVALUATIONS_PER_COLUMN * N_COLUMNS[label]
        own = 1000 * float(np.mean(tables.seconds[label, 0])) / subsets
        for name, milliseconds in record.result.items():
            ratios.setdefault(name, []).append(milliseconds / own)
    if not ratios:
        return _unchecked(tables, where, text, paper, ["Lung", "Lymph", "Spect", "Iono."])
    ours = "time per subset, in those of alpha = 0: " + ", ".join(
        f"{name} {min(values):.1f} to {max(values):.1f}" for name, values in ratios.items()
    )
    slower = all(min(ratios[name]) > 1 for name in ("F-E", *WRAPPERS))
    why = (
        "Rule: F-E and all wrappers take longer per subset on every table that is timed (Lung, Lymph, "
        "Spect, Iono.). All in one program and language; how many subsets the paper's rivals score is not "
        "said. F-RS, F-PRS and W-SVM were not run."
    )
    return _claim(where, text, paper, ours, slower, why)
