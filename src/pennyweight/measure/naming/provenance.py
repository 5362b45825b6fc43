"""The origin of a job's numbers: the exact files."""

from __future__ import annotations

from pennyweight import _simulator
from pennyweight import toolchains as compilers
from pennyweight.build.crate import compiler_of
from pennyweight.job import Job
from pennyweight.measure.naming.digests import compiler_digest, firmware_digest, sources_of
from pennyweight.model import Provenance, printable
from pennyweight.version import __version__


def provenance_of(job: Job, key: str, verified: str) -> Provenance:
    """The origin of a job's rows; `verified` states in words which known answers passed."""
    try:
        toolchain = compilers.for_job(job)
        identity = toolchain.identity
        name = identity.name
        version = identity.version
        if job.implementation.crate:
            crate = compiler_of(toolchain, job.board.file.compiler.flags)
            version = ", ".join(filter(None, (version, crate)))
    except compilers.MissingToolchainError:
        name, version = compilers.name_for_job(job), ""
    return Provenance(
        job=key,
        sources_sha256=sources_of(job.implementation).sha256,
        board_sha256=job.board.sha256,
        firmware_sha256=firmware_digest(job.board),
        compiler=name,
        compiler_version=version,
        compiler_sha256=compiler_digest(job),
        simulator_version=_simulator.version_of(job.board.core_file.file.instruction_set),
        pennyweight_version=__version__,
        verified=printable(verified),
        device=printable(job.device) or None,
    )
