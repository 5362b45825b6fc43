"""The Python API: the commands as functions, for scripts and notebooks.

The same functions are available as ``pennyweight.boards()``, ``pennyweight.measure(...)`` and so
on::

    import pennyweight

    table = pennyweight.measure(
        "ascon-aead128", boards=["atmega328p", "stm32f030"], lengths="16:64,16:256", flags="-O2"
    )
    table.select(["implementation", "board", "m", "cycles"]).to_pandas()

Tables are Arrow tables; the columns of measurements are the fields of
:class:`pennyweight.model.Measurement` and :class:`pennyweight.model.Provenance`. Errors of a user
raise :class:`pennyweight.model.UserError` with one sentence. Work is done in worker processes on
all cores; a progress bar appears only on a terminal.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pennyweight.api.options import Names, count, taking, texts
from pennyweight.api.requests import (
    ChooseRequest,
    CompareRequest,
    LeakageRequest,
    MeasureRequest,
    RunRequest,
    TuneRequest,
    VendorRequest,
    VerifyRequest,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from pennyweight.campaign.engine import Tally
    from pennyweight.progress import Progress
    from pennyweight.report.figures import Figure

__all__ = [
    "algorithms",
    "boards",
    "choose",
    "compare",
    "figures",
    "implementations",
    "leakage",
    "measure",
    "report",
    "results",
    "run",
    "tune",
    "vendor",
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
    """The bundled implementations, or those that match `names`.

    A name is an algorithm, ``algorithm/implementation``, a pattern, or the path of a folder.
    """
    from pennyweight.api import listing
    from pennyweight.catalogue import load

    found = listing.choose_implementations(load(), texts(names, "names"))
    return _table(listing.implementation_rows(found))


@taking(MeasureRequest)
def measure(request: MeasureRequest) -> pa.Table:  # noqa: D103 - the request's is its docstring
    from pennyweight.api import measuring
    from pennyweight.catalogue import load

    planned = measuring.measure_jobs(request, load())
    with progress("Measuring") as bar:
        finished = list(measuring.finish_in_order(planned, count(request.jobs, "jobs"), bar))
    return _table([row for each in finished for row in measuring.rows_of(each)])


@taking(VerifyRequest)
def verify(request: VerifyRequest) -> pa.Table:  # noqa: D103 - the request's is its docstring
    from pennyweight.api import listing, measuring
    from pennyweight.api.compilers import build_missing
    from pennyweight.catalogue import load

    catalogue = load()
    implementations = listing.choose_implementations(catalogue, texts(request.names, "names"))
    named = texts(request.boards, "boards")
    chosen = measuring.choose_boards(catalogue, named)
    if named and request.on is None:
        build_missing(chosen)
    planned = measuring.verify_jobs(request, implementations, chosen)
    with progress("Verifying") as bar:
        return _table(
            [
                measuring.verdict_of(finished)
                for finished in measuring.finish_in_order(planned, count(request.jobs, "jobs"), bar)
            ]
        )


@taking(RunRequest)
def run(request: RunRequest) -> Tally:  # noqa: D103 - the request's is its docstring
    from pennyweight.campaign.engine import Tally
    from pennyweight.report.output_folder import check_output_folder

    tally = Tally()
    if request.report is not None:
        check_output_folder(Path(request.report))
    run_study(request, tally)
    if request.report is not None:
        report(request.results, request.report)
    return tally


def run_study(request: RunRequest, tally: Tally) -> dict[str, str]:
    """As :func:`run` without a report; `tally` has the state after an interruption.

    Returns the reason for each board that was skipped because its compiler is missing, and for each
    library whose package was not available.
    """
    from pennyweight.api.compilers import build_missing
    from pennyweight.api.real_boards import fitting, moved, refuse_without_place
    from pennyweight.api.studies import find_study
    from pennyweight.campaign.earlier_boards import with_earlier_boards
    from pennyweight.campaign.engine import run_campaign
    from pennyweight.campaign.outcome import outcomes_of
    from pennyweight.campaign.plan import is_pattern, plan_study
    from pennyweight.campaign.record import campaign_record
    from pennyweight.catalogue import load
    from pennyweight.store import open_store

    refuse_without_place(request.on, request.yes, request.repeats, request.supply)
    chosen, catalogue = find_study(str(request.study)), load()
    jobs = count(request.jobs, "jobs")
    if request.quick:
        chosen = chosen.quick_subset()
    named = [catalogue.board(name) for name in chosen.boards if not is_pattern(name)]
    build_missing(fitting(named, request.on), jobs)
    plan = plan_study(chosen, catalogue, texts(request.compilers, "compilers"))
    if request.on is not None:
        plan = moved(plan, request)
    store = open_store(request.results)
    store.prepare()
    record = campaign_record(chosen, plan, store.campaigns())
    store.add_campaign(chosen.id, with_earlier_boards(record, plan, store))
    with ExitStack() as stack:
        cluster = None
        if request.dask is not None:
            from pennyweight.campaign.cluster import Cluster

            cluster = stack.enter_context(Cluster(request.dask))
        damaged = frozenset[str]()
        for _ in ("missing jobs", "damaged jobs"):
            with progress("Measuring", in_logs=True) as bar:
                run_campaign(plan.jobs, store, tally, jobs, bar, cluster, damaged)
            store.refresh()
            damaged = outcomes_of(store, tally.jobs).damaged
            if not damaged:
                break
    return plan.absent | plan.unreachable


def report(results: str | Path = "results", output: str | Path = "report") -> Path:
    """Writes the report of a results folder; returns the path of its first page.

    Raises UserError if there are no results or the folder cannot be written.
    """
    from pennyweight.report import write_report
    from pennyweight.store import open_store

    with progress("Drawing") as bar:
        return write_report(open_store(results), Path(output), bar)


def results(folder: str | Path = "results") -> pa.Table:
    """The measurements of a results folder: the newest row of each case of each build.

    In addition to the columns of :func:`measure`, it has `job` and other columns of the origin,
    cycles_per_byte, time_us, bytes_per_second and energy_uj_estimate (see
    :mod:`pennyweight.analysis.rates`). Raises UserError if there are no results. For SQL queries,
    and the rows of earlier sources and compilers, see
    :func:`pennyweight.store.reading.open_results`.
    """
    from pennyweight.api.reading import read_results
    from pennyweight.store import open_store

    return read_results(open_store(folder))


@taking(LeakageRequest)
def leakage(request: LeakageRequest) -> pa.Table:  # noqa: D103 - the request's is its docstring
    from pennyweight.api import leaking

    with progress("Tracing") as bar:
        return _table(leaking.all_rows(request, bar))


@taking(ChooseRequest)
def choose(request: ChooseRequest) -> pa.Table:  # noqa: D103 - the request's is its docstring
    from pennyweight.api import choosing
    from pennyweight.catalogue import load

    catalogue = load()
    asked = choosing.question(request, catalogue)
    with progress("Measuring") as bar:
        found = choosing.choose(asked, catalogue, count(request.jobs, "jobs"), bar)
    return _table(choosing.rows_of(*found))


@taking(CompareRequest)
def compare(request: CompareRequest) -> pa.Table:  # noqa: D103 - the request's is its docstring
    from pennyweight.api.comparing import compare_inputs, inputs

    return compare_inputs(inputs(request), request.functions)


@taking(TuneRequest)
def tune(request: TuneRequest) -> pa.Table:  # noqa: D103 - the request's is its docstring
    from pennyweight.api.tuning import prepare
    from pennyweight.catalogue import load
    from pennyweight.tuning.tune import tune as search

    state = prepare(request, load())
    with progress("Tuning") as bar:
        for _ in search(state, count(request.jobs, "jobs"), bar):
            pass
    return _table(state.rows())


@taking(VendorRequest)
def vendor(request: VendorRequest) -> Path:  # noqa: D103 - the request's is its docstring
    from pennyweight.api import vendoring
    from pennyweight.catalogue import load

    with progress("Measuring") as bar:
        return vendoring.vendor(request, load(), bar).folder


def figures(results: str | Path = "results") -> dict[str, Figure]:
    """The figures of a results folder by name, as objects that a notebook can show.

    Each has `svg()`, `pdf()`, `png()`, its `numbers` as an Arrow table, and the texts `title`,
    `caption` and `label`. Raises UserError if there are no results.
    """
    from pennyweight.report.gallery import figures as all_figures
    from pennyweight.store import open_store

    return all_figures(open_store(results))


def progress(
    verb: str, in_logs: bool = False, steps: str = "jobs"
) -> AbstractContextManager[Progress]:
    """A bar if standard error is a terminal, otherwise nothing, or a line per minute if
    `in_logs`, which counts `steps`.
    """
    from pennyweight.progress import Bar, Lines, Silent, wants_bar

    if wants_bar():
        return Bar(verb)
    return nullcontext(Lines(steps=steps) if in_logs else Silent())


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(rows)
