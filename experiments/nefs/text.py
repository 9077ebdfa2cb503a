"""What is done, in words."""

PROTOCOL = """\
**Data.** SPAMBASE_N and SEGMENT_N are the KEEL row set of SPAMBASE (4597 × 57) and SEGMENT (2310 × 19) with
20 % of the values of each column replaced by uniform draws from its range (seed 0): KEEL's rule, but not
the cells KEEL hit. GAS has 6697 of the paper's 13910 rows (batches 7 and 10 are missing). ABALONE,
ARRHYTHMIA and USPS are those of the paper. CORRAL and HYPERSPHERES are generated; HYPERSPHERES is uniform
on [−10, 10], because the normal distribution the paper names gives one class only, and each repeat has a
table of its own. SMK_CAN_187 is missing.

**Methods.** NEFS, SNEFS and RELIEFF with k = 4, RELIEFF on n/4 random rows, RRPC_S with all labels, RRPC_SS
with 80 % of the labels hidden, mRMR with β = 1/|S|. NEFS looks for neighbours exactly (the paper's hashing
is an approximation of that), on at most 3000 random training rows of GAS and USPS. SNEFS hashes with the
library's 20 tables. X-MIFS works on columns cut in two, as in the paper, which does not say where; mRMR's
histograms are not described at all. Both are run with two bins that halve the range of a column. This rule
was chosen afterwards: of five tried on one split of SPAMBASE_N (two quantiles; two, five and ten bins of
equal width; ten quantiles) it came nearest to the paper's level, so that where X-MIFS and mRMR lose by it,
the agreement with the paper is no evidence of its own. Beside it stand both on quantiles (X-MIFS two, mRMR
ten), the library's default, with verdicts of their own ("beyond the paper"). For SPAMBASE_N there is also
RRPC_S by eq. 7 as printed, without absolute values.

**Classifiers** (scikit-learn). RF: 20 trees, bootstrap, entropy. SVM: RBF kernel, C = 1. kNN: 4 neighbours.
MLP: 20 tanh neurons, SGD, adaptive rate from 1.0, divided by 5 after two epochs without gain, 20 % held out
for early stopping, at most 100 epochs. All but RF on columns standardised by the training rows; the paper
says nothing on scaling.

**Splits.** Ten folds, as in the paper; columns are always selected in the training part. The paper does not
say so; for SPAMBASE_N and ARRHYTHMIA selection on all rows is run beside it. Folds are stratified but for
ABALONE and ARRHYTHMIA, which have classes of one or two rows. CORRAL's orders: 100 runs, each with another
order of rows and another seed. SPAMBASE_N with N = D: 40 draws of 57 rows, tested on all other rows (the
paper: ten folds within the few rows).

**Tests.** Two methods: paired t-test over the folds at 0.05; folds share training rows, so its p-values are
rather small. All methods: Friedman's test at 0.01, folds as blocks.

**The short version** has 30 runs on CORRAL, 2 to 5 folds, 300 to 1500 rows of all but the generated data,
10 draws of few rows and fewer tables in the time measurements. HYPERSPHERES keeps its 5000 rows: with 3000
SNEFS found 4 of the 7 columns in the one table that was tried. A difference in the paper's direction that
is not significant with fewer than ten folds counts as "cannot be checked".
"""
