# Everything that is done with this checkout. Each target does its own set-up and does no work twice: `make help`.
# Needs Python 3.11 or later with venv, a C compiler and cargo; `make bench` compares with sitemap.js where npm is.

PYTHON ?= python3
# The names are relative, and commands run as `python -m`, so that a path with spaces is no matter.
VENV := .venv
BENCH_VENV := .venv-bench
# The checkers of links that the benchmark measures, and their versions.
LYCHEE := bench/tools/.lychee-0.24.2
MUFFET := bench/tools/.muffet-2.11.5
BIN := $(VENV)/bin
TOOLS := $(VENV)/.stamp-tools
BUILD := $(VENV)/.stamp-build
SCHEMAS := $(VENV)/.stamp-schemas
CORE := $(shell find core/src -name '*.rs') core/Cargo.toml core/Cargo.lock
# What codespell reads. Tests are left out: they misspell on purpose.
SPELLED := src core/src docs examples scripts bench/*.py bench/*.md changelog.d *.md
CARGO := cargo
CARGO_ARGS := --manifest-path core/Cargo.toml --locked

.SHELLFLAGS := -eu -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# PyO3 must build for this environment's Python, not for whatever `python3` is in the PATH.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1

##@ Use

.PHONY: demo
demo: $(BUILD) ## Check examples, then find, score and audit example sites on loopback
	@$(BIN)/python scripts/demo.py

.PHONY: test
test: test-python test-rust test-cost ## Build, and run every test, Python and Rust

.PHONY: check
check: $(BUILD) lint-python lint-rust ## Lint, types, import contracts, words, generated documentation, its links
	$(BIN)/python -m mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_words.py
	$(BIN)/codespell $(SPELLED)
	$(BIN)/python scripts/make_docs.py --check
	$(BIN)/python scripts/make_picture.py --check
	$(BIN)/python scripts/make_site.py

.PHONY: bench
bench: $(BUILD) $(BENCH_VENV)/.stamp bench/peers/sitemapjs/node_modules/.stamp $(LYCHEE) $(MUFFET) ## Measure beside the peers, write bench/RESULTS.md
	$(BIN)/python -m bench.run $(BENCH_ARGS)

.PHONY: docs
docs: $(BUILD) ## Generate docs/reference, and what commands print in other pages, from the program
	$(BIN)/python scripts/make_docs.py

.PHONY: changelog
changelog: $(TOOLS) ## Show what the next release changes, from changelog.d
	$(BIN)/towncrier build --draft --version unreleased

.PHONY: picture
picture: $(BUILD) chromium ## Take the picture that README opens with anew, in Chromium
	$(BIN)/python scripts/make_picture.py

.PHONY: site
site: $(BUILD) ## Build the documentation as pages in build/site; a broken link fails
	$(BIN)/python scripts/make_site.py

.PHONY: format
format: $(TOOLS) ## Format Python and Rust
	$(BIN)/python -m ruff check --fix
	$(BIN)/python -m ruff format
	$(CARGO) fmt --manifest-path core/Cargo.toml

##@ Parts

.PHONY: build
build: $(BUILD) ## Build and install urlset into .venv, in release mode

.PHONY: test-python
test-python: $(BUILD) $(SCHEMAS) chromium ## Python tests alone; PYTEST_ARGS="-k loc" narrows them
	$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

# Rust tests call no Python. They are built without the interface to it, so that there is no Python to link to.
CARGO_TEST := $(CARGO) test $(CARGO_ARGS) --no-default-features

.PHONY: test-rust
test-rust: ## Rust tests alone
	$(CARGO_TEST)

# Work that hostile input costs. The compiler puts a counter into every block of code, and the linker one before what
# libc copies; both only for the target, so that build scripts and macros go without.
COUNTED := --cfg counted -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 -Cllvm-args=-sanitizer-coverage-trace-pc
ifeq ($(shell uname -s),Linux)
COUNTED += $(foreach name,memcpy memmove memset memcmp bcmp,-Clink-arg=-Wl,--wrap=$(name))
endif

.PHONY: test-cost
test-cost: ## Rust tests of what hostile input costs, and of mutants; COST_ARGS names one of them
	@host=$$(rustc -vV | sed -n 's/^host: //p'); export RUSTFLAGS="$(COUNTED)"; \
	set -x; $(CARGO_TEST) --profile counted --target "$$host" --lib $(or $(COST_ARGS),cost::) -- --test-threads 1

# Fuzzing and Miri need nightly Rust: docs/how-to/fuzz.md.
TARGET = read
SECONDS = 60
FUZZ = core/fuzz

.PHONY: fuzz
fuzz: ## Fuzz the core for SECONDS=60: TARGET=read, fix, page, robots, or gzip. INPUT=FILE runs one file
	@$(PYTHON) scripts/fuzz_corpus.py
	$(CARGO) +nightly fuzz run --fuzz-dir $(FUZZ) --target-dir core/target/fuzz $(TARGET) $(INPUT) -- -max_total_time=$(SECONDS) \
	  -max_len=4096 -timeout=10 -rss_limit_mb=4096 -dict=$(FUZZ)/pieces.dict

# Tests that run through the code with `unsafe` in it. With AVX2, since Miri sees only what the processor is said to have.
MIRI_TESTS := value::url::usual read::scan read::column charset::invalid_utf_8 the_set_of_hashes invariants::

.PHONY: miri
miri: ## Run the tests of unsafe code under Miri
	MIRIFLAGS=-Zmiri-disable-isolation PROPTEST_CASES=4 CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS=-Ctarget-feature=+avx2 \
	  $(CARGO) +nightly miri test $(CARGO_ARGS) --no-default-features --target x86_64-unknown-linux-gnu --lib -- $(MIRI_TESTS)

.PHONY: lint-python
lint-python: $(TOOLS)
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check

.PHONY: lint-rust
lint-rust: $(TOOLS)
	$(CARGO) fmt --manifest-path core/Cargo.toml --check
	$(CARGO) clippy $(CARGO_ARGS) --all-targets -- -D warnings
	$(CARGO) clippy --manifest-path $(FUZZ)/Cargo.toml --locked --no-default-features --target-dir core/target -- -D warnings

.PHONY: lock
lock: ## Resolve requirements/*.in anew into the pinned requirements/*.txt
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet uv
	.venv-lock/bin/python -m uv pip compile --quiet $(LOCK_ARGS) --output-file requirements/dev.txt pyproject.toml requirements/dev.in
	.venv-lock/bin/python -m uv pip compile --quiet $(LOCK_ARGS) --output-file requirements/bench.txt requirements/bench.in
LOCK_ARGS = --universal --python-version 3.11 --no-annotate --no-emit-index-url --custom-compile-command "make lock" $(UPGRADE)

.PHONY: clean
clean: ## Remove environments, builds, caches and the benchmark's data
	rm -rf $(VENV) $(BENCH_VENV) .venv-lock core/target bench/data bench/tools bench/peers/sitemapjs/node_modules build dist
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests scripts bench examples -name __pycache__ -prune -exec rm -rf {} +
	rm -f src/urlset/_core*.so

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Set-up. A stamp is newer than all that it was made from, or its rule runs again.

define NEEDS_PYTHON
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
  || { echo 'urlset needs Python 3.11 or later as $(PYTHON); name another one: make PYTHON=python3.12 …' >&2; exit 2; }
endef

define MAKE_VENV
$(PYTHON) -m venv $(1) \
  || { echo '$(PYTHON) cannot make environments; its venv package is missing (python3-venv on Debian and Ubuntu).' >&2; \
       rm -rf $(1); exit 2; }
endef

$(TOOLS): requirements/dev.txt
	@$(NEEDS_PYTHON)
	@command -v $(CARGO) >/dev/null || { echo 'cargo is missing: install Rust, see https://rustup.rs' >&2; exit 2; }
	@[ -x $(BIN)/python ] || $(call MAKE_VENV,$(VENV))
	$(BIN)/python -m pip install --quiet --requirement requirements/dev.txt
	@touch $@

$(BUILD): $(TOOLS) $(CORE) pyproject.toml
	PIP_QUIET=1 VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/python -m maturin develop --release --locked
	@touch $@

$(SCHEMAS): requirements/schemas.txt scripts/fetch_schemas.py $(TOOLS)
	rm -rf $(VENV)/share/urlset/schemas
	$(BIN)/python scripts/fetch_schemas.py
	@touch $@

# Tests look at pages in it. Where it is missing and cannot be installed, they say so, each by its name.
.PHONY: chromium
chromium: $(TOOLS)
	@$(BIN)/python scripts/chromium.py || true

$(BENCH_VENV)/.stamp: requirements/bench.txt
	@$(NEEDS_PYTHON)
	@[ -x $(BENCH_VENV)/bin/python ] || $(call MAKE_VENV,$(BENCH_VENV))
	$(BENCH_VENV)/bin/python -m pip install --quiet --requirement requirements/bench.txt
	@touch $@

bench/peers/sitemapjs/node_modules/.stamp: bench/peers/sitemapjs/package-lock.json
	@if command -v npm >/dev/null; then \
	  npm --prefix bench/peers/sitemapjs ci --ignore-scripts --no-audit --no-fund --silent && touch $@; \
	else echo 'npm is missing: sitemap.js will not be measured' >&2; fi

$(LYCHEE):
	@echo 'building lychee, which takes some minutes' >&2
	@if $(CARGO) install --quiet --locked --force --version $(LYCHEE:bench/tools/.lychee-%=%) --root bench/tools lychee; \
	then touch $@; else echo 'lychee cannot be built: it will not be measured' >&2; fi

$(MUFFET):
	@mkdir -p bench/tools/bin
	@if GOBIN="$(CURDIR)/bench/tools/bin" go install github.com/raviqqe/muffet/v2@v$(MUFFET:bench/tools/.muffet-%=%); \
	then touch $@; else echo 'muffet cannot be built, which takes Go: it will not be measured' >&2; fi
