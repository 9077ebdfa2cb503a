"""Speed, scaling and memory of entropick compared with other libraries. See README.md."""
