"""Sends jobs to machines with the same Pennyweight, with or without a shared disk.

A bundled implementation is sent by name, because every machine has it; a user's package is sent as
an archive. The job's name is the hash of everything that its rows depend on, so the receiving
machine computes it again from its own files. If it differs, the figures would be those of another
job, and the job is rejected with the difference.
"""

from __future__ import annotations

import hashlib
import io
import os
import socket
import sys
import tarfile
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache as remember
from pathlib import Path, PurePosixPath
from typing import Any

from pennyweight import cache, catalogue
from pennyweight.build import BuildError
from pennyweight.build.sources import collect
from pennyweight.campaign.plan import PlannedJob
from pennyweight.catalogue import Catalogue, Implementation
from pennyweight.catalogue.sharing import share_count, with_count
from pennyweight.catalogue.unique_names import with_name
from pennyweight.job import Job
from pennyweight.measure import run_job
from pennyweight.measure.naming import Names
from pennyweight.model import JobResult, UserError
from pennyweight.verify.vectors import package_file

_ROOM = "shipped"
_WORKER = "worker"
_NAMES = {
    "harness": "Pennyweight's own code",
    "simulator": "the simulators",
    "implementation": "the implementation, or the catalogue's entry of its algorithm",
    "firmware": "firmware/",
    "compiler": "the compiler",
}
"""The parts of a job's name that may differ between machines, in words."""


class OtherFilesError(UserError):
    """A machine would do a different job from the one that has arrived; others may not."""


def refused_by(error: BaseException | None) -> str:
    """The address of the Dask worker where a job failed this way; empty otherwise."""
    return str(getattr(error, _WORKER, ""))


def note_worker(error: Exception) -> None:
    """Adds the worker's address to an error."""
    distributed = sys.modules.get("distributed")
    if distributed is not None:
        with suppress(ValueError):
            setattr(error, _WORKER, str(distributed.get_worker().address))


@dataclass(frozen=True, slots=True)
class Package:
    """A user's package: an archive of its files, and its folder in it."""

    archive: bytes
    folder: str


@dataclass(frozen=True, slots=True)
class ShippedJob:
    """A job without paths of the machine that planned it.

    `options` are all its fields except the implementation, `parts` those of its name.
    """

    key: str
    implementation: str
    kind: str
    shares: str
    package: Package | None
    options: dict[str, Any]
    parts: dict[str, object]


def ship(job: PlannedJob) -> ShippedJob | None:
    """The job for another machine; `None` for one that cannot be built and needs no machine."""
    implementation = job.implementation
    package = None
    if implementation.problem:
        return None
    if not implementation.bundled:
        try:
            package = _pack(implementation)
        except BuildError:
            return None
    names = [each.name for each in fields(Job) if each.name != "implementation"]
    return ShippedJob(
        key=job.key,
        implementation=implementation.id,
        kind=implementation.kind.value,
        shares=implementation.requested_shares,
        package=package,
        options={name: getattr(job, name) for name in names},
        parts=Names(job).parts,
    )


def measure_shipped(job: ShippedJob) -> JobResult:
    """Runs a received job. Raises `OtherFilesError` if this machine would run a different one."""
    try:
        return _measure(job)
    except Exception as error:
        note_worker(error)
        raise


def _measure(shipped: ShippedJob) -> JobResult:
    job = Job(arrive(shipped), **shipped.options)
    here = Names(job)
    if here.key != shipped.key:
        differing = [
            words for part, words in _NAMES.items() if here.parts[part] != shipped.parts[part]
        ]
        raise OtherFilesError(
            f"{socket.gethostname()} has different files from the machine that planned "
            f"{shipped.implementation} on {job.board.id}: it differs in "
            f"{' and '.join(differing) or 'its data'}; install the same there"
        )
    return run_job(job)


def arrive(job: ShippedJob) -> Implementation:
    """The implementation of a job on this machine. Raises `OtherFilesError` if it is missing."""
    known = _catalogue()
    found = []
    with suppress(UserError):
        named = job.implementation if job.package is None else str(_unpacked(job.package))
        found = known.find(named)
    for one in found:
        each = with_count(one, share_count(job.shares)) if job.shares else one
        # A package may have its location in its name, to distinguish packages of the same name.
        arrived = with_name(each, job.implementation)
        if arrived is not None and each.kind.value == job.kind:
            return arrived
    raise OtherFilesError(f"{socket.gethostname()} has no implementation '{job.implementation}'")


@remember
def _catalogue() -> Catalogue:
    return catalogue.load()


def _pack(implementation: Implementation) -> Package:
    """The files that could enter the build, and the package's known answers."""
    folder = implementation.folder
    # At the same depth as in its tree, because the location is part of its name.
    depth = max(3, len(folder.relative_to(implementation.tree).parts))
    home = PurePosixPath(*folder.parts[1:][-depth:])
    files = dict(collect(implementation).files())
    answers = package_file(implementation)
    if answers is not None:
        files[os.path.relpath(answers[0], folder)] = answers[0]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz", preset=1, format=tarfile.PAX_FORMAT) as archive:
        for name, path in sorted(files.items()):
            content = path.read_bytes()
            entry = tarfile.TarInfo(os.path.normpath(home / name))
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return Package(buffer.getvalue(), str(home))


def _unpacked(package: Package) -> Path:
    def extract(folder: Path) -> None:
        with tarfile.open(fileobj=io.BytesIO(package.archive), mode="r:xz") as archive:
            archive.extractall(folder, filter="data")

    key = hashlib.sha256(package.archive).hexdigest()
    place = cache.entry(_ROOM, key) or cache.fill(_ROOM, key, extract)
    return place / package.folder
