"""Slow, obvious versions of everything, importing nothing from the package.

Columns are lists of hashable values; entropies are in bits. Names follow the package.
"""

import itertools
import math
from collections import Counter, defaultdict

import numpy as np
import scipy.linalg
from scipy.stats import chi2


def entropy(column, alpha=1, correction=None):
    counts = Counter(column)
    n = len(column)
    shares = [count / n for count in counts.values()]
    if alpha == 1:
        value = -sum(p * math.log2(p) for p in shares)
        return value + ((len(counts) - 1) / (2 * n * math.log(2)) if correction == "miller_madow" else 0)
    if alpha == math.inf:
        return -math.log2(max(shares))
    if alpha == 0:
        return math.log2(len(shares))
    return math.log2(sum(p**alpha for p in shares)) / (1 - alpha)


def joint(*columns):
    return list(zip(*columns, strict=True))


def conditional_entropy(y, columns, alpha=1, correction=None):
    """H_α(y | columns jointly); columns is a list of columns, possibly empty."""
    groups = joint(*columns) if columns else [()] * len(y)
    if alpha == 1:
        return entropy(joint(groups, y), 1, correction) - entropy(groups, 1, correction)
    n = len(y)
    classes = defaultdict(Counter)
    for group, label in zip(groups, y, strict=True):
        classes[group][label] += 1
    if alpha == math.inf:
        return -math.log2(sum(max(counts.values()) for counts in classes.values()) / n)
    if alpha == 0:
        return math.log2(max(len(counts) for counts in classes.values()))
    total = 0.0
    for counts in classes.values():
        size = sum(counts.values())
        total += size / n * sum((c / size) ** alpha for c in counts.values()) ** (1 / alpha)
    return alpha / (1 - alpha) * math.log2(total)


def mutual_information(x, y, given=None, correction=None):
    """I(x;y), or I(x;y|given)."""
    known = [] if given is None else [given]
    if correction == "adjusted":  # less what is expected by chance among rows of the same level
        rows_of = defaultdict(list)
        for row, level in enumerate(given if known else [0] * len(y)):
            rows_of[level].append(row)
        expected = sum(
            len(rows) * expected_information([x[i] for i in rows], [y[i] for i in rows])
            for rows in rows_of.values()
        )
        return mutual_information(x, y, given) - expected / len(y)
    return conditional_entropy(y, known, 1, correction) - conditional_entropy(y, [*known, x], 1, correction)


def expected_information(x, y):
    """E[I(x;y)] where the values of y are dealt out to the rows at random: hypergeometric counts."""
    n, total = len(y), 0.0
    for a in Counter(x).values():
        for b in Counter(y).values():
            for k in range(max(1, a + b - n), min(a, b) + 1):
                probability = math.comb(b, k) * math.comb(n - b, a - k) / math.comb(n, a)
                total += probability * k / n * math.log2(n * k / (a * b))
    return total


def gain(f, picked, y):
    """What f adds to the picked columns: the mean of I(f;y|s), less chance, and how likely that is by chance."""
    if any(len(set(joint(f, s))) == len(set(s)) for s in picked):  # f follows from s
        return 0.0, 1.0
    givens = picked or [[0] * len(y)]
    plain = sum(mutual_information(f, y, s) for s in givens) / len(givens)
    gained = sum(mutual_information(f, y, s, "adjusted") for s in givens) / len(givens)
    to_chi2 = 2 * len(y) * math.log(2)
    freedom = to_chi2 * (plain - gained)
    return gained, chi2.sf(to_chi2 * plain, freedom) if freedom > 1e-9 else 1.0


def summed_score(criterion, f, picked, targets):
    """A pairwise criterion, summed over several targets."""
    return sum(score(criterion, f, picked, y) for y in targets)


def summed_gain(f, picked, targets, alpha):
    """Σ H_α(y|S) − H_α(y|S,f) over several targets y."""
    return sum(renyi_gain(f, picked, y, alpha) for y in targets)


def weighted_information(x, y, weights):
    """I(x;y) where a row counts as often as its weight says."""

    def entropy_of(column):
        sums = Counter()
        for value, weight in zip(column, weights, strict=True):
            sums[value] += int(weight)
        total = sum(sums.values())
        return -sum(w / total * math.log2(w / total) for w in sums.values() if w)

    return entropy_of(x) + entropy_of(y) - entropy_of(joint(x, y))


def score(criterion, f, picked, y, beta=1.0, correction=None):
    """A pairwise criterion of column f given the picked columns."""

    def info(a, b, given=None):
        return mutual_information(a, b, given, correction)

    relevance = info(f, y)
    if criterion == "iwfs":
        return interaction_weight(f, picked, y, correction)
    if not picked:
        return relevance
    redundancy = [info(f, s) for s in picked]
    if correction == "adjusted":  # by the chain rule, so that labels are dealt out within the levels of s
        gains = [info(f, y, s) for s in picked]
        together = [info(s, y) + gain for s, gain in zip(picked, gains, strict=True)]
        in_classes = [r + gain - relevance for r, gain in zip(redundancy, gains, strict=True)]
        of_picked = [t - relevance for t in together]
    else:
        together = [info(joint(f, s), y) for s in picked]
        in_classes = [info(f, s, y) for s in picked]
        of_picked = [info(s, y, f) for s in picked]
    if criterion == "mim":
        return relevance
    if criterion == "mifs":
        return relevance - beta * sum(redundancy)
    if criterion == "mrmr":
        return relevance - sum(redundancy) / len(picked)
    if criterion == "cife":
        return relevance - sum(redundancy) + sum(in_classes)
    if criterion == "jmi":
        return sum(together)
    if criterion == "jmim":
        return min(together)
    if criterion == "cmim":
        return min(relevance, *(info(f, y, s) for s in picked))
    if criterion == "disr":
        entropies = [entropy(joint(f, s, y), 1, correction) for s in picked]
        return sum(t / h if h > 1e-15 else 0.0 for t, h in zip(together, entropies, strict=True))
    if criterion == "miq":
        return relevance / (max(sum(redundancy) / len(picked), 0.0) + 0.01)
    if criterion == "njmim":
        entropies = [entropy(joint(f, s, y), 1, correction) for s in picked]
        return min(t / h if h > 1e-15 else 0.0 for t, h in zip(together, entropies, strict=True))
    if criterion == "cfr":
        return sum(2 * info(f, y, s) - relevance for s in picked)
    if criterion == "dcsf":
        terms = zip(picked, of_picked, redundancy, strict=True)
        return sum(info(f, y, s) + of_s - r for s, of_s, r in terms)
    if criterion == "mri":  # the paper's form, less what is the same for all f, divided by |S| + 1
        whole = relevance + sum(info(f, y, s) for s in picked) + sum(of_picked)
        return (whole - sum(info(s, y) for s in picked)) / (len(picked) + 1)
    if criterion == "jmi3":
        if len(picked) == 1:
            return together[0]
        pairs = itertools.combinations(picked, 2)
        if correction == "adjusted":
            return sum(info(u, y) + info(w, y, u) + info(f, y, joint(u, w)) for u, w in pairs)
        return sum(info(joint(f, u, w), y) for u, w in pairs)
    if criterion == "icap":
        return relevance - sum(max(0.0, r - c) for r, c in zip(redundancy, in_classes, strict=True))
    if criterion == "nmifs":
        smaller = [min(entropy(f, 1, correction), entropy(s, 1, correction)) for s in picked]
        shares = [r / h if h > 1e-15 else 0.0 for r, h in zip(redundancy, smaller, strict=True)]
        return relevance - sum(shares) / len(picked)
    raise ValueError(criterion)


def interaction_weight(f, picked, y, correction=None):
    """IWFS: 1 + SU(f,y), times 1 + (I(f;y|s) − I(f;y)) / (H(f) + H(s)) of each picked column s."""

    def share(part, *columns):
        whole = sum(entropy(column, 1, correction) for column in columns)
        return part / whole if whole > 1e-15 else 0.0

    relevance = mutual_information(f, y, None, correction)
    weights = [share(mutual_information(f, y, s, correction) - relevance, f, s) for s in picked]
    return (1 + share(2 * relevance, f, y)) * math.prod(1 + weight for weight in weights)


def purity_gain(x, y):
    """By how much Gini's impurity of y falls if x is known."""
    n, of_level, of_class = len(y), Counter(x), Counter(y)
    known = sum(count**2 / of_level[level] for (level, _), count in Counter(joint(x, y)).items()) / n
    return known - sum((count / n) ** 2 for count in of_class.values())


def joint_impurity(f, picked, y):
    """JIM: Σ G(f,s;y), or G(f;y) of the first pick."""
    return sum(purity_gain(joint(f, s), y) for s in picked) if picked else purity_gain(f, y)


def zhang_entropy(column):
    """Zhang's estimate in bits, as he wrote it: a sum over v of shares of rows times powers of what is left."""
    n, total = len(column), 0.0
    for count in Counter(column).values():
        product = 1.0
        for v in range(
            1, n - count + 1
        ):  # Π over j < v of (1 − (count − 1) / (n − 1 − j)) is 0 from there on
            product *= 1 - (count - 1) / (n - v)
            total += count / n * product / v
    return total / math.log(2)


def casmi(columns, y):
    """Coverage of the joint levels times the share of H(y) that they tell, by Zhang's entropies."""
    levels, of_y = joint(*columns), zhang_entropy(y)
    if of_y < 1e-15:
        return 0.0
    told = zhang_entropy(levels) + of_y - zhang_entropy(joint(levels, y))
    singles = sum(count == 1 for count in Counter(levels).values())
    return (1 - singles / len(y)) * told / of_y


def casmi_gain(f, picked, y, level=0.05):
    """What f adds to CASMI, less 1 if it looks independent of y."""
    freedom = (len(set(f)) - 1) * (len(set(y)) - 1)
    told = zhang_entropy(f) + zhang_entropy(y) - zhang_entropy(joint(f, y))
    statistic = 2 * len(y) * math.log(2) * told + freedom
    is_independent = freedom == 0 or chi2.sf(statistic, freedom) > level
    return casmi([*picked, f], y) - (casmi(picked, y) if picked else 0.0) - is_independent


def symmetrical_uncertainty(a, b):
    both = entropy(a) + entropy(b)
    return 2 * mutual_information(a, b) / both if both > 1e-15 else 0.0


def fcbf(columns, y, delta=0.0):
    """Yu and Liu's algorithm on a list: take the first, strike out what it makes redundant, and so on."""
    relevance = [symmetrical_uncertainty(f, y) for f in columns]
    left = [j for j in range(len(columns)) if relevance[j] > delta + 1e-12]
    left.sort(key=lambda j: (-round(relevance[j], 10), j))
    predominant = []
    while left:
        s, *left = left
        predominant.append(s)
        left = [f for f in left if symmetrical_uncertainty(columns[f], columns[s]) < relevance[f] - 1e-12]
    return predominant


def renyi_gain(f, picked, y, alpha, correction=None):
    """H_α(y|S) − H_α(y|S,f)."""
    before = conditional_entropy(y, picked, alpha, correction)
    return before - conditional_entropy(y, [*picked, f], alpha, correction)


def renyi_ties(tied, picked, y, by_index):
    """What decides between columns of equal gain: I(f;y|S), unless that goes by index.

    If it is 0 for all, the smallest I(f;y|s) over the picked s and I(f;y); if that is 0 for all, I(f;y).
    """
    joint = [renyi_gain(f, picked, y, 1) for f in tied]
    if max(joint) > 1e-12:
        return [0.0] * len(tied) if by_index else joint
    alone = [renyi_gain(f, [], y, 1) for f in tied]
    least = [
        min(whole, *(renyi_gain(f, [s], y, 1) for s in picked)) if picked else whole
        for f, whole in zip(tied, alone, strict=True)
    ]
    return least if max(least) > 1e-12 else alone


def quantile_levels(values, n_bins):
    """Levels of a numeric column without missing values.

    Few values are kept. Otherwise the ordered rows are cut at the multiples of n/n_bins; a cut inside
    a run of equal values moves to the nearer end of the run (the lower one if both are as near).
    """
    distinct = sorted(set(values))
    if len(distinct) <= n_bins:
        return [distinct.index(v) for v in values]
    ordered, n = sorted(values), len(values)
    edges = set()
    for k in range(1, n_bins):
        cut = k * n // n_bins
        value = ordered[cut - 1]
        begin, end = ordered.index(value), n - ordered[::-1].index(value)
        if cut != end:
            cut = end if end - cut < cut - begin else begin
        if 0 < cut < n:
            edges.add(ordered[cut - 1])
    return [sum(v > edge for edge in edges) for v in values]


def uniform_levels(values, n_bins):
    """Levels of equal width; empty ones vanish."""
    distinct = sorted(set(values))
    if len(distinct) <= n_bins:
        return [distinct.index(v) for v in values]
    low, high = distinct[0], distinct[-1]
    width = high / n_bins - low / n_bins
    above = [k * width for k in range(1, n_bins)]
    limits = [low + a if math.isfinite(a) else high - (n_bins - k) * width for k, a in enumerate(above, 1)]
    raw = [sum(v >= limit for limit in limits) for v in values]
    present = sorted(set(raw))
    return [present.index(level) for level in raw]


def mdlp_edges(values, y):
    """Fayyad and Irani's cuts, as the largest value of each level but the last."""
    pairs = sorted(zip(values, y, strict=True), key=lambda pair: pair[0])

    def cut(part):
        labels = [label for _, label in part]
        best = None
        for i in range(1, len(part)):
            if part[i - 1][0] == part[i][0]:
                continue
            after = (i * entropy(labels[:i]) + (len(part) - i) * entropy(labels[i:])) / len(part)
            if best is None or after < best[0] - 1e-12:
                best = after, i
        if best is None:
            return []
        after, i = best
        left, right = labels[:i], labels[i:]
        k, k_left, k_right = len(set(labels)), len(set(left)), len(set(right))
        delta = math.log2(3**k - 2) - (
            k * entropy(labels) - k_left * entropy(left) - k_right * entropy(right)
        )
        if entropy(labels) - after <= (math.log2(len(part) - 1) + delta) / len(part):
            return []
        return [*cut(part[:i]), part[i - 1][0], *cut(part[i:])]

    return cut(pairs)


def distance(a, b, kinds, expected, power=1):
    """L1 distance of two rows, or its square for L2; kinds are "number" or "category", None is a missing value."""
    total = 0.0
    for x, y, kind, usual in zip(a, b, kinds, expected, strict=True):
        if x is None or y is None:
            total += usual
        elif kind == "category":
            total += x != y
        else:
            total += abs(x - y) ** power
    return total


def expected_distances(rows, kinds):
    """Mean distance of two different rows that have a value, per column."""
    found = []
    for column, kind in zip(zip(*rows, strict=True), kinds, strict=True):
        present = [v for v in column if v is not None]
        pairs = [
            (abs(a - b) if kind == "number" else float(a != b))
            for i, a in enumerate(present)
            for b in present[i + 1 :]
        ]
        found.append(sum(pairs) / len(pairs) if pairs else 0.0)
    return found


def scale_to_range(rows, kinds):
    """Numbers between 0 and 1; a constant column becomes 0."""
    columns = []
    for column, kind in zip(zip(*rows, strict=True), kinds, strict=True):
        if kind == "number":
            present = [v for v in column if v is not None]
            low, high = (min(present), max(present)) if present else (0.0, 0.0)
            width = (high - low) or 1.0
            column = [None if v is None else (v - low) / width for v in column]
        columns.append(list(column))
    return [list(row) for row in zip(*columns, strict=True)]


def neighborhood_entropy(y, rows, k, order=None, kinds=None, scaled=True, power=1):
    """Mean class entropy of a row and its k nearest rows; rows are visited in `order`.

    Without an order every row counts; with one, rows seen as a neighbour before are left out. Of equally near
    rows the first are taken. A power of 2 compares squares of Euclidean distances.
    """
    kinds = kinds or ["number"] * len(rows[0])
    rows = scale_to_range(rows, kinds) if scaled else rows
    expected = expected_distances(rows, kinds)
    k = min(k, len(y) - 1)
    seen, found = set(), []
    for i in order if order is not None else range(len(y)):
        if order is not None and i in seen:
            continue
        others = [j for j in range(len(y)) if j != i]
        near = sorted(others, key=lambda j: distance(rows[i], rows[j], kinds, expected, power))[:k]
        found.append(entropy([y[i], *(y[j] for j in near)]))
        seen.update([i, *near])
    return sum(found) / len(found)


def nearest_shares(distances, k):
    """How much each other row counts among the k nearest; rows as near as the k-th share the rest of k."""
    k = min(k, len(distances))
    last = sorted(distances.values())[k - 1]
    low, high = last * (1 - 1e-6), last * (1 + 1e-6)
    nearer = sum(d < low for d in distances.values())
    as_near = sum(low <= d <= high for d in distances.values())
    return {j: 1.0 if d < low else (k - nearer) / as_near for j, d in distances.items() if d <= high}


def relieff(rows, y, k, kinds=None, power=1, bare=False):
    """ReliefF weights over all rows, k hits and k misses of each class, weighted by prior."""
    kinds = kinds or ["number"] * len(rows[0])
    rows = scale_to_range(rows, kinds)
    expected = expected_distances(rows, kinds)
    n = len(y)
    priors = {c: count / n for c, count in Counter(y).items()}
    weights = [0.0] * len(rows[0])
    for i in range(n):
        for c, prior in priors.items():
            others = [j for j in range(n) if j != i and y[j] == c]
            if not others:
                continue
            near = nearest_shares({j: distance(rows[i], rows[j], kinds, expected) for j in others}, k)
            sign = -1.0 if c == y[i] else prior if bare else prior / (1 - priors[y[i]])
            for j, share in near.items():
                for f in range(len(weights)):
                    column = slice(f, f + 1)
                    d = distance(rows[i][column], rows[j][column], kinds[column], expected[column])
                    weights[f] += sign * share * d**power / sum(near.values()) / n
    return weights


def surf(rows, y, variant, kinds=None, counts_itself=False):
    """SURF, SURF* and MultiSURF row by row; `counts_itself` takes distance 0 of a row to itself into the mean."""
    kinds = kinds or ["number"] * len(rows[0])
    rows = scale_to_range(rows, kinds)
    expected = expected_distances(rows, kinds)
    n, d = len(y), len(rows[0])
    distances = [[distance(a, b, kinds, expected) for b in rows] for a in rows]
    total = sum(distances[i][j] for i in range(n) for j in range(n) if i != j)
    common = total / (n * n if counts_itself else n * (n - 1))
    scores = np.zeros(d)

    def mean_difference(i, others):
        columns = [slice(f, f + 1) for f in range(d)]
        found = [[distance(rows[i][c], rows[j][c], kinds[c], expected[c]) for c in columns] for j in others]
        return np.mean(found, axis=0) if found else np.zeros(d)

    for i in range(n):
        others = [j for j in range(n) if j != i]
        own = [distances[i][j] for j in others]
        limit = np.mean(own) - np.std(own) / 2 if variant == "multisurf" else common
        near = [j for j in others if distances[i][j] < limit]
        far = [j for j in others if distances[i][j] > limit] if variant == "surf_star" else []
        for sign, group in ((1, near), (-1, far)):
            scores += sign * mean_difference(i, [j for j in group if y[j] != y[i]]) / n
            scores -= sign * mean_difference(i, [j for j in group if y[j] == y[i]]) / n
    return scores


def rrelieff(rows, y, k):
    """RReliefF weights for a real target, k nearest rows with equal weights."""
    kinds = ["number"] * len(rows[0])
    rows = scale_to_range(rows, kinds)
    n, width = len(y), (max(y) - min(y)) or 1.0
    in_y, in_f, in_both = 0.0, [0.0] * len(rows[0]), [0.0] * len(rows[0])
    for i in range(n):
        others = [j for j in range(n) if j != i]
        near = sorted(others, key=lambda j: distance(rows[i], rows[j], kinds, kinds))[:k]
        for j in near:
            dy = abs(y[i] - y[j]) / width / len(near)
            in_y += dy
            for f in range(len(in_f)):
                d = abs(rows[i][f] - rows[j][f])
                in_f[f] += d / len(near)
                in_both[f] += d * dy
    return [b / in_y - (f - b) / (n - in_y) for f, b in zip(in_f, in_both, strict=True)]


def bayesian_entropy(columns, alpha, domain):
    """Entropy of the joint of columns with probabilities (alpha + count) / (alpha |domain| + n), cell by cell.

    A domain between those that occur and all has a fractional number of cells that were not seen.
    """
    rows = list(zip(*columns, strict=True))
    counts = Counter(rows)
    n_all = len(list(itertools.product(*(set(column) for column in columns))))
    share = {"dependent": 0, "independent": 1}.get(domain, domain)
    n_possible = len(counts) ** (1 - share) * n_all**share
    total = alpha * n_possible + len(rows)
    seen = [(alpha + count) / total for count in counts.values()]
    unseen = alpha / total
    rest = (n_possible - len(counts)) * unseen * math.log2(unseen) if unseen > 0 else 0.0
    return -sum(p * math.log2(p) for p in seen) - rest


def bayesian_objectives(columns, y, alpha, domain):
    """H_B(y|S) = H_B(S, y) - H_B(S) and H_B(S)."""
    of_columns = bayesian_entropy(columns, alpha, domain) if columns else 0.0
    return bayesian_entropy([*columns, y], alpha, domain) - of_columns, of_columns


def cross_entropy(value_of, n_columns, n_draws, share, initial, rng, end_share=0.95):
    """The cross-entropy method as printed, round by round: gamma, the probabilities and the subsets drawn.

    The elite has all subsets of at most gamma, the value at the given share. `rng` is a numpy RandomState.
    """
    probabilities, rounds = list(initial), []
    while True:
        draws = [list(row) for row in rng.random_sample((n_draws, n_columns)) < probabilities]
        for draw in [d for d in draws if not any(d)]:
            draw[rng.randint(n_columns, size=1)[0]] = True
        values = [value_of(draw) for draw in draws]
        gamma = sorted(values)[max(1, round(share * n_draws)) - 1]
        elite = [draw for draw, value in zip(draws, values, strict=True) if value <= gamma + 1e-12]
        probabilities = [sum(column) / len(elite) for column in zip(*elite, strict=True)]
        rounds.append((gamma, probabilities, draws))
        if len(elite) >= end_share * n_draws:
            return rounds


def nsga2(values_of, n_columns, size, n_generations, rng):
    """Algorithm 1 of Mei, Xue and Zhang on lists: the last population, and the archive of the first and it.

    `rng` is a numpy RandomState, asked in the order of the algorithm. Values are two normalised objectives.
    """

    def admitted(subsets):
        for subset in [s for s in subsets if not any(s)]:
            subset[rng.randint(n_columns, size=1)[0]] = True
        return subsets

    def survivors(subsets):
        points = [values_of(s) for s in subsets]
        order = sorted(range(len(points)), key=lambda i: points[i])
        ranks, crowding = front_ranks(points), [math.inf] * len(points)
        for rank in set(ranks):
            front = [i for i in order if ranks[i] == rank]
            for before, i, after in zip(front, front[1:], front[2:], strict=False):
                crowding[i] = sum(abs(points[after][k] - points[before][k]) for k in (0, 1))
        kept = sorted(order, key=lambda i: (ranks[i], -crowding[i]))[:size]
        return [(subsets[i], ranks[i], crowding[i]) for i in kept]

    def winners(population, n):
        found = []
        for first, second in rng.randint(len(population), size=(2, n)).T:
            keys = [(population[i][1], -population[i][2]) for i in (first, second)]
            found.append(population[second if keys[1] < keys[0] else first][0])
        return found

    first = admitted([list(row) for row in rng.random_sample((size, n_columns)) < 0.5])
    population = survivors(first)
    for _ in range(n_generations - 1):
        n_pairs, children = -(-size // 2), []
        mothers, fathers = winners(population, n_pairs), winners(population, n_pairs)
        for mother, father, at in zip(
            mothers, fathers, rng.randint(1, n_columns, size=(n_pairs, 1))[:, 0], strict=True
        ):
            children += [mother[:at] + father[at:], father[:at] + mother[at:]]
        for child, flipped in zip(children, rng.randint(n_columns, size=len(children)), strict=True):
            child[flipped] = not child[flipped]
        population = survivors([s for s, _, _ in population] + admitted(children[:size]))
    both = first + [s for s, _, _ in population]
    ranks = front_ranks([values_of(s) for s in both])
    return [s for s, _, _ in population], {
        values_of(s) for s, rank in zip(both, ranks, strict=True) if not rank
    }


def front_ranks(points):
    """Rank of each point: 0 for those no other dominates, then those only these dominate, and so on."""
    ranks, left, rank = {}, set(range(len(points))), 0
    while left:
        best = {i for i in left if not any(dominates(points[j], points[i]) for j in left)}
        ranks.update(dict.fromkeys(best, rank))
        left -= best
        rank += 1
    return [ranks[i] for i in range(len(points))]


def dominates(a, b):
    """Whether a is nowhere worse and somewhere better; smaller is better."""
    return all(p <= q for p, q in zip(a, b, strict=True)) and tuple(a) != tuple(b)


def best_subsets(columns, y, costs=None, budget=math.inf):
    """Of all subsets within the budget those of least H(y|S), of these the cheapest; value, cost and subsets."""
    costs = costs or [1] * len(columns)
    every = range(len(columns))
    subsets = [set(s) for k in range(1, len(columns) + 1) for s in itertools.combinations(every, k)]
    cost = {frozenset(s): round(sum(costs[j] for j in s), 9) for s in subsets}
    value = {frozenset(s): round(conditional_entropy(y, [columns[j] for j in s]), 9) for s in subsets}
    allowed = [frozenset(s) for s in subsets if cost[frozenset(s)] <= budget]
    least = min((value[s], cost[s]) for s in allowed)
    return *least, {s for s in allowed if (value[s], cost[s]) == least}


def neighbours(subset, n_columns, swaps):
    """All subsets with one column less, and with one exchanged for another."""
    fewer = [subset - {j} for j in subset if len(subset) > 1]
    others = set(range(n_columns)) - subset
    return fewer + [subset - {j} | {k} for j in subset for k in others] * swaps


def pairwise_balance(columns, y, weight):
    """Weighted redundancy of pairs less weighted relevance."""
    relevance = sum(mutual_information(x, y) for x in columns)
    redundancy = sum(mutual_information(a, b) for a, b in itertools.combinations(columns, 2))
    return (1 - weight) * redundancy - weight * relevance


def joint_balance(columns, y, weight):
    """Weighted mean redundancy of each column with the others less weighted relevance of all."""
    relevance = mutual_information(joint(*columns), y)
    redundancy = 0.0
    for i, x in enumerate(columns):
        others = columns[:i] + columns[i + 1 :]
        redundancy += mutual_information(x, joint(*others)) / len(columns) if others else 0.0
    return (1 - weight) * redundancy - weight * relevance


def rough_set(columns, y, precision, weight, against, n_columns):
    """Weighted size (columns or groups of equal rows) less weighted share of rows with a certain class."""
    groups = defaultdict(list)
    for row, label in zip(zip(*columns, strict=True) if columns else [()] * len(y), y, strict=True):
        groups[row].append(label)
    certain = sum(
        len(labels)
        for labels in groups.values()
        if max(Counter(labels).values()) >= precision * len(labels) - 1e-9
    )
    cost = len(columns) / n_columns if against == "size" else len(groups) / len(y)
    return (1 - weight) * cost - weight * certain / len(y)


def cfs_merit(columns, y):
    """Hall's merit k·mean SU(f,y) / √(k + k(k − 1)·mean SU(f,g)); 0 of no columns."""
    k = len(columns)
    if not k:
        return 0.0
    relevance = [symmetrical_uncertainty(f, y) for f in columns]
    between = [symmetrical_uncertainty(f, g) for f, g in itertools.combinations(columns, 2)] or [0.0]
    return k * (sum(relevance) / k) / math.sqrt(k + k * (k - 1) * (sum(between) / len(between)))


def best_first(n_columns, merit_of, patience=5, tol=1e-5):
    """Hall's search: expand the best subset not yet expanded, of the `patience` best that wait."""
    best, best_merit, stale = frozenset(), merit_of(frozenset()), 0
    waiting, seen = [(best_merit, 0, best)], {best}
    while waiting and stale < patience:
        _, _, subset = waiting.pop(0)
        improved = False
        for j in range(n_columns):
            larger = subset | {j}
            if larger in seen:
                continue
            seen.add(larger)
            merit = merit_of(larger)
            waiting.append((merit, len(seen), larger))
            if merit - best_merit > tol:
                best, best_merit, improved = larger, merit, True
        waiting = sorted(waiting, key=lambda entry: (-round(entry[0], 12), entry[1]))[:patience]
        stale = 0 if improved else stale + 1
    return best


# -- measures of numbers: dense matrices, one row or column at a time --------------------------


def standardised(X):
    """Columns of mean 0 and standard deviation 1; constant ones 0."""
    X = np.asarray(X, dtype=float)
    spread = X.std(axis=0)
    return np.where(spread > 0, (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1), 0)


def near_rows(X, i, k):
    distances = [((X[i] - X[j]) ** 2).sum() if j != i else math.inf for j in range(len(X))]
    return list(np.argsort(distances, kind="stable")[: min(k, len(X) - 1)])


def heat_weights(X, k, t=None):
    """The whole (n, n) matrix S of the neighbour graph."""
    n = len(X)
    squared = np.array([[((a - b) ** 2).sum() for b in X] for a in X])
    chosen = np.zeros((n, n), dtype=bool)
    for i in range(n):
        chosen[i, near_rows(X, i, k)] = True
    t = squared[chosen].mean() if t is None else t
    return np.where(chosen | chosen.T, np.exp(-squared / t), 0.0)


def laplacian_score(X, k, t=None):
    """L of every column, by the formula of He, Cai and Niyogi."""
    S = heat_weights(X, k, t)
    D = np.diag(S.sum(axis=1))
    ones = np.ones(len(X))
    scores = []
    for f in X.T:
        f = f - (f @ D @ ones) / (ones @ D @ ones) * ones
        scores.append((f @ (D - S) @ f) / (f @ D @ f))
    return np.array(scores)


def least_angle_regression(X, y, n_steps):
    """Efron's LARS, step by step: move along the equiangular direction until another column joins."""
    fitted, coefs, active = np.zeros(len(y)), np.zeros(X.shape[1]), []
    for _ in range(n_steps):
        covariances = X.T @ (y - fitted)
        largest = np.abs(covariances).max()
        inactive = [j for j in range(X.shape[1]) if j not in active]
        active.append(max(inactive, key=lambda j: abs(covariances[j])))
        inactive.remove(active[-1])
        signs = np.sign(covariances[active])
        inverse = np.linalg.inv((X[:, active] * signs).T @ (X[:, active] * signs))
        unit = 1 / math.sqrt(inverse.sum())
        weights = unit * inverse.sum(axis=1) * signs
        angles = X.T @ (X[:, active] @ weights)
        steps = [largest / unit]
        for j in inactive:
            steps += [(largest - covariances[j]) / (unit - angles[j])]
            steps += [(largest + covariances[j]) / (unit + angles[j])]
        step = min(s for s in steps if s > 1e-12)
        coefs[active] += step * weights
        fitted = X @ coefs
    return coefs


def mcfs(X, k, n_clusters, n_steps, signed=False):
    """Largest absolute coefficient; `signed` forgets the absolute value, as a known package does."""
    S = heat_weights(X, k)
    D = np.diag(S.sum(axis=1))
    vectors = scipy.linalg.eigh(D - S, D)[1][:, 1 : n_clusters + 1]
    X = X - X.mean(axis=0)
    coefs = np.array([least_angle_regression(X, v - v.mean(), n_steps) for v in vectors.T])
    return (coefs if signed else np.abs(coefs)).max(axis=0)


def udfs_scatter(X, k, ridge, wrong_index=False):
    """M of the paper; `wrong_index` mistakes the rows' neighbours as a known package does."""
    n = len(X)
    near = [[i, *near_rows(X, i, k)] for i in range(n)]
    H = np.eye(k + 1) - np.ones((k + 1, k + 1)) / (k + 1)
    total = np.zeros((n, n))
    for i in range(n):
        local = X[near[i]].T @ H
        B = np.linalg.inv(local.T @ local + ridge * np.eye(k + 1))
        S = np.zeros((n, k + 1))
        for q in range(k + 1):
            S[near[q] if wrong_index else near[i][q], q] = 1
        total += S @ H @ B @ H @ S.T
    return X.T @ total @ X


def udfs(X, k, n_clusters, gamma, ridge, n_rounds, wrong_index=False):
    M = udfs_scatter(X, k, ridge, wrong_index)
    D = np.eye(len(M))
    for _ in range(n_rounds):
        W = np.linalg.eigh(M + gamma * D)[1][:, :n_clusters]
        lengths = np.sqrt((W**2).sum(axis=1))
        D = np.diag(1 / (2 * lengths))
    return lengths


def llcfs(X, k, n_clusters, beta, n_rounds):
    """Each local ridge regression solved on its own, with an intercept that costs nothing."""
    n, d = X.shape
    weights = np.full(d, 1 / d)
    for _ in range(n_rounds):
        near = [near_rows(X * np.sqrt(weights), i, k) for i in range(n)]

        def solve(rows, labels, cost=1 / weights):
            design = np.column_stack([X[rows], np.ones(len(rows))])
            penalty = np.diag([*cost, 0.0])
            return np.linalg.solve(beta * design.T @ design + penalty, beta * design.T @ labels)

        A = np.zeros((n, n))
        for i in range(n):
            A[i, near[i]] = np.append(X[i], 1.0) @ solve(near[i], np.eye(len(near[i])))
        M = (np.eye(n) - A).T @ (np.eye(n) - A)
        Y = np.linalg.eigh(M)[1][:, :n_clusters]
        squares = sum((solve(near[i], Y[near[i]])[:d] ** 2).sum(axis=1) for i in range(n))
        weights = np.sqrt(squares) / np.sqrt(squares).sum()
    return weights


def correlation(a, b):
    """|Pearson's r|, 0 where one is constant."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return abs(((a - a.mean()) * (b - b.mean())).mean() / (a.std() * b.std()))


def cfs(X, summary):
    """1 − mean (or least) |r| with the other columns that are not constant."""
    useful = [j for j in range(X.shape[1]) if X[:, j].std() > 0]
    scores = np.zeros(X.shape[1])
    for j in useful:
        others = [correlation(X[:, j], X[:, i]) for i in useful if i != j] or [0.0]
        scores[j] = 1 - (min(others) if summary == "minimum" else sum(others) / len(others))
    return scores


def signed_correlation(a, b):
    """Pearson's r, 0 where one is constant."""
    return 0.0 if np.std(a) == 0 or np.std(b) == 0 else float(np.corrcoef(a, b)[0, 1])


def printed_rrpc(X, y, j, picked):
    """Eq. 7 of paper NEFS as printed: signed correlations, with the number of the class; -1 is no label."""
    labelled = y != -1
    redundancy = [signed_correlation(X[:, j], X[:, s]) for s in picked]
    relevance = signed_correlation(X[labelled, j], y[labelled])
    return relevance - (sum(redundancy) / len(redundancy) if redundancy else 0.0)


def rrpc(X, y, j, picked):
    """Eq. 7 of paper NEFS; labels of -1 are none, more than two classes by least squares on indicators."""
    labelled = y != -1
    f, classes = X[labelled, j], np.unique(y[labelled])
    indicators = np.array([[label == c for c in classes] for label in y[labelled]], dtype=float)
    fitted = indicators @ np.linalg.lstsq(indicators, f, rcond=None)[0]
    relevance = correlation(f, fitted) if len(classes) > 1 and fitted.std() > 1e-12 else 0.0
    redundancy = [correlation(X[:, j], X[:, s]) for s in picked]
    return relevance - (sum(redundancy) / len(redundancy) if redundancy else 0.0)


def column_moments(column):
    if len(set(column)) == 1:
        return column[0], 0.0
    mean = sum(column) / len(column)
    return mean, sum((x - mean) ** 2 for x in column) / len(column)


def fisher_score(column, y):
    """Σ_g (μ_g − μ)² / Σ_g σ_g² (Inf-FS, eq. 4); 0 for a constant column, at most 10¹²."""
    if len(set(column)) == 1:
        return 0.0
    mean, _ = column_moments(column)
    classes = [[x for x, label in zip(column, y, strict=True) if label == g] for g in sorted(set(y))]
    between = sum((column_moments(part)[0] - mean) ** 2 for part in classes)
    within = sum(column_moments(part)[1] for part in classes)
    return between / max(within, 1e-12 * between) if between else 0.0


def to_unit(scores):
    low, high = min(scores), max(scores)
    differ = high - low > 1e-12 * max(abs(low), abs(high))
    return [(s - low) / (high - low) if differ else 0.0 for s in scores]


def relative_fisher(columns, y):
    """Fisher scores on [0, 1]; columns constant in every class count as the best of the others."""
    scores = [fisher_score(column, y) for column in columns]
    others = [score for score in scores if score < 9e11]
    best = max([*others, 0.0]) or 1.0
    return to_unit([min(score, best) for score in scores])


def relative_spread(columns, scaling):
    """Standard deviations of columns divided by their range or standard deviation, relative to the largest."""
    spread = [0.0 if len(set(column)) == 1 else math.sqrt(column_moments(column)[1]) for column in columns]
    if scaling is not None:
        units = (
            spread if scaling == "std" else [float(max(column)) - float(min(column)) for column in columns]
        )
        spread = [s / unit if s else 0.0 for s, unit in zip(spread, units, strict=True)]
    return [s / max(spread) if max(spread) else 0.0 for s in spread]


def inffs_graph(columns, alpha, scaling="range"):
    """The unsupervised graph; a constant column is correlated with every other."""
    from scipy.stats import spearmanr

    spread = relative_spread(columns, scaling)
    graph = np.empty((len(columns), len(columns)))
    for i, a in enumerate(columns):
        for j, b in enumerate(columns[: i + 1]):
            constant = len(set(a)) == 1 or len(set(b)) == 1
            dissimilarity = 0.0 if constant else 1 - abs(spearmanr(a, b).statistic)
            dissimilarity = dissimilarity if dissimilarity > 1e-14 else 0.0  # rounding
            graph[i, j] = graph[j, i] = alpha * max(spread[i], spread[j]) + (1 - alpha) * dissimilarity
    return graph


def inffs_weights(columns, levels, y, alpha, scaling="range"):
    """s of the supervised graph s sᵀ; mutual information is that of the levels."""
    fisher = relative_fisher(columns, y)
    information = to_unit([mutual_information(column, y) for column in levels])
    spread = relative_spread(columns, scaling)
    return np.array(
        [
            alpha[0] * h + alpha[1] * m + alpha[2] * s
            for h, m, s in zip(fisher, information, spread, strict=True)
        ]
    )


def diverse_graph(s, columns, diversity):
    """The supervised graph with dissimilarity: (1 − δ) s sᵀ + δ (1 − |Spearman|)."""
    return (1 - diversity) * np.outer(s, s) + diversity * inffs_graph(columns, 0.0)


def released_graph(columns, levels, y, alpha, scaling="range"):
    """The graphs of the program the authors of Inf-FS released, entry by entry; one without y where it is None."""
    from scipy.stats import spearmanr

    d = len(columns)
    spread = relative_spread(columns, scaling)
    larger = np.array([[max(spread[i], spread[j]) for j in range(d)] for i in range(d)])
    larger = np.reshape(to_unit(larger.ravel().tolist()), (d, d))
    graph = np.empty((d, d))
    if y is None:
        for i, a in enumerate(columns):
            for j, b in enumerate(columns):
                constant = len(set(a)) == 1 or len(set(b)) == 1
                correlation = 0.0 if constant else abs(spearmanr(a, b).statistic)
                graph[i, j] = alpha * larger[i, j] + (1 - alpha) * (1 - correlation)
        return graph
    fisher = relative_fisher(columns, y)
    information = to_unit([mutual_information(column, y) for column in levels])
    a1, a2, a3 = (share / sum(alpha) for share in alpha)
    for i in range(d):
        for j in range(d):
            graph[i, j] = (
                a1 * (information[j] + fisher[i]) / 2
                + a2 * (information[j] + larger[i, j]) / 2
                + a3 * (larger[i, j] + fisher[i]) / 2
            )
    return graph


def released_scores(graph):
    """Divided by the largest row sum twice, then inverted; less one for the path without a step."""
    d, epsilon = len(graph), 5e-6 * len(graph)
    largest = graph.sum(axis=1).max()
    if largest < 1e-12:
        return np.zeros(d)
    scaled = graph / (largest + epsilon)
    r = (1 - epsilon) / largest
    return np.linalg.inv(np.eye(d) - r * scaled).sum(axis=1) - 1


def path_scores(graph, regularization, n_terms=400, factor=0.9):
    """Σ r^l A^l e, term by term; the graph may be asymmetric."""
    bound = max(abs(np.linalg.eigvals(graph))) if regularization == "spectral" else graph.sum(axis=1).max()
    term, total = np.ones(len(graph)), np.zeros(len(graph))
    if bound:
        for _ in range(n_terms):
            term = factor / bound * (graph @ term)
            total += term
    return total


def ecfs(columns, levels, y, alpha, scaling="range"):
    """The leading eigenvector of α (f mᵀ + m fᵀ) / 2 + (1 − α) max(σ, σ), largest entry 1."""
    fisher = np.array(relative_fisher(columns, y))
    information = np.array(to_unit([mutual_information(column, y) for column in levels]))
    spread = np.array(relative_spread(columns, scaling))
    kernel = (np.outer(fisher, information) + np.outer(information, fisher)) / 2
    graph = alpha * kernel + (1 - alpha) * np.maximum.outer(spread, spread)
    vector = np.abs(np.linalg.eigh(graph)[1][:, -1])
    return vector / vector.max() if graph.any() else np.zeros(len(graph))


def ilfs_tokens(columns, y, n_tokens):
    """Counts of how much nearer values are to the mean of their class than to the next other one.

    Up to rounding: what lies at the edge between two tokens is in the upper one, and a value that is both of
    these means has the first token.
    """
    counts = np.zeros((len(columns), n_tokens), int)
    for c, column in enumerate(columns):
        means = {
            g: column_moments([x for x, label in zip(column, y, strict=True) if label == g])[0] for g in y
        }
        for x, label in zip(column, y, strict=True):
            own = (x - means[label]) ** 2
            other = min((x - mean) ** 2 for g, mean in means.items() if g != label)
            nearness = other / (own + other) if own + other > (1e-12 * x) ** 2 else 0.0
            counts[c, min(int(nearness * n_tokens + 1e-9), n_tokens - 1)] += 1
    return counts


def plsa(counts, n_steps):
    """P(relevant | column) after so many steps of expectation maximisation with P(token | topic) given."""
    n_columns, n_tokens = counts.shape
    n_rows = counts[0].sum()
    half = (n_tokens + 1) // 2
    p_token = [[t + 1.0 for t in range(n_tokens)], [float(n_tokens - t) for t in range(n_tokens)]]
    p_token = [[v / sum(row) for v in row] for row in p_token]
    p_topic = [[counts[f, half:].sum() / n_rows, counts[f, :half].sum() / n_rows] for f in range(n_columns)]
    for _ in range(n_steps):
        share = np.zeros((n_columns, n_tokens, 2))
        for f in range(n_columns):
            for t in range(n_tokens):
                joint_of = [p_topic[f][z] * p_token[z][t] for z in range(2)]
                for z in range(2):
                    if counts[f, t]:
                        share[f, t, z] = counts[f, t] * joint_of[z] / sum(joint_of)
        p_topic = [[share[f, :, z].sum() / n_rows for z in range(2)] for f in range(n_columns)]
    return np.array([p_topic[f][0] for f in range(n_columns)])


def mean_shift_places(scores, bandwidths):
    """Where each score ends by going to the mean of the scores that reach it, weighted by bandwidth⁻³."""
    places = []
    for place in scores:
        for _ in range(1000):
            reaching = [(x, h**-3) for x, h in zip(scores, bandwidths, strict=True) if abs(x - place) <= h]
            mean = sum(x * w for x, w in reaching) / sum(w for _, w in reaching)
            if abs(mean - place) < 1e-13:
                break
            place = mean
        places.append(place)
    return places


def nearest_distances(scores, k):
    return [sorted(abs(x - other) for other in scores)[k - 1] for x in scores]


def weighted_neighbors(train, goals, weights, test, k):
    """For each test row the weighted mean of the goals of the k nearest training rows."""
    found = []
    for row in test:
        distance = [sum((a - b) ** 2 for a, b in zip(row, other, strict=True)) for other in train]
        shares = {i: share * weights[i] for i, share in nearest_shares(dict(enumerate(distance)), k).items()}
        whole = sum(shares.values())
        found.append([sum(w * goals[i][g] for i, w in shares.items()) / whole for g in range(len(goals[0]))])
    return found


# -- rows left out -------------------------------------------------------------------------------


def held_out_shares(row, train, columns, n_classes, parent_rows=4):
    """Class shares that training rows give for another row, with the first 0, 1, 2, ... columns."""
    group, shares, found = list(train), [1 / n_classes] * n_classes, []
    for j in [None, *columns]:
        kept = [(other, label) for other, label in group if j is None or other[j] == row[j]]
        if j is None or len(kept) < len(group):
            counts = [sum(label == c for _, label in kept) for c in range(n_classes)]
            shares = [
                (n + parent_rows * share) / (len(kept) + parent_rows)
                for n, share in zip(counts, shares, strict=True)
            ]
        group = kept
        found.append(shares)
    return found


# -- linear classifiers ------------------------------------------------------------------------


def l1_hinge(X, signs, costs, row_costs):
    """Least Σ r max(0, 1 − y(x·w + b)) + Σ c |w|: the whole linear program, with v ≥ |w| as its own variable."""
    from scipy.optimize import linprog

    n, d = X.shape
    margins = np.hstack([signs[:, None] * X, np.zeros((n, d)), signs[:, None], np.eye(n)])
    above = np.hstack([-np.eye(d), np.eye(d), np.zeros((d, 1 + n))])
    below = np.hstack([np.eye(d), np.eye(d), np.zeros((d, 1 + n))])
    found = linprog(
        np.concatenate([np.zeros(d), costs, [0], row_costs]),
        A_ub=-np.vstack([margins, above, below]),
        b_ub=-np.concatenate([np.ones(n), np.zeros(2 * d)]),
        bounds=[(None, None)] * d + [(0, None)] * d + [(None, None)] + [(0, None)] * n,
    )
    return found.x[:d], found.x[2 * d], found.fun


def fsv(X, signs, weight, steepness, n_rounds=20):
    """Bradley and Mangasarian's successive linearisation, by whole linear programs."""
    sizes = {s: (signs == s).sum() for s in (-1, 1)}
    row_costs = np.array([(1 - weight) / sizes[s] for s in signs.astype(int)])
    w = np.zeros(X.shape[1])
    for _ in range(n_rounds):
        slope = [weight * steepness * max(math.exp(-steepness * abs(v)), 1e-3) for v in w]
        before, w = w, l1_hinge(X, signs, slope, row_costs)[0]
        if sum(abs(w - before)) <= 1e-5 * sum(abs(before)):
            break
    return w


def recursive_elimination(X, y, weights_of, step, one_by_one_below):
    """Columns from the last one left to the first one dropped."""
    left, dropped = list(range(X.shape[1])), []
    while left:
        worst_first = [left[i] for i in np.argsort(weights_of(X[:, left], y), kind="stable")]
        n = 1
        if len(left) > one_by_one_below:
            n = max(1, min(int(step * len(left)), len(left) - one_by_one_below))
        dropped += worst_first[:n]
        left = sorted(worst_first[n:])
    return dropped[::-1]


# -- structure of rows -------------------------------------------------------------------------


def lasso(A, b, penalty, n_sweeps=3000):
    """½ ‖A x − b‖² + penalty ‖x‖₁ by coordinate descent."""
    x = np.zeros(A.shape[1])
    squares = (A**2).sum(axis=0)
    for _ in range(n_sweeps):
        before = x.copy()
        for j in range(len(x)):
            rest = A[:, j] @ (b - A @ x) + squares[j] * x[j]
            x[j] = math.copysign(max(abs(rest) - penalty, 0.0), rest) / squares[j]
        if np.abs(x - before).max() < 1e-10:
            break
    return x


def simplex_weights(values):
    """The nearest point of the simplex, by bisection for what is taken off."""
    low, high = min(values) - 1.0, max(values)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(max(v - middle, 0) for v in values) > 1 else (low, middle)
    return [max(v - low, 0) for v in values]


def fsasl(X, k, n_clusters, sparsity, local_weight, gamma, n_rounds):
    """The projection by dense matrices; row i of the result is that of column i."""
    n, d = X.shape
    seen = X
    for r in range(n_rounds):
        S = np.zeros((n, n))
        for i in range(n):
            others = [j for j in range(n) if j != i]
            A = seen[others].T
            S[others, i] = lasso(A, seen[i], sparsity * np.abs(A.T @ seen[i]).max())
        if r == 0:
            P = heat_weights(X, k)
        else:
            squared = [[((a - b) ** 2).sum() for b in seen] for a in seen]
            near = [near_rows(seen, i, k + 1) for i in range(n)]
            gaps = [k * squared[i][near[i][k]] - sum(squared[i][j] for j in near[i][:k]) for i in range(n)]
            width = sum(gaps) / n / 2
            P = np.zeros((n, n))
            for i in range(n):
                P[i, near[i][:k]] = simplex_weights([-squared[i][j] / (2 * width) for j in near[i][:k]])
            P = (P + P.T) / 2
        G = (np.eye(n) - S) @ (np.eye(n) - S).T + local_weight * (np.diag(P.sum(axis=1)) - P)
        Y = np.linalg.eigh(G)[1][:, :n_clusters]
        D = np.eye(d)
        for _ in range(10):
            W = np.linalg.inv(X.T @ X + gamma * D) @ X.T @ Y
            D = np.diag(1 / (2 * np.maximum(np.linalg.norm(W, axis=1), 1e-8)))
        seen = X @ W
    return (W**2).sum(axis=1)


def ufsol(X, labels, k, n_clusters, alpha, beta, n_rounds):
    """‖w‖² of every column, with the clusters given."""
    n, d = X.shape
    X = X / np.linalg.norm(X, axis=1)[:, None]
    C = np.zeros((n, n))
    for i in range(n):
        near = near_rows(X, i, k)
        far = [math.sqrt(((X[i] - X[j]) ** 2).sum()) for j in near]
        triplets = [sum(other - own for other in far) for own in far]
        for j, t in zip(near, triplets, strict=True):
            C[i, j] = (t - min(triplets)) / (max(triplets) - min(triplets))
    C = (C + C.T) / 2
    degrees = C.sum(axis=1)
    L = np.eye(n) - np.diag(degrees**-0.5) @ C @ np.diag(degrees**-0.5)
    V = np.array([[float(label == c) for label in labels] for c in range(n_clusters)])
    V /= np.sqrt(V.sum(axis=1))[:, None]
    R = np.eye(d)
    for _ in range(n_rounds):
        M = beta * R + X.T @ X - X.T @ V.T @ V @ X + alpha * X.T @ L @ X
        W = np.linalg.eigh(M)[1][:, :n_clusters]
        R = np.diag(1 / (2 * np.linalg.norm(W, axis=1)))
    return (W**2).sum(axis=1)


def dgufs_nearness(X, k):
    """Near rows of DGUFS, less what rows have in common with all others."""
    n = len(X)
    A = np.array(heat_weights(X, k))
    degrees = A.sum(axis=1)
    N = (np.diag(degrees**-0.5) @ A @ np.diag(degrees**-0.5) + np.eye(n)) / 2
    H = np.eye(n) - 1 / n
    return H @ N @ H / n


def dgufs_value(X, labels, kept, k, beta):
    """What DGUFS maximises: dependence of the kept columns on the clusters, and near rows that share one."""
    n = len(X)
    H = np.eye(n) - 1 / n
    L = np.array([[float(a == b) for b in labels] for a in labels])
    dependence = [X[:, f] @ H @ L @ H @ X[:, f] / n**2 for f in kept]
    return (1 - beta) * sum(dependence) / len(kept) + beta * np.trace(dgufs_nearness(X, k) @ L)


def dgufs(X, n_kept, n_clusters, k, beta):
    """The best columns and clusters of all, with the score of every column, by trying all partitions."""
    n, d = X.shape
    best = (-math.inf, None, None)
    for labels in itertools.product(range(n_clusters), repeat=n - 1):
        labels = (0, *labels)
        scores = [sum(X[[i for i in range(n) if labels[i] == c], f].sum() ** 2 for c in set(labels)) / n**2
                  for f in range(d)]  # fmt: skip
        kept = sorted(range(d), key=lambda f: -scores[f])[:n_kept]
        value = dgufs_value(X, labels, kept, k, beta)
        if value > best[0] + 1e-12:
            best = (value, kept, scores)
    return best


def dgufs_as_published(X, S, n_kept, n_rounds, alpha=0.5, beta=0.9):
    """The columns kept after each round of the published iteration, which starts from zeros.

    X has rows as columns here, as in the paper, and S is the similarity of rows.
    """
    d, n = X.shape
    H = (np.eye(n) - 1 / n) / (n - 1)
    is_pair = ~np.eye(n, dtype=bool)

    def largest_rows(M, m):
        found = np.zeros_like(M)
        for i in sorted(range(len(M)), key=lambda i: -(M[i] ** 2).sum())[:m]:
            found[i] = M[i]
        return found

    def off_diagonal_to_unit(M):
        low, high = M[is_pair].min(), M[is_pair].max()
        return np.where(is_pair, (M - low) / ((high - low) or 1.0), 0.0)

    Y, L, M, dual_Y, dual_L, mu, kept = np.zeros((d, n)), 0 * S, 0 * S, np.zeros((d, n)), 0 * S, 1e-6, []
    for _ in range(n_rounds):
        G = (1 - beta) * H @ L @ H
        Z = X - largest_rows(X - Y - (Y @ G - dual_Y) / mu, d - n_kept)
        Y = largest_rows(Z + (Z @ G + dual_Y) / mu, n_kept)
        wanted = ((1 - beta) * off_diagonal_to_unit(H @ Y.T @ Z @ H) + beta * S - dual_L) / mu + M
        values, vectors = np.linalg.eigh(off_diagonal_to_unit(wanted))
        L = vectors @ np.diag(np.where(values > math.sqrt(2 * alpha / mu), values, 0.0)) @ vectors.T
        g = 2 * 5e-3 / mu
        M = np.where(L + dual_L / mu > ((g + 1) / 2 if g > 1 else math.sqrt(g)), 1.0, 0.0)
        np.fill_diagonal(M, 1.0)
        dual_Y, dual_L, mu = dual_Y + mu * (Z - Y), dual_L + mu * (L - M), 1.1 * mu
        kept.append([i for i in range(d) if Y[i].any()])
    return kept, L


def high_bars(scores, n_bars=None):
    """Bars of a histogram that are higher than the mean bar, at least one."""
    n_bars = n_bars or max(1, len(scores) // 2)
    counts, _ = np.histogram(scores, bins=n_bars)
    return max(1, sum(count > sum(counts) / len(counts) for count in counts))


def held_out_losses(predictions, goal, weights, is_class):
    """Loss of each row by size, the mean of all models, relative to guessing: (sizes, rows)."""
    n_rows, n_goals = len(goal), len(goal[0])
    rows, goals = range(n_rows), range(n_goals)
    guess = [sum(weights[i] * goal[i][g] for i in rows) / sum(weights) for g in goals]

    def squares(row, i):
        return sum((row[g] - goal[i][g]) ** 2 for g in goals)

    def misses(row, i):
        return float(row.index(max(row)) != goal[i].index(max(goal[i])))

    found = []
    for size in range(len(predictions[0])):
        of_rows = [0.0] * n_rows
        for model in predictions:
            for loss in (squares, misses) if is_class else (squares,):
                of_guess = sum(weights[i] * loss(guess, i) for i in rows) / n_rows
                share = len(predictions) * (2 if is_class else 1)
                for i in rows:
                    of_rows[i] += weights[i] * loss(model[size][i], i) / of_guess / share
        found.append(of_rows)
    return found


def g_statistic(x, y):
    """G = 2 Σ N ln(N n / (row sum · column sum))."""
    return 2 * len(x) * math.log(2) * mutual_information(x, y)


def permutation_tail(x, y):
    """Share of all orders of y for which G is as large, by trying each."""
    found = g_statistic(x, y)
    values = [g_statistic(x, order) for order in itertools.permutations(y)]
    return sum(value >= found - 1e-9 for value in values) / len(values)


def q_values(p_values, method="bh"):
    """Benjamini–Hochberg or Benjamini–Yekutieli, by definition: the least level at which each is rejected."""
    m = len(p_values)
    factor = sum(1 / k for k in range(1, m + 1)) if method == "by" else 1
    ordered = sorted(p_values)
    return [
        min(1.0, min(ordered[k] * m * factor / (k + 1) for k in range(m) if ordered[k] >= p))
        for p in p_values
    ]


def row_information(x, y):
    """What each row contributes to I(x;y), in bits."""
    n, of_x, of_y, of_both = len(x), Counter(x), Counter(y), Counter(joint(x, y))
    return [math.log2(of_both[a, b] * n / (of_x[a] * of_y[b])) for a, b in joint(x, y)]


def mantel_haenszel(x, y, strata):
    """The Cochran–Mantel–Haenszel statistic of two columns of zeros and ones within strata, by its formula."""
    difference = variance = 0.0
    for stratum in set(strata):
        rows = [(a, b) for a, b, s in joint(x, y, strata) if s == stratum]
        n, of_x, of_y = len(rows), sum(a for a, _ in rows), sum(b for _, b in rows)
        difference += sum(a * b for a, b in rows) - of_x * of_y / n
        if n > 1:
            variance += of_x * (n - of_x) * of_y * (n - of_y) / (n * n * (n - 1))
    return difference**2 / variance


def conditional_g(x, y, given):
    """G of x and y within the joint levels of the given columns, and its degrees of freedom."""
    strata = joint(*given) if given else [()] * len(x)
    statistic, freedom = 0.0, 0
    for stratum in set(strata):
        rows = [(a, b) for a, b, s in joint(x, y, strata) if s == stratum]
        xs, ys = (list(column) for column in zip(*rows, strict=True))
        statistic += g_statistic(xs, ys)
        freedom += (len(set(xs)) - 1) * (len(set(ys)) - 1)
    return statistic, freedom


def sequential_pairs(model, n_copies=1):
    """Knockoffs by sequential conditional independent pairs, by enumeration: P(x, x~) of all pairs.

    The model has the probability of every combination of levels. Columns are drawn from the last to the
    first. A pair is (x, (first copy of each column), (second copy), ...).
    """
    n_columns = len(next(iter(model)))
    drawn = {(x, ((None,) * n_columns,) * n_copies): p for x, p in model.items()}
    for j in reversed(range(n_columns)):
        totals, weights = Counter(), {}
        for (x, copies), p in drawn.items():
            rest = (x[:j] + x[j + 1 :], copies)
            totals[rest] += p
            weights.setdefault(rest, {})[x[j]] = p
        added = Counter()
        for (x, copies), p in drawn.items():
            rest = (x[:j] + x[j + 1 :], copies)
            for levels in itertools.product(weights[rest], repeat=n_copies):
                share = math.prod(weights[rest][level] / totals[rest] for level in levels)
                new = tuple((*c[:j], v, *c[j + 1 :]) for c, v in zip(copies, levels, strict=True))
                added[x, new] += p * share
        drawn = added
    return drawn


def knockoff_threshold(margins, is_won, n_copies, q):
    """The columns that the knockoff+ rule keeps: those from the least threshold on that passes."""
    for threshold in sorted({m for m in margins if m > 0}):
        won = [j for j, m in enumerate(margins) if m >= threshold and is_won[j]]
        lost = [j for j, m in enumerate(margins) if m >= threshold and not is_won[j]]
        if (1 + len(lost)) / n_copies / max(len(won), 1) <= q:
            return won
    return []


def additive_statistic(x, y, given):
    """χ² and its freedom of what regressions on given columns leave of the indicators of x and y."""

    def indicators(column):
        return np.array([[value == level for level in sorted(set(column))[:-1]] for value in column], float)

    n = len(x)
    design = np.column_stack([np.ones(n), *(indicators(column) for column in given)])
    x_left, y_left = (
        made - design @ np.linalg.lstsq(design, made, rcond=None)[0]
        for made in (indicators(x), indicators(y))
    )
    explained = x_left @ np.linalg.lstsq(x_left, y_left, rcond=None)[0]
    shares = np.linalg.solve(y_left.T @ y_left, explained.T @ explained)
    return (n - np.linalg.matrix_rank(design)) * float(np.trace(shares)), x_left.shape[1] * y_left.shape[1]
