"""What the rules keep and lose, by method and data set."""


def claims(results):
    return []
