"""Tables."""


def sections(results):
    return []
