#!/usr/bin/env bash
# Every formatter, linter, type checker and test, in the order of their cost.
#   scripts/test.sh        all
#   scripts/test.sh lint   only formatters, linters and type checkers
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/.venv/bin
export PATH="$bin:$PATH"

step() { printf '\n== %s\n' "$1"; }

step "formatters"
cargo fmt --all --check
ruff format --check .
git ls-files -z -- '*.c' '*.h' ':!tests/packages' | xargs -0 clang-format --dry-run -Werror

step "linters and type checkers"
ruff check .
mypy
lint-imports --no-cache --no-logo
scripts/prose.sh
cargo clippy --locked --quiet --workspace --all-targets -- -D warnings

[ "${1:-}" = lint ] && exit 0

# No distribution packages it: it is compiled beside what does not need it, once.
msp430=$(mktemp)
nice -n 5 pennyweight toolchain build msp430 >"$msp430" 2>&1 &
compiler=$!
trap 'kill "$compiler" 2>/dev/null || true; rm -f "$msp430"' EXIT

step "simulators: unit tests"
cargo test --locked --quiet --workspace --exclude pennyweight-python

step "simulators: lock step with independent simulators"
cargo build --locked --quiet --release -p pennyweight-checks
PENNYWEIGHT_PYTHON="$bin/python" target/release/lockstep_avr --quick
for set in v6m v7m v7em; do
    target/release/lockstep_thumb --quick --set "$set"
done
target/release/lockstep_msp430 --quick
target/release/lockstep_riscv --quick
target/release/lockstep_xtensa --quick
target/release/lockstep_xtensa --quick --set windowed
target/release/lockstep_mips --quick
target/release/lockstep_mips --quick --set mips16e

step "the MSP430's compiler"
wait "$compiler" || echo "there is none: what needs it will say so"
cat "$msp430"

step "Python tests"
python -m pytest -n 2 --dist worksteal -q
