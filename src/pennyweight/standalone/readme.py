"""The README of a vendored implementation: how to use it, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from pennyweight.catalogue.implementation import Implementation
from pennyweight.markdown import table
from pennyweight.model import JobResult, Kind, Status
from pennyweight.standalone.package import Api
from pennyweight.version import __version__

_CALLS = {
    Kind.AEAD: "crypto_aead_encrypt` and `crypto_aead_decrypt",
    Kind.HASH: "crypto_hash",
    Kind.AUTH: "crypto_auth` and `crypto_auth_verify",
}
_HEADERS = {Kind.AEAD: "aead.h", Kind.HASH: "hash.h", Kind.AUTH: "mac.h"}

_COLUMNS = (
    *("board", "flags", "operation", "AD bytes", "message bytes", "cycles"),
    *("stack bytes", "flash bytes", "RAM bytes"),
)
_TEXT_COLUMNS = 3


def readme(
    implementation: Implementation, files: Sequence[str], api: Api, results: Sequence[JobResult]
) -> str:
    """The text of README.md; `results` are measurements of these `files`, none if there are no
    boards to measure on.
    """
    known = implementation.known
    title = known.variant.title if known else implementation.algorithm
    parts = [
        f"# {title}: `{implementation.id}`",
        f"{implementation.manifest.title}. {_specified(implementation)}",
        f"Copied from Pennyweight {__version__}; {_languages(files)} without dependencies, under "
        "the licence in `LICENSE`.",
        _use(implementation, files, api),
        "## Test\n\n`make test` builds the known-answer tests in `test/` for this machine and runs "
        "them. `make test CC=clang` uses another compiler.",
        _cost(results),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _specified(implementation: Implementation) -> str:
    known = implementation.known
    return f"Specification: {known.variant.specification.citation}." if known else ""


def _languages(files: Sequence[str]) -> str:
    assembly = any(each.endswith(".S") for each in files)
    return "portable C11, with assembly for some cores," if assembly else "portable C11"


def _use(implementation: Implementation, files: Sequence[str], api: Api) -> str:
    manifest = implementation.manifest
    sources = ", ".join(
        f"`{each}`" for each in files if "/" not in each and each.endswith((".c", ".S"))
    )
    calls = "crypto_cxof" if implementation.customised else _CALLS[implementation.kind]
    lines = [
        "## Use",
        "",
        f"Compile {sources} with your program. All headers are in this folder.",
        "",
        f"- `one_shot.h` declares `{calls}`, the functions of SUPERCOP and of NIST's call for "
        "lightweight cryptography. `api.h` has the sizes.",
    ]
    header = _HEADERS[implementation.kind]
    if api == "incremental":
        lines.append(f"- `{header}` declares the incremental API: a message in pieces.")
    elif manifest.incremental:
        lines.append(
            f"- The functions of `{header}` are internal here; `pennyweight vendor --api "
            "incremental` adds tests of them."
        )
    if manifest.constant_time:
        lines.append("- Time does not depend on secrets.")
    elif manifest.constant_time is False:
        lines.append("- Memory addresses depend on secrets, which affects the time on some cores.")
    if manifest.shares:
        lines.append(
            "- Your program defines `uint32_t pw_random32(void)` of `random.h`, which returns "
            "random words."
        )
    if manifest.notes:
        lines.append(f"- {manifest.notes}")
    return "\n".join(lines)


def _cost(results: Sequence[JobResult]) -> str:
    """A table of all measurements, where they are from, and what could not be measured."""
    if not results:
        return ""
    rows: list[tuple[str, ...]] = []
    failures = []
    for result in results:
        for row in result.measurements:
            if row.status != Status.OK:
                failures.append(f"- {row.board}, {row.flags}, {row.op}: {row.status}; {row.reason}")
                continue
            numbers = (row.ad, row.m, row.cycles, row.stack, row.flash, row.ram)
            cells = ("-" if number is None else f"{number:,}" for number in numbers)
            rows.append((row.board, f"`{row.flags}`", row.op, *cells))
    problems = "\n".join(failures)
    if not rows:
        return f"## Cost\n\nNot measured:\n\n{problems}"
    versions = dict.fromkeys(
        f"- {result.measurements[0].board}: {result.provenance.compiler_version}; "
        f"{result.provenance.verified}"
        for result in results
        if result.provenance.compiler_version
    )
    origin = results[0].provenance
    text = [
        "## Cost",
        f"Measured by Pennyweight {origin.pennyweight_version} on these files, in its "
        "cycle-accurate simulators. Flash and RAM are those of all functions, minus an empty "
        "program.",
        table(_COLUMNS, rows, range(_TEXT_COLUMNS, len(_COLUMNS))),
        f"Not measured:\n\n{problems}" if problems else "",
        "Compilers, and the known answers that ran on each simulated part:",
        "\n".join(versions),
        "`pennyweight measure` gives the same figures for this folder.",
    ]
    return "\n\n".join(part for part in text if part)
