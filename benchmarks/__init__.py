"""Speed, growth and memory of entropick, next to the libraries one can install instead. See README.md."""
