#!/usr/bin/env bash
# Resolves requirements/*.in into lock files with versions and hashes and no addresses.
set -euo pipefail
cd "$(dirname "$0")/.."
for name in build cluster dev wheels; do
    uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
        "requirements/$name.in" -o "requirements/$name.txt" "$@"
done
