"""Lazy imports: a fit loads only the modules it needs."""

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

Kind = TypeVar("Kind")


def attach(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` for a package that imports its modules on first use.

    Parameters
    ----------
    package : `__name__` of the package
    homes : public names by the module that defines them
    """
    home_of = {name: module for module, names in homes.items() for name in names}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)  # later lookups skip __getattr__
        return value

    return get, lambda: sorted(home_of), list(home_of)


class LazyClasses(Mapping[str, type[Kind]], Generic[Kind]):
    """Classes of a package by name; each is loaded when it is looked up.

    Parameters
    ----------
    package : its `__name__`
    class_names : name to the name of the class
    """

    def __init__(self, package: str, class_names: Mapping[str, str]) -> None:
        self._package = package
        self._class_names = class_names

    def __getitem__(self, name: str) -> type[Kind]:
        found: type[Kind] = getattr(sys.modules[self._package], self._class_names[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._class_names)

    def __len__(self) -> int:
        return len(self._class_names)

    def __contains__(self, name: object) -> bool:
        return name in self._class_names  # without loading it
