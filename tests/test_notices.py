"""Licences of third-party code in the simulators' wheel: scripts/notices.py."""

from __future__ import annotations

import tomllib
from importlib.metadata import files as distributed
from pathlib import Path

from scripts.notices import linked_packages, notices


def package(folder: Path, name: str, source: str | None, **files: str) -> dict[str, object]:
    place = folder / name
    place.mkdir()
    for file, text in files.items():
        (place / file).write_text(text, encoding="utf-8")
    more = {"version": "1.0", "license": "MIT", "repository": None, "homepage": None}
    manifest = str(place / "Cargo.toml")
    return {"id": name, "name": name, "source": source, "manifest_path": manifest, **more}


def needs(name: str, **kinds: str | None) -> dict[str, object]:
    deps = [{"pkg": each, "dep_kinds": [{"kind": kind}]} for each, kind in kinds.items()]
    return {"id": name, "deps": deps}


def test_what_is_linked_is_named_with_its_texts_once(tmp_path: Path) -> None:
    metadata = {
        "packages": [
            package(tmp_path, "wheel", None),
            package(tmp_path, "direct", "elsewhere", LICENSE="Text A\n", notes="no licence"),
            package(tmp_path, "deep", "elsewhere", COPYING="Text A", NOTICE="Text B"),
            package(tmp_path, "tests", "elsewhere", LICENSE="Text C"),
        ],
        "resolve": {
            "nodes": [
                needs("wheel", direct=None, tests="dev"),
                needs("direct", deep=None),
                needs("deep"),
                needs("tests"),
            ]
        },
    }
    linked = linked_packages(metadata, "wheel")
    assert [each["name"] for each in linked] == ["deep", "direct"]
    text = notices(linked)
    assert "deep 1.0: MIT" in text and "In deep 1.0, direct 1.0:\n\nText A\n" in text
    assert text.count("Text A") == 1 and "In deep 1.0:\n\nText B\n" in text
    assert "Text C" not in text and "no licence" not in text


def test_the_installed_wheel_has_the_notices_of_locked_packages() -> None:
    [file] = [each for each in distributed("pennyweight-simulator") or [] if "THIRD" in each.name]
    text = file.read_text(encoding="utf-8")
    root = Path(__file__).parent.parent
    lock = tomllib.loads((root / "Cargo.lock").read_text(encoding="utf-8"))
    versions = {each["name"]: each["version"] for each in lock["package"]}
    for name in ("wasmtime", "cranelift-codegen", "regalloc2", "pyo3"):
        assert f"\n{name} {versions[name]}: " in text
    assert "LLVM Exceptions to the Apache 2.0 License" in text
