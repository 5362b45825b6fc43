"""Writes the notices of the third-party Rust code that is linked into the simulators' wheel.

    python3 scripts/notices.py

The wheel contains Wasmtime and what it needs as machine code, and their licences require that
copies contain the notices. Names and licences are from `cargo metadata`, texts from the packages'
sources.

This script uses only the standard library, because `scripts/setup.py` calls it before anything is
installed.
"""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "simulator" / "python" / "Cargo.toml"
NOTICES = ROOT / "simulator" / "python" / "pennyweight_simulator" / "THIRD-PARTY.txt"
_NAMES = ("license", "licence", "copying", "notice", "copyright")
"""How names of files with such texts begin."""


def linked_packages(metadata: dict[str, Any], root: str) -> list[dict[str, Any]]:
    """The packages from elsewhere that the package `root` of `cargo metadata` is linked with, by
    name. What only runs while it is built, such as macros' own dependencies, is included too if
    cargo counts it among normal dependencies.
    """
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    [first] = [each for each, package in packages.items() if package["name"] == root]
    found, waiting = set[str](), [first]
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found.add(node)
        waiting += [
            dependency["pkg"]
            for dependency in nodes[node]["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"])
        ]
    linked = [packages[each] for each in found if packages[each]["source"] is not None]
    return sorted(linked, key=lambda package: (package["name"], package["version"]))


def notices(packages: list[dict[str, Any]]) -> str:
    """The packages with their licences, then each text with the packages that contain it."""
    lines = ["Third-party software in Pennyweight's simulators", ""]
    texts = defaultdict[str, list[str]](list)
    for package in packages:
        name = f"{package['name']} {package['version']}"
        licence = package["license"] or "see its text below"
        source = package["repository"] or package["homepage"] or ""
        lines.append(f"{name}: {licence}  {source}".rstrip())
        for path in sorted(Path(package["manifest_path"]).parent.iterdir()):
            if path.is_file() and path.name.lower().startswith(_NAMES):
                texts[path.read_text(encoding="utf-8", errors="replace").strip()].append(name)
    for text, names in sorted(texts.items(), key=lambda item: item[1]):
        lines += ["", "=" * 80, f"In {', '.join(dict.fromkeys(names))}:", "", text]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the file that maturin puts into the wheel."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    command += ["--manifest-path", str(MANIFEST)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    packages = linked_packages(json.loads(printed), "pennyweight-python")
    NOTICES.write_text(notices(packages), encoding="utf-8")


if __name__ == "__main__":
    main()
