# Two commands do all the set-up: `make demo` and `make test`.
VENV ?= .venv
BIN := $(VENV)/bin
EXAMPLES := src/steelyard/data/examples
export PYTHON

.PHONY: help demo test test-all system docker docker-stop lint types unit doctests slow golden reference lock benchmarks \
	coverage bench bench-peers bench-sandbox clean

help:
	@echo "make demo        set up, score the bundled examples, run a benchmark against a small model on this machine, and verify the run"
	@echo "make test        set up, and run every check but the slow tests"
	@echo "make test-all    the same, the slow tests, and the benchmarks once on small data"
	@echo "make slow        the slow tests alone: attacks, Docker, PostgreSQL, most of the browser, kills, fuzzing, races, guides"
	@echo "make coverage    measure which lines and branches all tests run"
	@echo "make system      install what the sandbox and the browser's tests need (Debian and its kin, as root); part of make test"
	@echo "make docker      start a Docker daemon for the tests, and make their image; the tests do so themselves"
	@echo "make docker-stop end that daemon"
	@echo "make reference   write docs/reference/ again from the registries"
	@echo "make golden      write the golden outputs of tests/golden again"
	@echo "make lock        write requirements/ and docs/reference/licences.md again; UPGRADE=1 takes the newest versions"
	@echo "make bench       measure how fast answers are scored"
	@echo "make bench-sandbox measure how fast programs are run in each sandbox"
	@echo "make bench-peers set up the peers that the measurement compares with, where they can be had"
	@echo "make clean       remove the virtual environments and caches"

demo: $(VENV)/.installed-local
	@echo "— one submission against a spec —"
	$(BIN)/steelyard score --spec $(EXAMPLES)/spec.json --submission $(EXAMPLES)/submission.json \
		--truth $(EXAMPLES)/truth.json --time-used 42
	@echo "— a file of answers with one scorer —"
	$(BIN)/steelyard score --scorer answer_line $(EXAMPLES)/answers.jsonl --by category
	@echo "— a small model on this machine over a bundled benchmark —"
	rm -rf runs/demo
	$(BIN)/steelyard eval run --bench trivia --max-problems 40 --output runs/demo
	@echo "— the same run, computed again from its files —"
	$(BIN)/steelyard verify runs/demo

test: lint types unit doctests

test-all: test slow benchmarks

slow: $(VENV)/.installed-dev system
	$(BIN)/python -m pytest -n auto --dist worksteal --durations 10 -m slow

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

system:
	@sh scripts/system_packages.sh

docker: system
	DOCKER_HOST="$$(sh scripts/start_docker.sh)" /usr/bin/python3 scripts/make_image.py

docker-stop:
	sh scripts/stop_docker.sh

unit: $(VENV)/.installed-dev system
	$(BIN)/python -m pytest -n auto --dist worksteal --durations 25 -m "not slow"

doctests: $(VENV)/.installed-dev system
	$(BIN)/python -m pytest --doctest-modules src --ignore src/steelyard/store/migrations # which only Alembic can run

# A few tests of signals and full disks fail while they are measured; the report is printed all the same.
coverage: export COVERAGE_FILE = $(CURDIR)/.coverage
coverage: $(VENV)/.installed-dev system
	$(BIN)/coverage erase
	-$(BIN)/coverage run -m pytest -n auto --dist worksteal
	-$(BIN)/coverage run -m pytest --doctest-modules src --ignore src/steelyard/store/migrations
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

golden: $(VENV)/.installed-dev system
	GOLDEN=write $(BIN)/python -m pytest tests/golden

reference: $(VENV)/.installed-dev
	$(BIN)/python scripts/build_reference.py

# Needs no environment of ours: it makes one of its own, with uv in it.
lock:
	"$$(sh scripts/find_python.sh)" scripts/update_lock.py $(if $(UPGRADE),--upgrade)

benchmarks: $(VENV)/.installed-dev system
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/reading.py --smoke
	$(BIN)/python benchmarks/scoring.py --smoke
	$(BIN)/python benchmarks/sandbox.py --smoke
	$(BIN)/python benchmarks/reference.py --smoke
	$(BIN)/python benchmarks/eval_loop.py --smoke
	$(BIN)/python benchmarks/report.py --smoke
	$(BIN)/python benchmarks/stats.py --smoke
	$(BIN)/python benchmarks/coverage.py --smoke
	$(BIN)/python benchmarks/gate.py --smoke
	$(BIN)/python benchmarks/arena.py --smoke

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/scoring.py

bench-sandbox: $(VENV)/.installed-dev system
	$(BIN)/python benchmarks/sandbox.py

bench-peers: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/peers/setup.py

# A stamp is older than its lock file or pyproject.toml where an installation is due.
$(VENV)/.installed: scripts/make_venv.sh scripts/find_python.sh scripts/install_locked.sh pyproject.toml requirements/build.txt
	sh scripts/make_venv.sh $(VENV)
	@touch $@

# The embedded model: the library that runs it, and its weights, which go into the user's cache.
$(VENV)/.installed-local: $(VENV)/.installed requirements/demo.txt
	sh scripts/install_locked.sh $(VENV) demo
	$(BIN)/steelyard model pull
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements/dev.txt
	sh scripts/install_locked.sh $(VENV) dev
	@touch $@

clean:
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis
