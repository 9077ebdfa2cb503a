"""The papers' experiments: protocols as data, one runner, verdicts, and the page generated from them."""
