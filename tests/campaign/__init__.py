"""Trials with random input, as many as time allows; each can be repeated from its number."""
