"""Names jobs and verdicts by the hash of what they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property

from pennyweight import _simulator
from pennyweight import toolchains as compilers
from pennyweight.build import Build
from pennyweight.build.image import Image
from pennyweight.fingerprint.own_code import CONNECTING, MEASURING, VERIFYING, own_code
from pennyweight.job import Job
from pennyweight.measure.naming.digests import (
    compiler_digest,
    digest,
    firmware_digest_without_comments,
    sources_of,
)
from pennyweight.measure.naming.relevant_fields import (
    IN_IMAGES,
    board_meaning,
    implementation_meaning,
)
from pennyweight.model import Case
from pennyweight.snapshot import once

_OF_SOURCES = ("harness", "implementation", "firmware", "compiler", "flags", "selecting")
"""Parts of a name that the images replace in the name of a bundled implementation's verdict."""


def job_key(job: Job) -> str:
    """The content hash that names a job: 64 hexadecimal digits.

    Equal keys give equal rows. The hash covers sources, headers, firmware, board file, compiler
    identity, flags, cases, simulator version, known answers, the level of verification and this
    package's code, but neither their comments nor other prose. Raises `UserError` for a board with
    an unknown compiler.
    """
    return Names(job).key


def harness_identity() -> dict[str, str]:
    """Digest of what must be equal on all machines of a campaign, whatever its jobs are."""
    families = [root for each in compilers.FAMILIES.values() for root in each.roots()]
    code = own_code(MEASURING, *families)
    return {"Pennyweight": code, "the simulators": _simulator.__version__}


class Names:
    """The names of a job, of its verdict and of the verdict on its images, computed on first
    use.
    """

    def __init__(self, job: Job) -> None:
        self._job = job

    @cached_property
    def key(self) -> str:
        """The name of the job; see :func:`job_key`."""
        # Equals the JSON of the three. The cases are its largest part and the same for many jobs.
        text = (
            f'{{"board": "{self.board}", "cases": {_listed(self._job.cases)}, '
            f'"verdict": "{self.verdict}"}}'
        )
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def board(self) -> str:
        """Digest of everything in the board's file that a simulated measurement depends on."""
        return digest(board_meaning(self._job.board))

    @cached_property
    def verdict(self) -> str:
        """Digest of everything that verification depends on: of a board, all but its timing.

        Two boards that run the same image on the same core with the same memories, at different
        speed, get the same answers.
        """
        return digest(self.parts)

    @cached_property
    def parts(self) -> dict[str, object]:
        """The inputs of `verdict` by name, with digests of large ones. Raises `UserError`."""
        job, board = self._job, self._job.board
        return {
            "harness": own_code(MEASURING, *compilers.family(board).roots()),
            "simulator": _simulator.version_of(board.core_file.file.instruction_set),
            "implementation": self._implementation,
            "core": [board.core_file.meaning(), *board.file.core.extensions],
            "selecting": board.file.compiler.flags,
            "memories": [(memory.kind, memory.base, memory.size) for memory in board.file.memory],
            "firmware": firmware_digest_without_comments(board),
            "compiler": self._compiler,
            "flags": job.options,
            "verify": job.verify,
            "budget": job.budget,
            **_device_parts(job),
            **_random_parts(job),
            **({"warm": job.warm} if job.warm != 1 else {}),
            **_platform_parts(job),
        }

    def proof(self, built: Build) -> str:
        """Digest of everything that the verdict on a bundled implementation depends on after the
        build: its images instead of sources, compiler and flags.

        It does not change with sources that compile to the same code, or a header for another core.
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
        """Digest of its sources, its manifest, and the catalogue's entry of its algorithm."""
        implementation = self._job.implementation

        def find() -> str:
            sources = {"sources": sources_of(implementation).meaning}
            return digest(implementation_meaning(implementation) | sources)

        return once("implementation", (implementation.id, str(implementation.folder)), find)

    @property
    def _compiler(self) -> str:
        """Digest of the parts of the compiler that these sources need: C++ may be a separate
        package.
        """
        job = self._job
        found = once("compiler", (job.compiler, job.board.sha256), lambda: compiler_digest(job))
        if not found:
            return job.compiler
        if not sources_of(job.implementation).has_cplusplus:
            return found
        return f"{found} {compilers.for_job(job).identity.cplusplus_sha256}"


def _device_parts(job: Job) -> dict[str, object]:
    """Additional inputs of the results of a job on a real board; empty for a simulated one."""
    if not job.on:
        return {}
    from pennyweight.devices.monitor import monitor_digest

    return {
        "device": [job.device, job.repeats],
        "connection": own_code(CONNECTING),
        "monitor": monitor_digest(job.board),
    }


def _random_parts(job: Job) -> dict[str, object]:
    """Additional inputs of a job whose implementation uses random numbers; empty for others."""
    if not sources_of(job.implementation).uses_random:
        return {}
    source, generator = job.random_source, job.board.file.random
    own = generator.model_dump(mode="json") if source == "trng" and generator else None
    return {"random": [source, own]}


def _platform_parts(job: Job) -> dict[str, object]:
    """The name by which FELICS-AE's packages know the core; empty for other packages."""
    if not job.implementation.felics_ae:
        return {}
    return {"platform": job.board.packages.felics_ae}


def _listed(cases: Sequence[Case]) -> str:
    """The cases as JSON, created once for each sequence of them within :func:`snapshot_scope`."""

    def find() -> tuple[Sequence[Case], str]:
        # The cases are stored too, so that their identity stays unique.
        return cases, json.dumps([[case.op.value, case.ad, case.m] for case in cases])

    return once("cases", id(cases), find)[1]
