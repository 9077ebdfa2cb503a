"""Partitions in this process."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from entropick._base.threads import Threads
from entropick.table.executors.faults import own_errors

Counted = TypeVar("Counted")

SECONDS_PER_PARTITION = 0.1  # a rough estimate, large enough that threads take partitions one by one


class InThreads:
    """`entropick.contracts.Partitions` of a list whose items threads process."""

    def __init__(self, items: Sequence[Any], threads: Threads) -> None:
        self._items, self._threads = items, threads

    def map(self, call: Callable[..., object], *args: Any) -> "InThreads":
        return InThreads(self._called(call, args), self._threads)

    def reduce(
        self, call: Callable[..., Counted], add: Callable[[Sequence[Counted]], Counted], *args: Any
    ) -> Counted:
        return add(self._called(call, args))

    def only(self, k: int) -> "InThreads":
        """One of the partitions."""
        return InThreads(self._items[k : k + 1], self._threads)

    def _called(self, call: Callable[..., Counted], args: tuple[Any, ...]) -> list[Counted]:
        args = tuple(arg._items[0] if isinstance(arg, InThreads) else arg for arg in args)
        found: dict[int, Counted] = {}

        def run(start: int, stop: int) -> None:
            for p in range(start, stop):
                found[p] = call(self._items[p], *args)

        with own_errors():
            self._threads.run(run, len(self._items), SECONDS_PER_PARTITION)
        return [found[p] for p in range(len(self._items))]
