"""Downloads a package with the registry's own client and its configuration."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tarfile
from pathlib import Path

from pennyweight.libraries.description import Library
from pennyweight.model import UserError
from pennyweight.paths import expand_user

_TIME_LIMIT_S = 300
_LARGEST = 512 << 20

_CARGO = "Rust's `cargo` (rustup.rs)"

_PROJECT = """[package]
name = "fetching"
version = "0.0.0"
edition = "2021"
[dependencies]
"{package}" = {{ version = "={version}", default-features = false }}
[workspace]
"""


def obtain(library: Library, folder: Path) -> Path:
    """Downloads the library's archive through `folder`, unpacks it there, and returns its root.

    No code of the package runs. Raises `UserError`: no client, no network, unexpected content.
    """
    archive = _CLIENTS[library.registry](library, folder)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != library.sha256:
        raise UserError(
            f"{library.package} {library.version}: the archive's SHA-256 is {found}, but the "
            f"library's file has {library.sha256}; correct the version or the digest"
        )
    unpacked = folder / "source"
    try:
        with tarfile.open(archive) as content:
            if sum(member.size for member in content.getmembers()) > _LARGEST:
                raise UserError(f"{library.package}: larger than {_LARGEST >> 20} MB unpacked")
            content.extractall(unpacked, filter="data")
    except (tarfile.TarError, OSError) as error:
        raise UserError(f"{archive}: cannot be unpacked ({error}); download it again") from None
    [top] = [path for path in unpacked.iterdir() if path.is_dir()]
    root = top / library.root
    if not root.is_dir():
        raise UserError(f"{library.package}: has no folder '{library.root}'; correct 'root'")
    return root


def _from_crates(library: Library, folder: Path) -> Path:
    """The archive in Cargo's own cache."""
    project = folder / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").touch()
    text = _PROJECT.format(package=library.package, version=library.version)
    (project / "Cargo.toml").write_text(text, encoding="utf-8")
    _run(["cargo", "fetch", "--quiet"], project, library, _CARGO)
    home = Path(os.environ.get("CARGO_HOME") or expand_user("~/.cargo"))
    name = f"{library.package}-{library.version}.crate"
    for path in sorted(home.glob(f"registry/cache/*/{name}")):
        return path
    raise UserError(
        f"{name}: cargo downloaded it, but it is not in {home}/registry/cache; check CARGO_HOME"
    )


def fetch_crates(title: str, folder: Path) -> None:
    """Lets Cargo download the crates of a lock file into its own cache. Raises `UserError`."""
    _client(["cargo", "fetch", "--quiet", "--locked"], folder, title, _CARGO)


def _from_npm(library: Library, folder: Path) -> Path:
    """The archive that `npm pack` writes; it runs no scripts."""
    wanted = f"{library.package}@{library.version}"
    _run(["npm", "pack", "--silent", "--ignore-scripts", wanted], folder, library, "Node's `npm`")
    for path in sorted(folder.glob("*.tgz")):
        return path
    raise UserError(f"{wanted}: npm has downloaded nothing; run `npm pack {wanted}` to see why")


_CLIENTS = {"crates": _from_crates, "npm": _from_npm}


def _run(command: list[str], folder: Path, library: Library, client: str) -> None:
    _client(command, folder, f"{library.title} ({library.package} {library.version})", client)


def _client(command: list[str], folder: Path, what: str, client: str) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIME_LIMIT_S,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise UserError(f"{what} needs {client}, which is not installed; install it") from None
    except subprocess.TimeoutExpired:
        raise UserError(f"{what} could not be downloaded in {_TIME_LIMIT_S} s; try again") from None
    if done.returncode != 0:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        reason = lines[-1] if lines else f"exit status {done.returncode}"
        raise UserError(f"{what} could not be downloaded ({reason}); check the network, then retry")
