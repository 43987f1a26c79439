# make demo   sets up, then checks, fixes and renders the answer in examples/
# make test   sets up, then runs the tests

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup demo renderers fuzz test test-lowest lint format types check acceptance bench bench-smoke docs lock clean

help:
	@echo 'make demo         check, fix and render the answer in examples/'
	@echo 'make test         run the tests'
	@echo 'make renderers    add the renderers of Node (20 or newer) to those that the tests show texts to'
	@echo 'make fuzz         random documents, 200,000 of them, until one gets through'
	@echo 'make test-lowest  the same, with the oldest dependencies that are admitted'
	@echo 'make check        lint, types and tests, as before a commit'
	@echo 'make acceptance   what must hold on the corpora, as a table (where they are beside the checkout)'
	@echo 'make bench        timings, side by side'
	@echo 'make format       put the code into its one form'
	@echo 'make docs         write the generated pages of docs/ anew'
	@echo 'make lock         resolve the versions in constraints/ anew'
	@echo 'make clean        remove what make made'

setup: $(READY)

# What is installed is what constraints/dev.txt names, checked by hash; this project itself comes last.
$(READY): pyproject.toml constraints/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'citelint needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …'; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo 'cannot make a virtual environment: is the venv package of $(PYTHON) installed?'; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh build/demo

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz

test: $(READY)
	$(BIN)/python -m pytest

# What is installed is what package-lock.json names, checked by hash; no script of a package runs.
renderers:
	npm --prefix tests/renderers/node ci --ignore-scripts --no-audit --no-fund

# The same tests with the oldest versions that pyproject.toml admits.
test-lowest:
	@$(MAKE) --no-print-directory VENV=build/lowest setup
	build/lowest/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints/lowest.txt
	build/lowest/bin/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy --strict citelint

check: lint types test

format: $(READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

acceptance: $(READY)
	$(BIN)/python benchmarks/acceptance.py && $(BIN)/python benchmarks/markers_acceptance.py

bench: $(READY)
	$(BIN)/python benchmarks/bench.py

bench-smoke: $(READY)
	$(BIN)/python benchmarks/bench.py --smoke

# The pages that are generated from the rules, and the schema from the code that validates.
docs: $(READY)
	$(BIN)/python docs/generate_rules.py
	$(BIN)/citelint manifest schema > docs/manifest.schema.json

# Needs uv. The files hold names, versions and hashes and no address: any index that serves these files will do.
LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-emit-find-links --no-header --no-annotate --quiet

lock:
	$(LOCK) --upgrade --group dev --output-file constraints/dev.txt
	$(LOCK) --upgrade --resolution lowest-direct --output-file constraints/lowest.txt

clean:
	rm -rf $(VENV) build dist tests/renderers/node/node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache
