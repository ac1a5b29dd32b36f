# Two commands do all the set-up: `make demo` and `make test`.
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EXAMPLES := src/steelyard/data/examples
export PYTHON

.PHONY: help demo test test-all lint types unit doctests reference benchmarks bench bench-peers clean

help:
	@echo "make demo        set up, and score the bundled examples"
	@echo "make test        set up, and run every check"
	@echo "make test-all    the same, and the benchmarks once on small data"
	@echo "make reference   write docs/reference/ again from the registries"
	@echo "make bench       measure how fast answers are scored"
	@echo "make bench-peers set up the peers that the measurement compares with, where they can be had"
	@echo "make clean       remove the virtual environments and caches"

demo: $(VENV)/.installed
	@echo "— one submission against a spec —"
	$(BIN)/steelyard score --spec $(EXAMPLES)/spec.json --submission $(EXAMPLES)/submission.json \
		--truth $(EXAMPLES)/truth.json --time-used 42
	@echo "— a file of answers with one scorer —"
	$(BIN)/steelyard score --scorer answer_line $(EXAMPLES)/answers.jsonl --by category

test: lint types unit doctests

test-all: test benchmarks

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

unit: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto

doctests: $(VENV)/.installed-dev
	$(BIN)/python -m pytest --doctest-modules src

reference: $(VENV)/.installed-dev
	$(BIN)/python scripts/build_reference.py

benchmarks: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/scoring.py --smoke
	$(BIN)/python benchmarks/reference.py --smoke

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/scoring.py

bench-peers: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/peers/setup.py

# The stamps spare an installation while pyproject.toml is unchanged.
$(VENV)/.installed: pyproject.toml scripts/make_venv.sh scripts/find_python.sh
	sh scripts/make_venv.sh $(VENV)
	$(PIP) -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP) -e '.[dev]'
	@touch $@

clean:
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis
