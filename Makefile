# Two commands: `make demo` and `make test`. Both make what they need in .venv, and do so again only after
# a pyproject.toml or requirements.lock has changed.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
# Install claimgraph for development with what it needs for these extras, each archive as requirements.lock has its sha256.
define install_locked
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	$(BIN)/python scripts/lock.py --build > .venv/build.txt
	$(BIN)/python scripts/lock.py $(1) > .venv/locked.txt
	$(PIP_INSTALL) --require-hashes -r .venv/build.txt
	$(PIP_INSTALL) --require-hashes --no-build-isolation -r .venv/locked.txt
	$(PIP_INSTALL) --no-deps --no-build-isolation -e . -e packages/entailment-base
endef

.PHONY: help demo test soak nightly bench lint install lock sbom docs clean

help:  ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1\t\2/' | expand -t 16

demo: .venv/installed  ## Check a bundled text on the embedded store, offline
	@$(BIN)/claimgraph demo

test: .venv/installed-dev  ## Run all tests on a real Neo4j, Redis and RabbitMQ, started and stopped here (ARGS=... to pytest)
	@scripts/services run -- $(BIN)/python -m pytest -n 2 $(ARGS)

soak: .venv/installed-dev  ## Kill workers, brokers and Neo4j while 300 documents are in flight, every command 30 times (ARGS=... to pytest)
	@CLAIMGRAPH_TEST_DOCUMENTS=$${CLAIMGRAPH_TEST_DOCUMENTS:-300} scripts/services run -- \
		$(BIN)/python -m pytest tests/workers/test_survival.py tests/project/test_services.py tests/product/test_stories.py \
		tests/product/test_kills.py tests/kgstore/query/test_stoppable.py tests/kgstore/engines/test_bolt.py $(ARGS)

nightly: .venv/installed-nightly  ## Ask a real, small language model, and the current line of Neo4j (ARGS=... to pytest)
	@CLAIMGRAPH_TEST_NIGHTLY=1 scripts/services run --current -- $(BIN)/python -m pytest -n 2 -m nightly $(ARGS)

bench: .venv/installed-dev  ## Measure speed beside baselines into docs/performance.md (ARGS=--full: the goals' sizes)
	$(BIN)/python -m benchmarks --write $(ARGS)

lint: .venv/installed-dev  ## Check style, types and layers
	$(BIN)/ruff check . scripts/services
	$(BIN)/mypy
	MYPYPATH=scripts $(BIN)/mypy --cache-dir .mypy_cache/scripts scripts/localservices scripts/services
	$(BIN)/lint-imports
	@if docker compose version >/dev/null 2>&1; then NEO4J_PASSWORD=x REDIS_PASSWORD=x CLAIMGRAPH_WEB_KEY=x docker compose config --quiet; fi

install: .venv/installed-dev  ## Install for development

lock: .venv/installed-dev  ## Resolve the newest versions into requirements.lock, for every platform, with hashes
	$(PIP_INSTALL) uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
		--extra nightly --extra torch pyproject.toml > .venv/requirements.lock
	{ echo '# Each version with the sha256 of all its archives; written by `make lock`.'; cat .venv/requirements.lock; } > requirements.lock

sbom: .venv/installed  ## Print a bill of materials (CycloneDX) of what is installed
	@$(BIN)/python scripts/sbom.py

docs: .venv/installed-dev  ## Write docs/cli.md, docs/settings.md, docs/check.svg and the pictures of pages from the code
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/picture.py
	CLAIMGRAPH_SCREENSHOTS=docs $(BIN)/python -m pytest -q -k "rules_and_corrects or pictures_for" tests/web

clean:  ## Stop the services of this checkout and remove what was made here (not downloads, not data)
	scripts/services down
	rm -rf .venv dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

LOCKED = pyproject.toml requirements.lock scripts/lock.py packages/entailment-base/pyproject.toml

.venv/installed: $(LOCKED)
	$(call install_locked)
	@touch $@

.venv/installed-dev: $(LOCKED)
	$(call install_locked,dev)
	@touch $@ .venv/installed

.venv/installed-nightly: $(LOCKED)
	$(call install_locked,nightly torch)
	@touch $@ .venv/installed .venv/installed-dev
