"""The papers' experiments: protocols as data, one runner, verdicts, and the page made of them."""
