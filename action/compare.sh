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

# A package that only this commit has is measured, but there is nothing to compare it with.
compared=() new=()
for each in $PW_PACKAGES; do
    if [ -e "$each" ] && [ ! -e "$folder/base/$each" ]; then
        new+=("$each")
    else
        compared+=("$each")
    fi
done

# measure FOLDER FILE PACKAGE...; a status of 1 means that some case has no measurement: the comparison
# shows which.
measure() {
    local status=0
    (cd "$1" && pennyweight measure "${@:3}" --board "$PW_BOARDS" --lengths "$PW_LENGTHS" \
        --flags="$PW_FLAGS" --format json) > "$2" || status=$?
    [ "$status" -le 1 ] || return "$status"
}

measure_head() {
    measure "$root" "$@" || fail "the packages of this commit cannot be measured"
}

[ "${#new[@]}" = 0 ] || measure_head "$folder/new.json" "${new[@]}"
[ "${#compared[@]}" = 0 ] || measure_head "$folder/head.json" "${compared[@]}"
result=passed
heading="no figure grew by more than $PW_FAIL_ABOVE"
if [ "${#compared[@]}" != 0 ] && measure "$folder/base" "$folder/base.json" "${compared[@]}"; then
    cd "$folder"
    compare() {
        pennyweight compare base.json head.json --fail-above "$PW_FAIL_ABOVE" --format "$1"
    }
    status=0
    compare markdown > table.md || status=$?
    [ "$status" -le 1 ] || fail "the two commits cannot be compared"
    if [ "$status" != 0 ]; then
        result=failed
        heading="figures grew by more than $PW_FAIL_ABOVE"
    fi
    compare html > comparison.html || true
else
    cd "$folder"
    heading="nothing was compared"
    if [ "${#compared[@]}" = 0 ]; then
        reason="The base commit ${PW_BASE:0:12} has none of the packages"
    else
        reason="The packages of the base commit ${PW_BASE:0:12} cannot be measured"
    fi
    echo "$reason: there is nothing to compare with." | tee table.md > comparison.html
fi

{
    echo "<!-- pennyweight: comparison -->"
    echo "### Pennyweight: $heading"
    echo
    cat table.md
    if [ "${#compared[@]}" != 0 ] && [ "${#new[@]}" != 0 ]; then
        echo
        echo "New packages, measured but not compared: ${new[*]}."
    fi
} > comparison.md
cat comparison.md >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
{
    echo "markdown=$folder/comparison.md"
    echo "html=$folder/comparison.html"
    echo "result=$result"
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
