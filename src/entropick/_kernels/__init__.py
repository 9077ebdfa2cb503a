"""Compiled loops: arrays and scalars in, arrays filled; the only place that imports numba.

Rules of this folder
--------------------
- A kernel validates nothing, allocates nothing inside its inner loops and never raises.
- Kernels are serial and release the GIL; threads are made in `entropick.threads` alone.
- Counts are integers, entropy sums are integers (see `entropick.counting.surprisal`), so that the
  order of rows, levels, blocks and threads cannot change a result.
- Helpers called by a kernel stand in the kernel's own file or in `primitives.py`: numba's disk
  cache notices a change only in the file of the kernel itself.
"""
