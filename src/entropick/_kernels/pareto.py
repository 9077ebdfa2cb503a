"""Non-dominated ranks and crowding of points with two objectives, both minimised."""

from entropick._core import crowding as crowding, front_ranks as front_ranks
