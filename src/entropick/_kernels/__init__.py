"""The compiled loops with names and types: arrays and scalars in, arrays filled.

Each module is the face of one file of `cpp/`, from which `entropick._core` is built. The rules of these loops
stand in CONTRIBUTING.md.
"""
