# Everything works on a fresh machine with Python 3.11 or newer; `make setup` is done when needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup demo test lint types derived bench browser

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(READY) ## make .venv and install the package with what development needs

$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,cli,plot]"
	@touch $(READY)

demo: $(READY) ## select features on a built-in data set, compare methods and write a report
	$(BIN)/python examples/quickstart.py
	@echo
	$(BIN)/entropick compare breast_cancer --report entropick-report.html

browser: ## install chromium for the browser tests, where that is allowed
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	  && { timeout 40 apt-get update -qq; timeout 120 apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1; } \
	  || echo "No chromium, and it cannot be installed here: the browser tests will be skipped."

test: $(READY) browser ## run the linter, the type checker and the tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --quiet -n 2

lint: $(READY) ## check and format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

derived: $(READY) ## write the type stub and the page that follow from the parts
	$(BIN)/python tools/make_derived.py

types: $(READY) ## check the types
	$(BIN)/mypy

bench: $(READY) ## time this library and installable peers
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.scaling
	$(BIN)/python -m benchmarks.neighborhood
	$(BIN)/python -m benchmarks.graph
	$(BIN)/python -m benchmarks.subsets
