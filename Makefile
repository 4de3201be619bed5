# Everything a user or developer needs, from a fresh clone with Python, pip and make.
#
#   make demo    install into .venv and draw the best runs of an example position
#   make test    install with the development tools and run the tests
#
# PYTHON chooses the interpreter (3.11 or newer), VENV the environment that is created.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := PYTHONWARNINGS=ignore $(PIP) install --quiet --retries 5 -c constraints.txt
MANIFEST := pyproject.toml constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo serve test lint bench simulate build constraints clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Trackage needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The stamps say what has been installed; they are renewed when the manifest changes.
$(VENV)/.product: $(BIN)/python $(MANIFEST)
	$(INSTALL) --upgrade pip setuptools
	$(INSTALL) --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(BIN)/python $(MANIFEST)
	$(INSTALL) --upgrade pip setuptools
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@ $(VENV)/.product

demo: $(VENV)/.product ## print the best runs of example positions and draw them to demo-output/
	@mkdir -p demo-output
	$(BIN)/trackage best docs/examples/1830-erie.json --map demo-output/1830-erie.svg --map demo-output/1830-erie.png
	$(BIN)/trackage best docs/examples/18gb-lnwr.json --map demo-output/18gb-lnwr.svg --map demo-output/18gb-lnwr.png
	@echo "Maps with the runs: $$(ls demo-output/*.png demo-output/*.svg | tr '\n' ' ')"

serve: $(VENV)/.product ## open the service for live play (ARGS="--port 9000")
	$(BIN)/trackage serve $(ARGS)

test: $(VENV)/.dev ## run the tests (ARGS="..." goes to pytest)
	$(BIN)/python -m pytest -n 2 $(ARGS)

lint: $(VENV)/.dev ## formatting, style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev ## time the searches; every benchmark asserts its answer
	$(BIN)/python -m pytest benchmarks --benchmark-only $(ARGS)

simulate: $(VENV)/.dev ## play a thousand random games and look at every state (ARGS="--games 100 --only 1830")
	$(BIN)/python -m tests.simulation $(ARGS)

build: $(VENV)/.dev ## build the wheel into dist/
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

constraints: ## renew constraints.txt: the versions that a clean install picks today
	rm -rf build/clean
	$(PYTHON) -m venv build/clean
	build/clean/bin/python -m pip install --quiet --upgrade pip setuptools
	build/clean/bin/python -m pip install --quiet --no-build-isolation '.[dev]'
	{ echo "# Exact versions for installs that repeat; renew with: make constraints"; \
	  build/clean/bin/python -m pip freeze --all --exclude trackage; } > constraints.txt
	rm -rf build

clean: ## remove everything that the other targets create
	rm -rf $(VENV) build dist demo-output *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
