"""Generators of the data sets defined in the papers."""

from entropick.datasets.digits import make_gina, make_gisette
from entropick.datasets.synthetic import make_corral, make_hyperspheres, make_led24, make_madelon
from entropick.datasets.worked_examples import (
    make_bayes_table1,
    make_nefs_figure1,
    make_renyi_figure1,
    make_renyi_section32,
)

__all__ = [
    "make_bayes_table1",
    "make_corral",
    "make_gina",
    "make_gisette",
    "make_hyperspheres",
    "make_led24",
    "make_madelon",
    "make_nefs_figure1",
    "make_renyi_figure1",
    "make_renyi_section32",
]
