"""Mei, Xue and Zhang: fast bi-objective feature selection using entropy measures and Bayesian inference."""

from reproduction.texts import Texts

EXPERIMENT = Texts("bayes").experiment()
