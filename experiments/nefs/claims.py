"""The paper's claims, one by one, with the rule that decides each of them."""

from experiments.nefs.claims_corral import on_corral
from experiments.nefs.claims_general import in_general, on_time
from experiments.nefs.claims_hyperspheres import on_hyperspheres
from experiments.nefs.claims_others import on_gas, on_others, on_segment, on_usps
from experiments.nefs.claims_spambase import on_spambase
from experiments.protocol import Claim, Results

PARTS = (on_corral, on_spambase, on_segment, on_hyperspheres, on_gas, on_usps, on_others, in_general, on_time)


def claims(results: Results) -> list[Claim]:
    """All verdicts, whatever part of the cells is there."""
    return [claim for part in PARTS for claim in part(results)]
