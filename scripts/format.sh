#!/usr/bin/env bash
# Formats all sources in place.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"
cargo fmt --all
ruff format .
ruff check --fix-only --quiet .
git ls-files -z -- '*.c' '*.h' ':!tests/packages' | xargs -0 clang-format -i
