"""`kernel` compiles a function and keeps the machine code on disk, but never fails because of the disk."""

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numba

# Small functions that are compiled into the kernels calling them.
helper = numba.njit(nogil=True)
# The same for those that take many arrays: left to itself, the compiler would hand these over one by one.
inlined = numba.njit(nogil=True, forceinline=True)

_warned = False


class CacheWarning(UserWarning):
    """The compiled kernels could not be kept on disk; they are compiled anew in each process."""


def kernel(function: Callable[..., Any]) -> "_Kernel":
    """Compile `function` on first call, with numba's disk cache where the disk allows it."""
    return _Kernel(function)


class _Kernel:
    """A compiled function with an uncached twin to fall back on.

    numba's cache raises at decoration (no writable place), at the first call (disk full) or at
    every call (truncated or corrupt file). None of these is the user's problem: the twin is
    compiled in memory, with one warning per process. Kernels never raise themselves, so any
    exception from the cached version comes from the cache, or comes again from the twin.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._cached = True
        try:
            self._compiled = numba.njit(cache=True, nogil=True)(function)
        except RuntimeError as error:
            self._compile_without_cache(error)

    def __call__(self, *args: Any) -> Any:
        try:
            return self._compiled(*args)
        except Exception as error:
            if not self._cached:
                raise
            self._compile_without_cache(error)
            return self._compiled(*args)

    def _compile_without_cache(self, reason: Exception) -> None:
        global _warned
        self._compiled = numba.njit(nogil=True)(self._function)
        self._cached = False
        if not _warned:
            _warned = True
            warnings.warn(
                f"numba's cache cannot be used ({type(reason).__name__}: {reason}); compiling in "
                "memory, which costs some seconds in each new process. Hint: set NUMBA_CACHE_DIR "
                "to a writable directory, or delete its damaged files.",
                CacheWarning,
                stacklevel=3,
            )
