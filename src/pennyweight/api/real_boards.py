"""Selects and identifies the real boards of a request before anything is written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

from pennyweight.api.requests import RunRequest
from pennyweight.campaign.plan import Plan, planned
from pennyweight.catalogue import Catalogue
from pennyweight.catalogue.boards import Board
from pennyweight.catalogue.real_board import SUFFIX, as_real
from pennyweight.devices.errors import DeviceError
from pennyweight.devices.place import parse_place
from pennyweight.model import UserError

DEFAULT_REPEATS = 3

_MOST_REASONS = 4
"""Boards that do not match are listed one by one up to this number."""

_NO_PERMISSION = "permission (pennyweight devices --udev-rules)"


@dataclass(frozen=True, slots=True)
class Bench:
    """A board, simulated or real; the last three fields are those of a job."""

    board: Board
    on: str = ""
    device: str = ""
    repeats: int = 1


def benches(
    boards: Sequence[Board],
    on: str | None,
    yes: bool,
    repeats: int | None,
    supply: str | None,
    budget: int = 0,
) -> list[Bench]:
    """The boards for jobs: simulated ones if `on` is `None`.

    With `on`, the boards that match the part at that place; the others are reported on standard
    error. Asks before the part may be written, unless `yes`. Raises `UserError`, also if a counter
    cannot count `budget` cycles, and `DeviceError` if the part matches none.
    """
    refuse_without_place(on, yes, repeats, supply)
    if on is None:
        return [Bench(board) for board in boards]
    _refuse_uncountable(boards, budget)
    found, left_out = _matching(boards, on, yes, repeats, supply)
    reasons = list(left_out.values())
    if len(reasons) > _MOST_REASONS:
        fit = ", ".join(bench.board.id.removesuffix(SUFFIX) for bench in found)
        part = " or ".join(bench.device for bench in found[:1])
        others = f"{len(reasons)} other boards do not match it and are skipped"
        reasons = [f"{on}: found {part}; it is measured as {fit}; {others}."]
    else:
        reasons = [f"{reason}; skipped." for reason in reasons]
    for reason in reasons:
        import click

        click.echo(f"pennyweight: {reason}", err=True)
    return found


def _refuse_uncountable(boards: Sequence[Board], budget: int) -> None:
    from pennyweight.devices.families import family_of

    for board in boards:
        if board.file.device is not None and budget > (longest := family_of(board).longest):
            raise UserError(
                f"--budget {budget:,}: the counter of {board.id} counts calls of at most "
                f"{longest:,} cycles; give --budget {longest} or less"
            )


def fitting(boards: Sequence[Board], on: str | None) -> list[Board]:
    """Those of the boards that match the part at a place; all of them if `on` is `None` or none has
    a table `[device]`. Raises `DeviceError` if no part can be reached.
    """
    from pennyweight.devices.connect import identify_part

    usable = [board for board in boards if board.file.device is not None]
    if on is None or not usable:
        return list(boards)
    identities = identify_part(on, usable).identities
    return [board for board in usable if board.id in identities]


def _matching(
    boards: Sequence[Board], on: str, yes: bool, repeats: int | None, supply: str | None
) -> tuple[list[Bench], dict[str, str]]:
    """The boards that match the part at a place, and why each other one does not."""
    from pennyweight.devices.connect import SUPPLY, identify_part
    from pennyweight.devices.errors import NO_TABLE

    parse_place(on)
    usable = [board for board in boards if board.file.device is not None]
    left_out = {
        board.id: f"{board.id} is only simulated: its file has no table [device]"
        for board in boards
        if board.file.device is None
    }
    if len(boards) == 1 and not usable:
        raise DeviceError(f"board file '{boards[0].path}': {NO_TABLE}")
    if not usable:
        names = ", ".join(board.id for board in boards[:5])
        raise UserError(
            f"--on: no board file of {names} has a table [device]; docs/howto/board.md describes it"
        )
    identified = identify_part(on, usable)
    left_out |= {name: str(error) for name, error in identified.errors.items()}
    found = []
    for board in usable:
        if board.id in identified.identities:
            words = identified.identities[board.id] + (f"{SUPPLY}{supply}" if supply else "")
            found.append(Bench(as_real(board, words), on, words, repeats or DEFAULT_REPEATS))
    if not found:
        if len(usable) > 1 and identified.part:
            raise DeviceError(
                f"{on}: the part is {identified.part}; it matches none of "
                f"{_listed([board.id for board in usable])}; nothing was written; give its own "
                "board file with --board, as docs/howto/board.md describes"
            )
        raise next(iter(identified.errors.values()))
    if not yes:
        _ask(on, found)
    return found, left_out


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _MOST_REASONS:
        return ", ".join(names)
    return f"{len(names)} boards, such as {names[0]} and {names[-1]}"


def moved(plan: Plan, request: RunRequest) -> Plan:
    """A study's plan on a real board: the jobs of the boards that match the part.

    Raises the errors of :func:`benches`.
    """
    if request.dask is not None:
        raise UserError(
            "--dask: a real board is used from the machine it is connected to; remove --dask."
        )
    assert request.on is not None
    boards = {job.board.id: job.board for job in plan.jobs}
    places, left_out = _matching(
        list(boards.values()), request.on, request.yes, request.repeats, request.supply
    )
    jobs = [
        planned(
            replace(
                job,
                board=bench.board,
                on=bench.on,
                device=bench.device,
                repeats=bench.repeats,
            )
        )
        for bench in places
        for job in plan.jobs
        if job.board.sha256 == bench.board.sha256
    ]
    return replace(plan, jobs=jobs, absent={**plan.absent, **left_out})


def device_rows(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Connected probes and ports, each with the value for `--on`, matching boards and missing
    dependencies; then the tools that are not installed, and the boards that are only simulated.
    """
    return [
        *_connected_rows(catalogue),
        *_missing_tool_rows(catalogue),
        {
            "on": "",
            "what": "only simulated",
            "boards": ", ".join(
                board.id for board in catalogue.boards.values() if board.file.device is None
            ),
            "missing": "table [device] in the board files",
        },
    ]


def _connected_rows(catalogue: Catalogue) -> list[dict[str, Any]]:
    from pennyweight.devices.servers import missing_server
    from pennyweight.devices.tools import (
        LOADERS,
        TI_LIBRARY,
        has_ti_library,
        loader_of,
        tool_path,
    )
    from pennyweight.devices.usb import find_ports, find_probes

    boards = [board for board in catalogue.boards.values() if board.file.device is not None]
    rows = []
    probes = find_probes()
    for probe in probes:
        servers = {board.id: missing_server(probe, board) for board in boards}
        names = [name for name, missing in servers.items() if missing is not None]
        lacks = sorted({each for each in servers.values() if each})
        if probe.needs_ti_library and not has_ti_library():
            lacks.append(TI_LIBRARY)
        if not probe.usable:
            lacks.append(_NO_PERMISSION)
        if sum(each.serial == probe.serial for each in probes) > 1 or (
            len(probes) > 1 and not probe.serial
        ):
            lacks.append("serial number of its own (disconnect the other probes)")
        rows.append(
            {
                "on": f"probe:{probe.serial}" if probe.serial else "probe",
                "what": probe.name,
                "boards": ", ".join(names),
                "missing": "; ".join(lacks),
            }
        )
    for port in find_ports():
        fits = [
            board
            for board in boards
            if loader_of(board) is not None
            and (board.id in port.boards or (port.is_adapter and loader_of(board) == "stm32flash"))
        ]
        loaders = {tool for board in fits if (tool := loader_of(board)) is not None}
        lacks = [f"{tool}: {LOADERS[tool]}" for tool in sorted(loaders) if not tool_path(tool)]
        if not port.usable:
            lacks.append(_NO_PERMISSION)
        if not fits:
            lacks.append("board file with a serial monitor")
        rows.append(
            {
                "on": f"serial:{port.path}",
                "what": port.name,
                "boards": ", ".join(board.id for board in fits),
                "missing": "; ".join(lacks),
            }
        )
    return rows


def _missing_tool_rows(catalogue: Catalogue) -> list[dict[str, Any]]:
    from pennyweight.devices.tools import missing_tools

    return [
        {
            "on": "",
            "what": "missing tool",
            "boards": ", ".join(each.boards),
            "missing": f"{each.tool}: {each.install}",
        }
        for each in missing_tools(catalogue.boards.values())
    ]


def _ask(on: str, found: Sequence[Bench]) -> None:
    """Raises `UserError` unless the user agrees."""
    names = " or ".join(bench.device for bench in found)
    if not sys.stdin.isatty():
        raise UserError(
            f"--on {on}: found {names}; its flash will be overwritten; give --yes to agree"
        )
    import click

    question = fill(
        f"{on}: found {names}. Its flash will be overwritten. Continue?",
        get_terminal_size().columns - len(" [y/N]: "),
        break_long_words=False,
        break_on_hyphens=False,
    )
    if not click.confirm(question, err=True):
        raise UserError(f"--on {on}: cancelled; nothing was written")


def refuse_without_place(
    on: str | None, yes: bool, repeats: int | None, supply: str | None
) -> None:
    """Raises `UserError` for options that require `--on` if it is not given."""
    if on is not None:
        return
    given = {"--yes": yes, "--repeats": repeats is not None, "--supply": supply is not None}
    for name, is_given in given.items():
        if is_given:
            raise UserError(f"{name} requires --on; add --on or remove {name}.")
