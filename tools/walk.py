"""Which files of the package a fit passes through, and how often control goes from one to another.

python -m tools.walk          # JMI with 10 columns on wine
python -m tools.walk 3 tree   # 3 columns, and every call
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import entropick as ep

PACKAGE = str(Path(ep.__file__).parent) + "/"


@dataclass
class Walk:
    """Calls within the package, in order: the depth, file and function of each, and moves between files."""

    calls: list[tuple[int, str, str]] = field(default_factory=list)
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)  # calls that go to another file
    n_returns: int = 0  # from one file to another

    @property
    def files(self) -> Counter[str]:
        """How often functions of each file are called."""
        return Counter(file for _, file, _ in self.calls)


def follow(work: Callable[[], object]) -> Walk:
    """Record the calls within the package while something runs."""
    walk, stack = Walk(), [""]

    def watch(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event not in ("call", "return") or not code.co_filename.startswith(PACKAGE):
            return
        if event == "return":
            walk.n_returns += stack.pop() != stack[-1]
            return
        file = code.co_filename.removeprefix(PACKAGE)
        if file != stack[-1]:
            walk.moves[stack[-1], file] += 1
        walk.calls.append((len(stack), file, code.co_qualname))
        stack.append(file)

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return walk


def walk_of_a_fit(n_features: int = 10) -> Walk:
    """The second `JMI.fit` on wine: nothing is loaded or compiled any more."""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    selector = ep.JMI(n_features).fit(X, y)
    return follow(lambda: selector.fit(X, y))


def main(n_features: str = "10", *more: str) -> None:
    """Print the files, the moves between them and, if anything more is given, all calls."""
    walk = walk_of_a_fit(int(n_features))
    if more:
        print(*("  " * depth + f"{file}: {function}" for depth, file, function in walk.calls), sep="\n")
    for file, n_calls in walk.files.most_common():
        print(f"{n_calls:5} calls in {file}")
    for (here, there), n in walk.moves.most_common(20):
        print(f"{n:5} from {here or 'outside'} to {there}")
    print(f"{len(walk.files)} files, {walk.moves.total()} calls between files, {walk.n_returns} returns")


if __name__ == "__main__":
    main(*sys.argv[1:])
