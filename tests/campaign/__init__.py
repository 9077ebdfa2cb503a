"""Random trials, as many as time allows; each can be repeated from its number."""
