"""Measures how fast the store answers queries over a given number of rows.

    make bench-store [ARGS="--rows 10000000"]

Fills a temporary results folder with generated jobs of 1,200 rows each (builds of 500
implementations on 13 boards), one file per job as a campaign writes them, and runs the queries of
reports, including the opening of the folder. Prints the seconds of each query, and the peak memory
of the querying process and of the one that packs the files before.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results
from pennyweight.store.schema import measurement_schema, symbol_schema

ROWS_PER_JOB = 1200
BOARDS = [f"board-{i:02}" for i in range(13)]
FLAGS = ("-Os", "-O1", "-O2", "-O3")

QUESTIONS = {
    "fastest algorithm at 64 bytes on a board": """
        SELECT algorithm, implementation, flags, cycles, flash, stack FROM latest
        WHERE board = 'board-03' AND op = 'enc' AND ad = 16 AND m = 64 AND status = 'ok'
        ORDER BY cycles LIMIT 100""",
    "an algorithm's curves on a board": """
        SELECT implementation, flags, m, cycles FROM latest
        WHERE board = 'board-07' AND algorithm = 'algorithm-042' AND op = 'enc' AND ad = 16
        ORDER BY implementation, flags, m""",
    "each algorithm's best on each board at 64 bytes": """
        SELECT board, algorithm, min(cycles) AS best, arg_min(implementation, cycles) AS who
        FROM latest WHERE op = 'enc' AND ad = 16 AND m = 64 AND status = 'ok'
        GROUP BY board, algorithm ORDER BY board, best""",
    "sizes of every build": """
        SELECT algorithm, implementation, board, flags, flash, ram FROM latest
        WHERE op = 'enc' AND ad = 0 AND m = 0 ORDER BY ALL""",
    "failures with reasons": """
        SELECT board, status, reason, count(*) AS n FROM latest WHERE status != 'ok'
        GROUP BY ALL ORDER BY n DESC""",
    "number of rows by kind on each board": """
        SELECT board, op, count(*) AS n FROM latest GROUP BY ALL ORDER BY ALL""",
    "-O3 compared with -Os on a board": """
        SELECT a.algorithm, a.implementation, a.m, a.cycles * 1.0 / b.cycles AS ratio
        FROM latest AS a JOIN latest AS b USING (algorithm, implementation, board, op, ad, m)
        WHERE a.board = 'board-05' AND a.op = 'enc' AND a.ad = 16 AND a.m = 128
          AND a.flags = '-O3' AND b.flags = '-Os' ORDER BY ratio""",
    "origin of a board's builds": """
        SELECT DISTINCT job, algorithm, implementation, flags, compiler_version, sources_sha256
        FROM latest WHERE board = 'board-11' AND op = 'enc' AND ad = 0 AND m = 0""",
}


def fill(store: ResultStore, jobs: int) -> None:
    """Writes jobs as a campaign would, without flushing each to the disk."""
    store.prepare()
    schema, dice = measurement_schema(), random.Random(1)
    cases = ROWS_PER_JOB // 2
    lengths = [(ad, m) for ad in (0, 16, 64) for m in range(cases // 3)]
    ops = ["enc"] * cases + ["dec"] * cases
    ad = [a for a, _ in lengths] * 2
    m = [b for _, b in lengths] * 2
    now = datetime.now(UTC)
    for number in range(jobs):
        key = hashlib.sha256(str(number).encode()).hexdigest()
        build, flags = divmod(number, len(FLAGS))
        which, board = divmod(build, len(BOARDS))
        rate, more = dice.randrange(20, 400), dice.randrange(1000)
        cycles = [more + rate * (a + b) + (a ^ b) % 9 for a, b in zip(ad, m, strict=True)]
        failed = number % 97 == 5
        fixed: dict[str, object] = {
            "algorithm": f"algorithm-{which % 100:03}",
            "implementation": f"implementation-{which // 100}",
            "board": BOARDS[board],
            "flags": FLAGS[flags],
            "buffers": "separate",
            "status": "crashed" if failed else "ok",
            "reason": f"undefined instruction at {number:#x}" if failed else "",
            "flash": dice.randrange(500, 30_000),
            "ram": 0,
            "stack": dice.randrange(50, 1500),
            "job": key,
            "compiler_version": "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1 20221205",
            "host_time": now,
        }
        columns = []
        for field in schema:
            if field.name == "op":
                column = pa.array(ops)
            elif field.name in ("ad", "m"):
                column = pa.array({"ad": ad, "m": m}[field.name])
            elif field.name in ("cycles", "instructions", "cycles_cold"):
                column = pa.nulls(ROWS_PER_JOB, field.type) if failed else pa.array(cycles)
            elif field.name in fixed:
                column = pa.repeat(pa.scalar(fixed[field.name], field.type), ROWS_PER_JOB)
            elif pa.types.is_string(field.type):
                digest = hashlib.sha256(f"{field.name}{which}".encode()).hexdigest()
                column = pa.repeat(digest, ROWS_PER_JOB)
            else:
                column = pa.nulls(ROWS_PER_JOB, field.type)
            columns.append(column.cast(field.type))
        write(store.folder / "jobs" / f"{key}.parquet", pa.table(columns, schema=schema))
        names: list[object] = [f"function_{i}" for i in range(20)]
        symbols: dict[str, list[object]] = {
            "job": [key] * 20,
            "name": names,
            "section": ["text"] * 20,
        }
        symbols |= {"object": ["encrypt.c"] * 20, "bytes": list(range(20))}
        path = store.folder / "symbols" / f"{key}.parquet"
        write(path, pa.table(symbols, schema=symbol_schema()))


def write(path: Path, table: pa.Table) -> None:
    """One file in the store's format."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    path.write_bytes(buffer.getvalue())


def ask(folder: Path) -> None:
    """Times every query, including the opening of the folder."""
    slowest = 0.0
    for title, question in QUESTIONS.items():
        begun = time.perf_counter()
        with open_results(ResultStore(folder)) as results:
            opened = time.perf_counter() - begun
            rows = results.query(question).num_rows
        seconds = time.perf_counter() - begun
        slowest = max(slowest, seconds)
        print(f"{title}: {seconds:.2f} s, including {opened:.2f} s for opening; {rows:,} rows")
    print(f"slowest query: {slowest:.2f} s; peak memory: {most_memory()} MB", flush=True)


def pack(folder: Path) -> None:
    """The work of the first query, which is done once."""
    begun = time.perf_counter()
    open_results(ResultStore(folder)).close()
    seconds = time.perf_counter() - begun
    print(f"packing, once: {seconds:.0f} s; peak memory: {most_memory()} MB", flush=True)


def most_memory() -> int:
    """The peak memory of this process, in MB of 2^20 bytes.

    Linux includes in `ru_maxrss` the memory of the parent before this program was started.
    """
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) >> 10
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def main() -> int:
    """Fills, packs and queries, the last two in separate processes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rows", type=int, default=10_000_000, help="[10,000,000]")
    parser.add_argument("--pack", metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--ask", metavar="DIR", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.pack or given.ask:
        (pack if given.pack else ask)(Path(given.pack or given.ask))
        return 0
    jobs = max(1, given.rows // ROWS_PER_JOB)
    with tempfile.TemporaryDirectory() as name:
        os.environ["PENNYWEIGHT_CACHE"] = str(Path(name) / "cache")
        folder = Path(name) / "results"
        fill(ResultStore(folder), jobs)
        print(f"{jobs * ROWS_PER_JOB:,} rows of {jobs:,} jobs written", flush=True)
        for step in ("--pack", "--ask"):
            words = [sys.executable, str(Path(__file__).parent), step, str(folder)]
            status = subprocess.run(words, check=False).returncode
            if status != 0:
                return status
        return 0


if __name__ == "__main__":
    sys.exit(main())
