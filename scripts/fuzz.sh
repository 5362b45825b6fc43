#!/usr/bin/env bash
# Fuzzes the simulators: every target of simulator/fuzz/src/bin for the given time.
#   scripts/fuzz.sh [SECONDS [TARGET...]]      default: 600 seconds, all targets
# Coverage comes from LLVM's own pass, which the stable compiler has too. Findings are stored in
# target/fuzz/TARGET/; pass a file there to the target's program to reproduce it.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
shift || true
host=$(rustc -vV | sed -n 's/^host: //p')
place=${CARGO_TARGET_DIR:-$PWD/target}/fuzz
flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags="$flags -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
flags="$flags -Cllvm-args=-sanitizer-coverage-pc-table"
flags="$flags -Cllvm-args=-sanitizer-coverage-trace-compares"
flags="$flags -Cllvm-args=-simplifycfg-branch-fold-threshold=0"

# Only Pennyweight's crates are instrumented: inputs that are new to Wasmtime's compiler only are of no use.
mkdir -p "$place"
cat >"$place/rustc" <<END
#!/bin/sh
case " \$* " in
*" --crate-name pennyweight_"*) exec "\$@" $flags ;;
*) exec "\$@" ;;
esac
END
chmod +x "$place/rustc"

# With a target given, the flags are not for build scripts.
RUSTC_WRAPPER=$place/rustc RUSTFLAGS="--cfg fuzzing" cargo build --quiet --locked --release --target "$host" \
    --manifest-path simulator/fuzz/Cargo.toml --target-dir "$place/build"

seeds() { # what a target begins with: what is kept for the tests, and something whole
    cp "simulator/checks/corpus/$1/"*.bin "$2"
    case $1 in
    elf) cp simulator/machine/tests/data/*.elf "$2" ;;
    board) cp boards/*.toml "$2" ;;
    core) cp cores/*.toml "$2" ;;
    *) head -c 4096 simulator/machine/tests/data/lines.elf >"$2/seed" ;;
    esac
}

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for file in simulator/fuzz/src/bin/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi
for target in "${targets[@]}"; do
    mkdir -p "$place/$target/corpus"
    seeds "$target" "$place/$target/corpus"
    log=$place/$target/log
    if ! "$place/build/$host/release/$target" "$place/$target/corpus" \
        -artifact_prefix="$place/$target/" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=2048 -max_len=8192 -seed=1 -print_final_stats=1 >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "fuzz: $target failed; its input is in $place/$target" >&2
        exit 1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz: $target: $runs runs in $seconds s, none failed"
done
