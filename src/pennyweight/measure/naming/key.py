"""Names a job, and what a verdict depends on, by what decides them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property

from pennyweight import _simulator
from pennyweight import toolchains as compilers
from pennyweight.build import Build
from pennyweight.build.image import Image
from pennyweight.job import Job
from pennyweight.measure.naming.digests import (
    compiler_digest,
    digest,
    firmware_digest_without_comments,
    sources_of,
)
from pennyweight.measure.naming.meaning import (
    IN_IMAGES,
    board_meaning,
    implementation_meaning,
)
from pennyweight.measure.naming.own_code import MEASURING, VERIFYING, own_code
from pennyweight.model import Case
from pennyweight.snapshot import once

_OF_SOURCES = ("harness", "implementation", "firmware", "compiler", "flags", "selecting")
"""Parts of a name in whose place a proof has images."""


def job_key(job: Job) -> str:
    """The content hash that names a job: 64 hexadecimal digits.

    Equal keys give equal rows: sources, headers, firmware, board file, compiler identity, flags,
    cases, simulator version, known answers, the level of verification and our own code all enter
    it, but neither their comments nor other prose. Raises `UserError` for a board without a known
    compiler.
    """
    return Names(job).key


def harness_identity() -> dict[str, str]:
    """What must be the same on all machines that do one campaign, whatever its jobs are."""
    return {"Pennyweight": own_code(MEASURING), "the simulators": _simulator.__version__}


class Names:
    """The names of a job, of its verdict and of a proof of it, each made when first asked for."""

    def __init__(self, job: Job) -> None:
        self._job = job

    @cached_property
    def key(self) -> str:
        """That of the job; see :func:`job_key`."""
        # As JSON of the three would be: the cases are the most of it, and the same for many jobs.
        text = (
            f'{{"board": "{self.board}", "cases": {_listed(self._job.cases)}, '
            f'"verdict": "{self.verdict}"}}'
        )
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def board(self) -> str:
        """Over all of the board's file that a simulated measurement depends on."""
        return digest(board_meaning(self._job.board))

    @cached_property
    def verdict(self) -> str:
        """Over everything that verification depends on: of a board, all but its timing.

        Two boards that run the same image on the same core in the same memories, one slower than
        the other, get the same answers from it.
        """
        return digest(self.parts)

    @cached_property
    def parts(self) -> dict[str, object]:
        """What `verdict` is over, by name; a digest for what is large. Raises `UserError`."""
        job, board = self._job, self._job.board
        return {
            "harness": own_code(MEASURING),
            "simulator": _simulator.__version__,
            "implementation": self._implementation,
            "core": [board.core, *board.file.core.extensions],
            "selecting": board.file.compiler.flags,
            "memories": [(memory.kind, memory.base, memory.size) for memory in board.file.memory],
            "firmware": firmware_digest_without_comments(board),
            "compiler": self._compiler,
            "flags": job.options,
            "verify": job.verify,
            "budget": job.budget,
        }

    def proof(self, built: Build) -> str:
        """Over everything that a proof of one of ours depends on once it is built: its programs
        instead of the sources, compiler and flags that they are made of.

        Other sources of the same code, or a header that another core reads, leave it as it is.
        """
        implementation = self._job.implementation
        identity = once(
            "identity",
            (implementation.id, str(implementation.folder)),
            lambda: digest(implementation_meaning(implementation, IN_IMAGES)),
        )
        images = {name: Image(program.elf).sha256 for name, program in built.programs.items()}
        kept = {name: part for name, part in self.parts.items() if name not in _OF_SOURCES}
        proving = {"checks": own_code(VERIFYING), "implementation": identity, "images": images}
        return digest(kept | proving)

    @property
    def _implementation(self) -> str:
        """Over its sources, its manifest, and all that is known of its algorithm."""
        implementation = self._job.implementation

        def find() -> str:
            sources = {"sources": sources_of(implementation).meaning}
            return digest(implementation_meaning(implementation) | sources)

        return once("implementation", (implementation.id, str(implementation.folder)), find)

    @property
    def _compiler(self) -> str:
        """Over the compiler as far as these sources need it: some have C++ in a package apart."""
        job = self._job
        found = once("compiler", (job.compiler, job.board.sha256), lambda: compiler_digest(job))
        if not found:
            return job.compiler
        if not sources_of(job.implementation).has_cplusplus:
            return found
        return f"{found} {compilers.for_job(job).identity.cplusplus_sha256}"


def _listed(cases: Sequence[Case]) -> str:
    """The cases as JSON, made once for each sequence of them within :func:`snapshot_scope`."""

    def find() -> tuple[Sequence[Case], str]:
        # The cases are kept beside: their identity is not another's as long as they are there.
        return cases, json.dumps([[case.op.value, case.ad, case.m] for case in cases])

    return once("cases", id(cases), find)[1]
