"""The Python API: the command line's words as functions, for scripts and notebooks.

The same functions are there as ``pennyweight.boards()``, ``pennyweight.measure(...)`` and so on::

    import pennyweight

    table = pennyweight.measure(
        "ascon-aead128", boards=["atmega328p", "stm32f030"], lengths="16:64,16:256", flags="-O2"
    )
    table.select(["implementation", "board", "m", "cycles"]).to_pandas()

Tables are Arrow tables; the columns of measurements are the fields of
:class:`pennyweight.model.Measurement` and :class:`pennyweight.model.Provenance`. Whatever a user
can get wrong raises :class:`pennyweight.model.UserError` with one sentence. Work is done in
worker processes on all cores; a progress bar appears on a terminal only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pennyweight.model import UserError

if TYPE_CHECKING:
    import pyarrow as pa

    from pennyweight.campaign.engine import Tally
    from pennyweight.progress import Progress
    from pennyweight.report.figures import Figure

Names = str | Path | Iterable[str | Path]

DEFAULT_FLAGS = "-O2"
"""What `measure` builds with unless told: what most firmware is built with."""

DEFAULT_LENGTHS = "16:64"
"""What `measure` measures unless told: a short packet with a header."""

DEFAULT_METRICS = "cycles,stack,flash,ram"
"""What `compare` compares unless told."""

__all__ = [
    "DEFAULT_FLAGS",
    "DEFAULT_LENGTHS",
    "DEFAULT_METRICS",
    "algorithms",
    "boards",
    "choose",
    "compare",
    "figures",
    "implementations",
    "measure",
    "report",
    "results",
    "run",
    "verify",
]


def boards() -> pa.Table:
    """The bundled boards; clock in Hz, memories in bytes."""
    from pennyweight.api import listing
    from pennyweight.catalogue import load

    return _table(listing.board_rows(load()))


def algorithms() -> pa.Table:
    """The algorithms of the catalogue; sizes in bytes."""
    from pennyweight.api import listing
    from pennyweight.catalogue import load

    return _table(listing.algorithm_rows(load()))


def implementations(names: Names = ()) -> pa.Table:
    """The bundled implementations, or those that `names` stand for.

    A name is an algorithm, ``algorithm/implementation``, a pattern, or the path of a folder.
    """
    from pennyweight.api import listing
    from pennyweight.catalogue import load

    found = listing.choose_implementations(load(), _texts(names, "names"))
    return _table(listing.implementation_rows(found))


def measure(
    names: Names,
    boards: Names,
    *,
    lengths: str | Sequence[tuple[int, int]] = DEFAULT_LENGTHS,
    flags: str | Sequence[str] = DEFAULT_FLAGS,
    op: str | Sequence[str] | None = None,
    parts: bool = False,
    verify: bool = True,
    budget: int | None = None,
    jobs: int | None = None,
) -> pa.Table:
    """Measures implementations on boards: one row for each case.

    `names` as for :func:`implementations`; `boards` are names or paths of board files. `lengths`
    are pairs of associated data and message in bytes, as text ``"16:64,16:0-256/4"`` or as
    tuples; a hash takes the second only, and a number alone in a text is that. Each of `flags` is
    a build. `op` is ``"enc"``, ``"dec"``, ``"hash"`` or several with commas, all of the kind
    unless given; `parts` adds the incremental functions. Without `verify` the known answers are
    not run. `budget` is in cycles a call, 200 million unless given; `jobs` the number of
    processes, all cores unless given.
    """
    from pennyweight.api import listing, measuring
    from pennyweight.catalogue import load
    from pennyweight.lengths import check_pairs, parse_pairs
    from pennyweight.measure import DEFAULT_BUDGET

    catalogue = load()
    planned = measuring.measure_jobs(
        listing.choose_implementations(catalogue, _some(names, "names")),
        measuring.choose_boards(catalogue, _some(boards, "boards")),
        _some(flags, "flags"),
        parse_pairs(lengths) if isinstance(lengths, str) else check_pairs(lengths),
        None if op is None else measuring.parse_operations(",".join(_some(op, "op"))),
        parts=parts,
        verify="full" if verify else "none",
        budget=DEFAULT_BUDGET if budget is None else _count(budget, "budget"),
    )
    with progress("Measuring") as bar:
        finished = list(measuring.finish_in_order(planned, _workers(jobs), bar))
    return _table([row for each in finished for row in measuring.rows_of(each)])


def verify(
    names: Names = (), boards: Names = (), *, flags: str = DEFAULT_FLAGS, jobs: int | None = None
) -> pa.Table:
    """Proves implementations right on boards: one row for each implementation and board.

    Every known answer is run on the simulated part, forgeries are tried, buffers are guarded.
    `status` is ``"ok"`` or what went wrong, `reason` the details, `verified` what passed. Without
    `names` all bundled implementations, without `boards` all bundled boards.
    """
    from pennyweight.api import listing, measuring
    from pennyweight.api.compilers import build_missing
    from pennyweight.catalogue import load

    catalogue = load()
    implementations = listing.choose_implementations(catalogue, _texts(names, "names"))
    named = _texts(boards, "boards")
    chosen = measuring.choose_boards(catalogue, named)
    if named:
        build_missing(chosen)
    planned = measuring.verify_jobs(implementations, chosen, [flags])
    with progress("Verifying") as bar:
        return _table(
            [
                measuring.verdict_of(finished)
                for finished in measuring.finish_in_order(planned, _workers(jobs), bar)
            ]
        )


def run(
    study: str | Path = "default",
    results: str | Path = "results",
    report: str | Path | None = None,
    jobs: int | None = None,
    quick: bool = False,
    dask: Any = None,
) -> Tally:
    """Runs a study: what its jobs measure is stored in the folder `results`.

    `study` is a name or the path of a TOML file; `quick` measures the subset of its table
    [quick] only. Jobs that are stored already are not done again. With `report`, the report is
    written to that folder afterwards. `jobs` is the number of processes, all cores unless given.
    `dask` is the address of a Dask scheduler (``tcp://host:8786``), a cluster object or a client:
    its workers do the jobs then.
    """
    from pennyweight.campaign.engine import Tally
    from pennyweight.report.output_folder import check_output_folder

    tally = Tally()
    if report is not None:
        check_output_folder(Path(report))
    run_study(study, results, tally, _workers(jobs), quick, dask)
    if report is not None:
        _report(results, report)
    return tally


def run_study(
    study: str | Path,
    results: str | Path,
    tally: Tally,
    jobs: int | None = None,
    quick: bool = False,
    dask: Any = None,
) -> dict[str, str]:
    """As :func:`run` without a report; `tally` tells the state if this is interrupted.

    Gives, for each board that was left out because its compiler is missing, and for each library
    whose package could not be had, why.
    """
    from pennyweight.api.compilers import build_missing
    from pennyweight.api.studies import find_study
    from pennyweight.campaign.engine import run_campaign
    from pennyweight.campaign.outcome import outcomes_of
    from pennyweight.campaign.plan import is_pattern, plan_study
    from pennyweight.campaign.record import campaign_record
    from pennyweight.catalogue import load
    from pennyweight.store import open_store

    chosen, catalogue = find_study(str(study)), load()
    if quick:
        chosen = chosen.quick_subset()
    named = [catalogue.board(name) for name in chosen.boards if not is_pattern(name)]
    build_missing(named, jobs)
    plan = plan_study(chosen, catalogue)
    store = open_store(results)
    store.prepare()
    store.add_campaign(chosen.id, campaign_record(chosen, plan, store.campaigns()))
    with ExitStack() as stack:
        cluster = None
        if dask is not None:
            from pennyweight.campaign.cluster import Cluster

            cluster = stack.enter_context(Cluster(dask))
        damaged = frozenset[str]()
        for _ in ("what is to do", "what turns out to be damaged"):
            with progress("Measuring", in_logs=True) as bar:
                run_campaign(plan.jobs, store, tally, jobs, bar, cluster, damaged)
            store.refresh()
            damaged = outcomes_of(store, tally.jobs).damaged
            if not damaged:
                break
    return plan.absent | plan.unreachable


def report(results: str | Path = "results", output: str | Path = "report") -> Path:
    """Writes the report of a results folder; gives the path of its first page.

    Raises UserError if there are no results or the folder cannot be written.
    """
    from pennyweight.report import write_report
    from pennyweight.store import open_store

    with progress("Drawing") as bar:
        return write_report(open_store(results), Path(output), bar)


_report = report


def results(folder: str | Path = "results") -> pa.Table:
    """The measurements of a results folder: the newest row of each case of each build.

    Beside what :func:`measure` gives, `job` and the other columns of the origin, it has
    cycles_per_byte, time_us, bytes_per_second and energy_uj_estimate (see
    :mod:`pennyweight.analysis.rates`). Raises UserError if there are no results. For questions in
    SQL, and the rows of earlier sources and compilers, see
    :func:`pennyweight.store.reading.open_results`.
    """
    from pennyweight.api.reading import read_results
    from pennyweight.store import open_store

    return read_results(open_store(folder))


def choose(
    board: str | Path,
    message: int = 64,
    ad: int = 0,
    *,
    names: Names = (),
    kind: str = "aead",
    op: str | Sequence[str] | None = None,
    flags: str | Sequence[str] = DEFAULT_FLAGS,
    max_flash: int | None = None,
    max_ram: int | None = None,
    max_stack: int | None = None,
    min_tag: int | None = None,
    standard_only: bool = False,
    constant_time: bool = False,
    by: str = "speed",
    battery: float | None = None,
    jobs: int | None = None,
) -> pa.Table:
    """The ranking for one's own traffic and limits, as ``pennyweight choose`` has it.

    Lengths and limits are in bytes, `battery` in mAh; `by` is ``"speed"``, ``"flash"``, ``"ram"``
    or ``"stack"``. One row for each algorithm, the best first; those that keep no limit stand at
    the end, without a `rank` and with the reason in `excluded`. The first time measures.
    """
    from pennyweight.api import choosing, listing, measuring
    from pennyweight.catalogue import load

    catalogue = load()
    traffic = choosing.traffic(kind, ad, message, None if op is None else ",".join(_some(op, "op")))
    (chosen,) = measuring.choose_boards(catalogue, [str(board)])
    with progress("Measuring") as bar:
        ranking, excluded = choosing.choose(
            listing.choose_implementations(catalogue, _texts(names, "names")),
            catalogue,
            chosen,
            traffic,
            _some(flags, "flags"),
            choosing.limits(max_flash, max_ram, max_stack, min_tag, standard_only, constant_time),
            aim=choosing.aim(by),
            battery_mah=choosing.charge(battery),
            jobs=_workers(jobs),
            progress=bar,
        )
    return _table(choosing.rows_of(ranking, excluded))


def compare(
    a: str | Path,
    b: str | Path,
    *,
    a_only: Mapping[str, object] | None = None,
    b_only: Mapping[str, object] | None = None,
    metric: str | Sequence[str] = DEFAULT_METRICS,
    functions: bool = False,
) -> pa.Table:
    """Two sets of measurements side by side, as ``pennyweight compare`` has them.

    `a` and `b` are results folders, files that ``measure`` printed, or ``published:NAME``; of
    their rows only those count that `a_only` and `b_only` describe, such as ``{"flags": "-Os"}``,
    and a key that both fix to different values is not compared. Every figure that either side has
    is a row with `before`, `after`, `difference` and `ratio`; with `functions` bytes by function
    instead. :func:`pennyweight.analysis.comparison.summarize` tells what it comes to.
    """
    from pennyweight.analysis import comparison
    from pennyweight.comparison import pairing

    first, second, ignored = pairing.read_inputs(
        str(a),
        str(b),
        [f"{key}={value}" for key, value in (a_only or {}).items()],
        [f"{key}={value}" for key, value in (b_only or {}).items()],
        ",".join(_some(metric, "metric")),
    )
    if functions:
        return pairing.compare_functions(first, second, ignored)
    return comparison.compare(first.figures, second.figures, ignored)


def figures(results: str | Path = "results") -> dict[str, Figure]:
    """The figures of a results folder by name, each an object that a notebook shows.

    Each has `svg()`, `pdf()`, `png()`, its `numbers` as an Arrow table, and `title`, `caption` and
    `label` as texts. Raises UserError if there are no results.
    """
    from pennyweight.report.gallery import figures as all_figures
    from pennyweight.store import open_store

    return all_figures(open_store(results))


def progress(verb: str, in_logs: bool = False) -> AbstractContextManager[Progress]:
    """A bar if somebody looks at standard error, else silence, or a line a minute `in_logs`."""
    from pennyweight.progress import Bar, Lines, Silent, wants_bar

    if wants_bar():
        return Bar(verb)
    return nullcontext(Lines() if in_logs else Silent())


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(rows)


def _texts(names: Names, what: str) -> list[str]:
    """One name or several as texts. Raises UserError for what cannot be a name."""
    given = [names] if isinstance(names, str | Path) else names
    each = list(given) if isinstance(given, Iterable) else [given]
    for name in each:
        if not isinstance(name, str | Path):
            raise UserError(f"{what}: {name!r} is no name; give a text, a path, or a list of them.")
    return [str(name) for name in each]


def _count(value: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UserError(f"{what}: {value!r} is no whole number of 1 or more.")
    return value


def _workers(jobs: int | None) -> int | None:
    return None if jobs is None else _count(jobs, "jobs")


def _some(names: Names, what: str) -> list[str]:
    texts = _texts(names, what)
    if not texts:
        raise UserError(f"{what}: give at least one.")
    return texts
