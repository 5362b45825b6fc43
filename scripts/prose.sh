#!/usr/bin/env bash
# Checks the language of documentation and sources: spelling (codespell; its word list is in
# pyproject.toml), and the words to avoid (scripts/prose/words.toml).
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PWD/.venv/bin:$PATH"

# Not prose: generated files, vectors, and tests with deliberate misspellings.
git ls-files -z -- ':!*.lock' ':!*.csv' ':!*.svg' ':!*.png' ':!*.bin' ':!*.inputs' \
    ':!requirements/*.txt' ':!algorithms/vectors/*' ':!tests/packages' ':!tests/host/*.t*' |
    xargs -0 codespell
python -m scripts.prose
