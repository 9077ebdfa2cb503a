# Works on a fresh machine with Python 3.11 or newer and a C++ compiler; `make setup` runs when needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Installed: the package and its program; what development needs; what the site needs.
READY := $(VENV)/.ready
DEV := $(VENV)/.dev
DOCS := $(VENV)/.docs
CORE := $(wildcard cpp/*.cpp cpp/*.hpp) cpp/CMakeLists.txt
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help setup compiler demo test test-all lint types derived sanitize checked processors portable wheel cluster-example bench browser postgres engines editor first-minutes reproduction docs docs-test docs-links interop oldest \
  campaign laws coverage coverage-core mutate audit sbom locks same-wheel sanitize-threads strict arm arm-loops soak

help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 17

setup: $(DEV) ## create .venv and install the package for development

$(READY): pyproject.toml $(CORE)
	$(call install,cli)
	@touch $(READY)

$(DEV): pyproject.toml $(CORE)
	$(call install,dev$(comma)cli$(comma)plot)
	@touch $(READY) $(DEV)

# Bytecode is made on all processors, which pip does not, also if Python is set not to write it.
comma := ,
define install
@$(MAKE) --no-print-directory compiler
test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
$(PIP) install --no-compile --editable ".[$(1)]"
@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib src/entropick || true
endef

compiler: # a C++ compiler, installed where that is allowed
	@command -v "$${CXX:-c++}" >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null \
	  || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	       && { timeout 60 apt-get update -qq; timeout 300 apt-get install -y -qq --no-install-recommends g++; } >/dev/null 2>&1; } \
	  || { echo "Building entropick needs a C++20 compiler: install g++ 11 or clang 14 or newer (Debian: apt-get install g++)."; exit 1; }

demo: $(READY) ## select columns of a built-in data set, explain how many, and write a report
	$(BIN)/python examples/quickstart.py
	@echo
	$(BIN)/entropick select breast_cancer --report entropick-report.html

browser: ## install chromium for the browser tests, where that is allowed
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	  && { timeout 40 apt-get update -qq; timeout 120 apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1; } \
	  || echo "No chromium, and it cannot be installed here: the browser tests will be skipped."

postgres: ## install PostgreSQL for the tests of databases, where that is allowed
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	  && { timeout 40 apt-get update -qq; timeout 120 apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null 2>&1; } \
	  || echo "No PostgreSQL, and it cannot be installed here: its tests will be skipped."

engines: $(DEV) postgres ## test every criterion inside DuckDB, SQLite, PostgreSQL and Spark (which needs Java)
	$(PIP) install "pyspark>=4"
	ENTROPICK_ENGINES=all $(BIN)/python -m pytest --quiet -rs tests/table/test_database_servers.py tests/table/executors/test_spark.py

# Tests are compiled once for all runs, also where Python is told not to write bytecode.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --quiet -n 2 --dist loadgroup
test: $(DEV) ## run the linter, the type checker and the tests that matter most, in a few minutes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-small} $(PYTEST) -m "not slow" tests src

test-all: test browser postgres ## run these, then the slow tests, and the property tests with more examples
	HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-medium} $(PYTEST) -rs -m "slow or hypothesis"

lint: $(DEV) ## check and format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i cpp/*.cpp cpp/*.hpp

derived: $(DEV) ## write the classes of the selectors, and the page of all parts, from the parts
	$(BIN)/python -m tools.make_derived

types: $(DEV) ## check the types
	$(BIN)/mypy

editor: $(DEV) ## check the code of a user with pyright, mypy and the completion of editors
	$(PIP) install "jedi>=0.19"
	mkdir -p build && cd build && npm install --silent --no-save --prefix . pyright@1
	$(BIN)/python -m pytest --quiet tests/editor

first-minutes: compiler ## run README, front page and "Get started" in empty environments with what they install
	$(PYTHON) tools/first_minutes.py

reproduction: $(DEV) ## print the verdict on each claim of the papers, from the stored results
	$(BIN)/python -m reproduction all --stored --offline --quiet

SITE := build/docs
$(DOCS): $(DEV)
	$(PIP) install --editable ".[docs]"
	@touch $(DOCS)

docs: $(DOCS) ## build the documentation site, with the examples of the gallery, in build/docs
	@# -a writes all pages: added to an older search index, new pages would not be found first.
	$(BIN)/python -m sphinx -W --keep-going --quiet -a -j 2 -b html -d build/doctrees docs $(SITE)
	@echo "The site is in $(SITE)/index.html"

docs-test: docs browser ## open the site in a browser: links, images, search, accessibility
	cd build && npm install --silent --no-save --prefix . axe-core@4
	$(BIN)/python -m pytest --quiet tests/site tests/report/test_in_browser.py

docs-links: docs ## check every link to other sites
	$(BIN)/python -m sphinx --quiet -b linkcheck -d build/doctrees docs build/links

interop: $(DEV) ## install other libraries and run the recipes with them
	$(PIP) install --editable ".[test,interop]"
	$(BIN)/python -m pytest --quiet -rs tests/test_interoperation.py

OLDEST_TESTS := tests/selectors/test_selectors.py tests/table tests/measures/test_several_targets.py tests/cli tests/report/test_page.py
oldest: compiler ## run a part of the tests (OLDEST_TESTS) with the oldest libraries that are supported
	rm -rf build/oldest && $(PYTHON) -m venv build/oldest && build/oldest/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/oldest/bin/uv pip install --quiet --python build/oldest/bin/python --resolution lowest-direct ".[dev,cli,plot]"
	build/oldest/bin/python -m pytest --quiet -W ignore::DeprecationWarning $(OLDEST_TESTS)

# The package with a core built by other options, in build/<name>/package.
define core_of_its_own
$(PIP) install "nanobind>=2.4,<3" "cmake>=3.18" ninja
$(BIN)/cmake -S cpp -B build/$(1) -G Ninja -DCMAKE_MAKE_PROGRAM="$(abspath $(BIN))/ninja" \
  -DPython_EXECUTABLE="$(abspath $(BIN))/python" $(2) >/dev/null
$(BIN)/cmake --build build/$(1)
rm -rf build/$(1)/package && mkdir -p build/$(1)/package
cp -r src/entropick build/$(1)/package && rm -f build/$(1)/package/entropick/_core*.so
cp build/$(1)/_core*.so build/$(1)/package/entropick
endef

OF_CORE := tests/core
CASES := 10000  # random tables
SHAPES := 200   # tables of text columns of unlike numbers of levels
WATCHED = PYTHONPATH=build/sanitize/package:tests PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
  LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" UBSAN_OPTIONS=print_stacktrace=1
sanitize: $(DEV) ## test the compiled core with checked indices, address and undefined behaviour sanitizers
	$(call core_of_its_own,sanitize,-DENTROPICK_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug)
	$(WATCHED) $(BIN)/python -m pytest --quiet --capture=no $(OF_CORE)
	$(WATCHED) $(BIN)/python -m campaign.shapes --shapes $(SHAPES)
	$(WATCHED) $(BIN)/python -m campaign.fits --cases $(CASES)

RACES = PYTHONPATH=build/threads/package:tests OPENBLAS_NUM_THREADS=1 POLARS_MAX_THREADS=1 TSAN_OPTIONS=halt_on_error=1:exitcode=66:report_signal_unsafe=0 \
  LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libtsan.so)" setarch -R
sanitize-threads: $(DEV) ## test the compiled core in threads with the thread sanitizer
	$(call core_of_its_own,threads,-DENTROPICK_THREADS=ON -DCMAKE_BUILD_TYPE=Debug)
	$(RACES) $(BIN)/python -m campaign.races

strict: $(DEV) ## compile the core with all warnings as errors (CXX=clang++ for the other compiler)
	rm -rf build/strict
	$(call core_of_its_own,strict,-DENTROPICK_STRICT=ON)

ARM := aarch64-linux-gnu-g++
arm: $(DEV) ## check that the core compiles for 64-bit ARM (Debian: apt-get install g++-aarch64-linux-gnu)
	$(PIP) install "nanobind>=2.4,<3"
	for file in cpp/*.cpp; do echo $$file; $(ARM) -std=c++20 -O1 -fsyntax-only -fvisibility=hidden -Wall -Wextra -Wno-maybe-uninitialized -Wno-psabi -Werror -Icpp \
	  -I"$$($(BIN)/python -c 'import nanobind; print(nanobind.include_dir())')" \
	  -I"$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["include"])')" $$file || exit 1; done

LOOPS := moments correlations lasso pairs binning subsets
LOOP_FLAGS = -std=c++20 -O2 -ffp-contract=off -fno-math-errno -fwrapv -fvisibility=hidden -w -ffunction-sections -static -Wl,--gc-sections \
  -Wl,--unresolved-symbols=ignore-all -Icpp -I"$$($(BIN)/python -c 'import nanobind; print(nanobind.include_dir())')" \
  -I"$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["include"])')"
arm-loops: $(DEV) ## compare the loops of the core, without Python, on this processor and on 64-bit ARM (needs qemu-user, too)
	$(PIP) install "nanobind>=2.4,<3"
	mkdir -p build/arm
	for loops in $(LOOPS); do for compiler in g++ $(ARM); do $$compiler $(LOOP_FLAGS) -D$$(echo $$loops | tr a-z A-Z) \
	  -DSOURCE="\"$$loops.cpp\"" tests/core/elsewhere/loops.cpp -o build/arm/$$loops-$$compiler || exit 1; done; \
	  here=$$(build/arm/$$loops-g++); there=$$(qemu-aarch64 build/arm/$$loops-$(ARM)); echo "$$here / $$there"; test "$$here" = "$$there" || exit 1; done

FITS := 100000
RUNS := 10000
soak: $(DEV) ## FITS (100,000) fits and RUNS (10,000) runs of the program in a row: memory, threads and files must not grow
	PYTHONPATH=src:tests $(BIN)/python -m campaign.soak --fits $(FITS) --runs $(RUNS)

checked: $(DEV) ## test the compiled core with checked indices alone, which is faster
	$(call core_of_its_own,checked,-DENTROPICK_CHECKED=ON)
	PYTHONPATH=build/checked/package:tests $(BIN)/python -m pytest --quiet -n 2 $(OF_CORE)
	PYTHONPATH=build/checked/package:tests $(BIN)/python -m campaign.shapes --shapes $(SHAPES)

# A command for each kind of processor that this machine has, which is then in the variable.
KINDS = for kind in plain avx2 avx512; do export ENTROPICK_PROCESSOR=$$kind; \
  $(BIN)/python -c "import entropick._core" 2>/dev/null || { echo "this machine has no $$kind"; continue; }; \
  echo "$$kind:"; $(1) || exit 1; done
processors: $(DEV) ## test the compiled core for each kind of processor that this machine has
	@$(call KINDS,$(BIN)/python -m pytest --quiet -n 2 $(OF_CORE))

SHORT :=
portable processors: export HYPOTHESIS_PROFILE := $(or $(HYPOTHESIS_PROFILE),$(if $(SHORT),small,push))
portable: processors ## test stored results and documentation examples as other processors would (SHORT=--short: in minutes)
	$(BIN)/python tools/portable.py $(SHORT)

COUNTED = PYTHONPATH=build/coverage/package:tests $(BIN)/python
coverage-core: $(DEV) ## measure the branch coverage of the compiled core, for all kinds of processors together
	$(call core_of_its_own,coverage,-DENTROPICK_COVERAGE=ON -DCMAKE_BUILD_TYPE=Debug)
	find build/coverage -name '*.gcda' -delete
	@$(call KINDS,$(COUNTED) -m pytest --quiet $(OF_CORE) tests/measures/neighbors/test_tied_rows.py)
	$(COUNTED) -m campaign.shapes --shapes 20
	$(COUNTED) -m campaign.fits --cases 300
	$(BIN)/python tools/core_coverage.py build/coverage --fail-under 95

BUDGET := 60
campaign: $(DEV) ## try to break it for BUDGET minutes (60), resuming from build/campaign/log.jsonl
	PYTHONPATH=src:tests $(BIN)/python -m campaign --budget $(BUDGET)

PROFILE := nightly
laws: $(DEV) ## run the property tests with many examples (PROFILE=nightly: 1,000, release: 10,000)
	HYPOTHESIS_PROFILE=$(PROFILE) $(BIN)/python -m pytest --quiet -n 2 -m hypothesis

coverage: $(DEV) ## measure the branch coverage of the tests
	$(PIP) install "coverage>=7.10"
	$(BIN)/python -m coverage run -m pytest --quiet -n 2
	$(BIN)/python -m coverage combine --quiet && $(BIN)/python -m coverage report --sort=cover --skip-covered

MUTANTS := 200
SEED := 0
mutate: $(DEV) ## change MUTANTS (200) random places of the code (by SEED, 0) and count how many the tests notice
	$(PIP) install "coverage>=7.4"
	$(BIN)/python tools/mutate.py --mutants $(MUTANTS) --seed $(SEED)

audit: $(DEV) ## check dependencies for known vulnerabilities, and write the bill of materials of the wheel
	$(PIP) install "pip-audit>=2.7" "cyclonedx-bom>=5"
	mkdir -p build && $(BIN)/python -m pip freeze --exclude-editable > build/libraries.txt
	$(BIN)/python -m pip_audit --strict --disable-pip --no-deps --requirement build/libraries.txt
	$(MAKE) --no-print-directory sbom

sbom: compiler # what an installation of the package with the program has in it, and nothing of development
	rm -rf build/installed && $(PYTHON) -m venv --without-pip build/installed
	$(PYTHON) -m pip --python build/installed/bin/python --quiet install ".[cli]"
	$(BIN)/python -m pip install --quiet "cyclonedx-bom>=5"
	$(BIN)/cyclonedx-py environment build/installed/bin/python --output-file build/sbom.json

LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate
locks: $(DEV) ## update the locks of continuous integration and of releases to the newest libraries
	$(PIP) install uv
	$(LOCK) --upgrade requirements/build.in -o requirements/build.txt
	$(LOCK) --upgrade pyproject.toml --extra dev --extra cli --extra plot -o requirements/ci.txt

same-wheel: compiler ## build the wheel of the last commit twice, in two folders, and compare the bytes
	rm -rf build/same && mkdir -p build/same
	$(PYTHON) -m venv build/same/builder
	build/same/builder/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/build.txt
	for folder in one another/folder; do \
	  mkdir -p build/same/$$folder && git archive HEAD | tar -x -C build/same/$$folder && \
	  SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) PATH="$(abspath build/same/builder/bin):$$PATH" build/same/builder/bin/python -m pip wheel --quiet \
	    --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir build/same/$$folder/dist build/same/$$folder || exit 1; done
	sha256sum build/same/one/dist/*.whl build/same/another/folder/dist/*.whl
	cmp build/same/one/dist/*.whl build/same/another/folder/dist/*.whl

wheel: compiler ## build the distributions and test the wheel in an empty environment
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install "build>=1.2"
	rm -rf dist build/try && $(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv build/try
	build/try/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd build && try/bin/python -c "import entropick as ep; from sklearn.datasets import load_wine; \
	  print(ep.__file__); print(ep.JMI(n_features=3).fit(*load_wine(return_X_y=True)).get_support(indices=True))"

cluster-example: compiler ## install '.[dask]' in an empty environment and run the examples of its page there
	rm -rf build/dask && $(PYTHON) -m venv build/dask
	build/dask/bin/python -m pip install --quiet --disable-pip-version-check ".[dask]"
	cd build && dask/bin/python -m doctest -o NORMALIZE_WHITESPACE ../docs/larger-than-one-machine.md
	cd build && dask/bin/python ../examples/larger_than_one_machine.py

bench: $(DEV) ## time this library and installable peers
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.scaling
	$(BIN)/python -m benchmarks.neighborhood
	$(BIN)/python -m benchmarks.graph
	$(BIN)/python -m benchmarks.subsets
