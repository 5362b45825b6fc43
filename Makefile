# The two commands are `make bench` and `make test`; both install missing requirements first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: bench check test test-devices simavr-cycles docs man site studies verify-all constant-time-all setup setup-test setup-tools bench-simulator riscv-tests fuzz fuzz-implementations bench-implementations bench-campaign bench-report bench-store lint format lock clean clone-given nist-given fastest wheels bench-tune schedule

bench: setup          ## run the default campaign and write report/index.html
	@$(BIN)/pennyweight run --results results --report report

check: setup-tools    ## run linters, unit tests, and the Python tests that a change affects, in 3 minutes
	@$(BIN)/python -m scripts.tiers check

test: setup-tools     ## run every test, linter and type checker
	@$(BIN)/python -m scripts.tiers test

verify-all: setup     ## run every known answer on every implementation and board
	@$(BIN)/pennyweight verify --all

constant-time-all: setup  ## check what claims to be constant-time on each core, ARGS="--board esp8266 'sha-*'"
	@$(BIN)/python -m scripts.constant_time $(ARGS)

fastest: setup        ## measure which constant-time implementation is the fastest on each board, ARGS="--board sam3x8e 'ascon-*'"
	@$(BIN)/python -m scripts.fastest $(ARGS)

setup:                ## install the requirements of `make bench`
	@$(PYTHON) scripts/setup.py bench

setup-test:           ## install the requirements of `make test`
	@$(PYTHON) scripts/setup.py test

setup-tools:          ## install what the linters and tests need, except the simulators
	@$(PYTHON) scripts/setup.py tools

bench-simulator: setup-test  ## compare the simulators' speed with their peers, in Mcycles/s, ARGS=--write for docs/speed.md
	@$(BIN)/python -m scripts.bench_simulator $(ARGS)

riscv-tests: clone-given setup-test  ## run the official instruction tests of a clone on the simulated FE310, CLONE=path
	@$(BIN)/python -m scripts.riscv_tests "$(CLONE)"

clone-given:
	@test -n "$(CLONE)" || { echo "give the path of a clone of riscv-software-src/riscv-tests: make riscv-tests CLONE=path" >&2; exit 2; }

bench-implementations: nist-given setup  ## compare the bundled implementations with the C code of NIST's benchmark, or with ARGS=--best with the fastest known, NIST=path
	@$(BIN)/python -m scripts.bench_implementations "$(NIST)" $(ARGS)

nist-given:
	@test -n "$(NIST)" || { echo "give the path of a clone of NIST's benchmarking repository: make bench-implementations NIST=path" >&2; exit 2; }

bench-tune: setup     ## measure how many cycles tune saves on fast implementations, ARGS="--budget 100 --every 20"
	@$(BIN)/python -m scripts.bench_tune $(ARGS)

schedule: setup       ## reorder straight-line assembly for fewer cycles, ARGS="kernel.S --board B --call 'f(s:48)'"
	@$(BIN)/python -m scripts.schedule $(ARGS)

bench-campaign: setup  ## measure jobs per minute, and where the time goes
	@$(BIN)/python scripts/bench_campaign $(ARGS)

bench-report: setup-test  ## measure how long the pages of a report of 100,000 rows take to load
	@$(BIN)/python scripts/bench_report $(ARGS)

bench-store: setup    ## measure time and memory of a report's queries over ten million rows
	@$(BIN)/python scripts/bench_store $(ARGS)

test-devices: setup-test  ## run all tests of the connection to real boards, on emulators
	@$(BIN)/python -m pytest -q -m "devices or not devices" tests/test_device_*.py tests/test_accuracy_on_boards.py

simavr-cycles: setup-test  ## compare cycles through a debug server on simavr with the simulator's, ARGS="--lengths 0:0-64/8 'ascon-*'"
	@$(BIN)/python -m scripts.simavr_cycles $(ARGS)

docs: setup-test      ## build the documentation's site into docs/_build/html
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	@echo docs/_build/html/index.html

site: setup-test      ## build a searchable site of documentation and report into site/, RESULTS=folder
	@$(BIN)/python -m scripts.site $(if $(RESULTS),--results "$(RESULTS)") $(ARGS)

studies: setup        ## run the default campaign and the quick subset of each study, RESULTS=folder, ARGS=--catalogue
	@$(BIN)/python -m scripts.studies $(if $(RESULTS),--results "$(RESULTS)") $(ARGS)

man: setup-test       ## write the manual pages of all commands to build/man
	@$(BIN)/python -m scripts.man

fuzz: setup-test      ## fuzz the simulators, SECONDS=600 for each target
	@scripts/fuzz.sh $(or $(SECONDS),600)

fuzz-implementations: setup-test  ## fuzz each decryption and MAC verification, SECONDS=10 each, ARGS="ascon-*"
	@$(BIN)/python scripts/fuzz_implementations --seconds $(or $(SECONDS),10) $(ARGS)

wheels: setup         ## build source distributions and wheels into dist/, ARGS="x86_64 aarch64"
	@$(BIN)/python -m scripts.wheels $(ARGS)

lint: setup-tools     ## run formatters, linters and type checkers only
	@$(BIN)/python -m scripts.tiers lint

format: setup-tools   ## format all sources
	@scripts/format.sh

lock:                 ## update the Python lock files (needs uv on PATH)
	@scripts/lock.sh --upgrade

clean:                ## remove build results (not the user's cache)
	rm -rf target .venv report results
