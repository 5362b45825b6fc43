#!/usr/bin/env bash
# Measures the checked-out commit and PW_BASE with the same Pennyweight, and compares the figures.
# Writes comparison.md and comparison.html; prints their paths and the result as a step's outputs.
set -euo pipefail

root=$PWD
folder="${RUNNER_TEMP:?}/pennyweight-comparison"
rm -rf "$folder"
mkdir -p "$folder"

fail() {
    echo "::error::$1"
    exit 2
}

[ -n "${PW_BASE:-}" ] || fail "there is no commit to compare with: run on pull_request or push, or set 'base'"
git cat-file -e "$PW_BASE^{commit}" 2> /dev/null ||
    git fetch --quiet --depth=1 origin "$PW_BASE" ||
    fail "the commit $PW_BASE cannot be fetched; set 'fetch-depth: 0' in actions/checkout"

git worktree prune
git worktree add --quiet --force --detach "$folder/base" "$PW_BASE"
trap 'git -C "$root" worktree remove --force "$folder/base"' EXIT

# A status of 1 means that some case has no measurement: the comparison shows which.
measure() {
    local status=0
    # shellcheck disable=SC2086  # several packages, separated by blanks
    (cd "$1" && pennyweight measure $PW_PACKAGES --board "$PW_BOARDS" --lengths "$PW_LENGTHS" \
        --flags="$PW_FLAGS" --format json) > "$2" || status=$?
    [ "$status" -le 1 ] || return "$status"
}

measure "$root" "$folder/head.json" || fail "the packages of this commit cannot be measured"
result=passed
if measure "$folder/base" "$folder/base.json"; then
    cd "$folder"
    compare() {
        pennyweight compare base.json head.json --fail-above "$PW_FAIL_ABOVE" --format "$1"
    }
    status=0
    compare markdown > table.md || status=$?
    [ "$status" -le 1 ] || fail "the two commits cannot be compared"
    [ "$status" = 0 ] || result=failed
    compare html > comparison.html || true
else
    cd "$folder"
    echo "The base commit ${PW_BASE:0:12} cannot be measured: there is nothing to compare with." \
        | tee table.md > comparison.html
fi

{
    echo "<!-- pennyweight: comparison -->"
    if [ "$result" = passed ]; then
        echo "### Pennyweight: no figure grew by more than $PW_FAIL_ABOVE"
    else
        echo "### Pennyweight: figures grew by more than $PW_FAIL_ABOVE"
    fi
    echo
    cat table.md
} > comparison.md
cat comparison.md >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
{
    echo "markdown=$folder/comparison.md"
    echo "html=$folder/comparison.html"
    echo "result=$result"
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
