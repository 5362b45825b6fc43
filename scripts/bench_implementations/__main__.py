"""Compares the bundled implementations with the portable C of NIST's benchmarking repository.

    make bench-implementations NIST=path-of-a-clone [ARGS="--boards samd21 --algorithms ascon-*"]

For each algorithm that both sides have, on each board with each set of flags, it prints the ratio
of the bundled best to NIST's best: cycles to encrypt (or hash) 16 and 128 bytes without associated
data, and bytes of flash of the smallest. `--op dec` compares cycles to decrypt, and `--ad 16` adds
associated data; both exclude hashes. If a folder contains assembly that is compiled for a board,
temporary copies in C alone (named with -c, and with -c-alike if a second way differs) replace it,
if there is C instead of the assembly. If the bundled best uses table lookups, a second line has the
best constant-time implementation, and a third the best in C alone by the same rule. Excluded
implementations are listed with the reason.

The exit status is 1 if a ratio exceeds the limit, if no bundled implementation runs somewhere, or
if one fails other than by its size. `--markdown` prints only ratios, cycles at -O3 and flash at
-Os; everything else goes to standard error. Builds and measurements are kept
(`bench/implementations`): an interrupted run continues, and a second run is fast.

`--best`, `--small` and `--primitives` print other tables instead, in one run if several are given:

* `--best`: our fastest constant-time implementation divided by the fastest third-party one,
assembly included, with the better of -O2 and -O3: 16, 128 and 1,024 bytes, encryption, decryption,
hashes. The rivals are those of NIST's clone, of other clones (`--rivals`) and of the bundled
libraries. Rivals that are not constant-time have rows of their own, marked T (a table lookup), B (a
branch) or D (a duration); `best/timing.py` states the rule.
* `--small`: the same for bytes of flash, static RAM and stack at -Os.
* `--primitives`: our primitives divided by the published counts in `primitives/published.toml`.

The exit status is 1 if a ratio or a board's geometric mean exceeds its target, or if a
bundled implementation fails.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.bench_implementations import c_copies, rivals, text_table
from scripts.bench_implementations.assembly import has_assembly
from scripts.bench_implementations.best import mode
from scripts.bench_implementations.comparison import compare, judge
from scripts.bench_implementations.measurements import (
    NO_C,
    PLAIN,
    Call,
    Exclusion,
    Place,
    measure,
)
from scripts.bench_implementations.summary import FAST, SMALL, markdown

from pennyweight import catalogue
from pennyweight.catalogue import Board, Implementation
from pennyweight.catalogue.offers import is_offered
from pennyweight.lengths import LONGEST
from pennyweight.model import Operation, UserError
from pennyweight.pool import available_cores

RESULTS = Path("bench/implementations")
BOARDS = "atmega328p,samd21,sam3x8e,nrf52840"
FLAGS = f"{SMALL},-O2,{FAST}"
OPERATIONS = (Operation.ENC, Operation.DEC)


def main(arguments: list[str]) -> int:
    """Measures what is missing and prints the table; 1 if a check fails."""
    given = _given(arguments)
    if given.best or given.small or given.primitives:
        return mode.main(given)
    known = catalogue.load()
    patterns = given.algorithms.split(",")
    tree = rivals.nist_tree(given.nist)
    call = Call(Operation(given.op), int(given.ad))
    found, excluded = rivals.in_tree(tree, known, patterns, call)
    algorithms = {each.algorithm for each in found}
    own = [each for each in known.implementations if each.algorithm in algorithms]
    boards = [known.board(name) for name in (given.boards or BOARDS).split(",")]
    flags = (given.flags or (f"{SMALL},{FAST}" if given.markdown else FLAGS)).split(",")

    with TemporaryDirectory() as temporary:
        copies = Path(temporary)
        bundled = known.root / "implementations"
        c_copies.copy_tree(bundled, copies / "bundled")
        own_in_c, stays = _in_c(own, boards, bundled, copies / "bundled")
        rivals_in_c, without_c = _in_c(found, boards, tree, copies / "nist")
        rivals_in_c += _alike(rivals_in_c, found, tree, copies)
        whole = _offered(own, boards)
        best = measure("bundled", whole, flags, call, RESULTS, given.jobs)
        in_c = measure("bundled-in-c", own_in_c, flags, call, RESULTS, given.jobs)
        rival = measure("nist", rivals_in_c, flags, call, RESULTS, given.jobs)

    keys = [(name, board.id, some) for name in algorithms for board in boards for some in flags]
    lines = compare(keys, best.found, in_c.found, rival.found)
    failed = {each.id for each in best.excluded if each.is_failure}
    verdict = judge(lines, len(failed))
    named = [board.id for board in boards]
    remarks = [
        *text_table.exclusions("NIST", [*excluded, *without_c, *rival.excluded], named, flags),
        *text_table.exclusions(
            "Pennyweight", [*stays, *best.excluded, *in_c.excluded], named, flags
        ),
        f"\n{verdict}",
    ]
    if given.markdown:
        titles = {board.id: board.title.split()[0] for board in boards}
        print(markdown(lines, titles, "" if call == PLAIN else str(call)))
        print(*remarks, sep="\n", file=sys.stderr)
    else:
        head = [] if call == PLAIN else [f"Cycles {call}:", ""]
        print("", *head, *text_table.table(lines), *remarks, sep="\n")
    return 0 if verdict.is_good else 1


def _given(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench-implementations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("nist", type=Path, help="a clone of NIST's benchmarking repository")
    parser.add_argument("--boards", help=f"names with commas (default: {BOARDS})")
    parser.add_argument(
        "--flags",
        help=f"sets of flags, separated by commas (default: {FLAGS}; {SMALL},{FAST} of --markdown)",
    )
    parser.add_argument("--algorithms", default="*", help="patterns with commas")
    parser.add_argument("--op", default="enc", help="operation of AEADs: enc or dec (default: enc)")
    parser.add_argument(
        "--ad", default="0", help="bytes of associated data of AEADs (default: 0)", metavar="BYTES"
    )
    parser.add_argument(
        "--jobs", type=int, help="number of parallel processes (default: all cores)"
    )
    parser.add_argument(
        "--markdown", action="store_true", help="print short Markdown tables instead"
    )
    parser.add_argument(
        "--best",
        action="store_true",
        help="compare with the fastest constant-time rival, assembly included",
    )
    parser.add_argument(
        "--small", action="store_true", help="compare the smallest constant-time implementations"
    )
    parser.add_argument(
        "--primitives", action="store_true", help="compare primitives with published counts"
    )
    parser.add_argument(
        "--rivals",
        action="append",
        metavar="PATH",
        default=[],
        help="with --best and --small: another clone, or a library's file; repeat for more",
    )
    parser.add_argument(
        "--libraries",
        help="with --best and --small: bundled libraries, with commas (default: all)",
    )
    given = parser.parse_args(_joined(arguments))
    if given.jobs is not None and given.jobs < 1:
        parser.error(f"--jobs {given.jobs}: give 1 or more")
    if given.op not in OPERATIONS:
        parser.error(f"--op {given.op}: give {' or '.join(OPERATIONS)}")
    if not re.fullmatch("[0-9]{1,9}", given.ad) or int(given.ad) > LONGEST:
        parser.error(f"--ad {given.ad}: give bytes of associated data, from 0 to {LONGEST}")
    return given


def _joined(arguments: list[str]) -> list[str]:
    """Converts `--flags -O3` to `--flags=-O3`, because argparse treats values that start with a
    dash as options.
    """
    joined: list[str] = []
    for each in arguments:
        if joined and joined[-1] == "--flags":
            joined[-1] = f"--flags={each}"
        else:
            joined.append(each)
    return joined


def _in_c(
    found: list[Implementation], boards: list[Board], root: Path, copies: Path
) -> tuple[list[Place], list[Exclusion]]:
    """What to compile for each board: the implementation if it is C, otherwise its copy in C
    alone.
    """
    asked = _offered(found, boards)
    places: list[Place] = []
    excluded: list[Exclusion] = []
    with ThreadPoolExecutor(available_cores()) as pool:
        answers = pool.map(lambda place: has_assembly(*place), asked)
        for (each, board), is_mixed in zip(asked, answers, strict=True):
            copy = c_copies.copied(each, root, copies) if is_mixed else each
            if is_mixed and has_assembly(copy, board):
                excluded.append(Exclusion(each.id, NO_C, board.id))
            else:
                places.append((copy, board))
    return places, excluded


def _offered(found: Iterable[Implementation], boards: Sequence[Board]) -> list[Place]:
    return [(each, board) for each in found for board in boards if is_offered(each, board)]


def _alike(
    places: list[Place], found: list[Implementation], root: Path, copies: Path
) -> list[Place]:
    """The second copies, if they differ from the first."""
    given = {each.id: each for each in found}
    more: list[Place] = []
    for copy, board in places:
        each = given.get(copy.id.removesuffix(c_copies.SUFFIX))
        if each is None or copy.id in given:
            continue
        second = c_copies.copied(each, root, copies / "alike", c_copies.ALIKE)
        if _contents(copy.folder) != _contents(second.folder):
            more.append((second, board))
    return more


def _contents(folder: Path) -> dict[Path, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in files}


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UserError as error:
        print(f"bench-implementations: {error}", file=sys.stderr)
        sys.exit(2)
