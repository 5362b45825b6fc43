"""Reads studies from their files, by name or by path."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from pennyweight.catalogue.root import data_root
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import parse, read_text
from pennyweight.model import UserError
from pennyweight.studies.study import Study


def read_study(path: Path, analyses: Collection[str] | None = None) -> Study:
    """Reads a study file. Raises UserError.

    `analyses` are the allowed names in the field `shows`; without them it is not checked.
    """
    study = parse(read_text(path), path, Study).seen_from(path.parent)
    if analyses is not None:
        _check_shown(path, study.shows, analyses)
    if study.cases_of is None:
        return study
    known = _bundled()
    if study.cases_of not in known:
        raise UserError(
            f"{path}: field 'cases_of': unknown study '{study.cases_of}':"
            f"{did_you_mean(study.cases_of, known)} the known ones are {', '.join(known)}"
        )
    other = parse(read_text(known[study.cases_of]), known[study.cases_of], Study)
    if not other.scenarios:
        raise UserError(
            f"{path}: field 'cases_of': study '{other.id}' takes its cases from another study: use "
            f"'{other.cases_of}' instead"
        )
    return study.model_copy(update={"scenarios": other.scenarios})


def _check_shown(path: Path, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f" the known ones are {', '.join(known)}"
            raise UserError(f"{path}: field 'shows': unknown analysis '{name}':{hint}")


def find_study(name: str, analyses: Collection[str] | None = None) -> Study:
    """A study by name, or by the path of its file; `analyses` as for :func:`read_study`.

    Raises UserError.
    """
    if name.endswith(".toml") or "/" in name:
        return read_study(Path(name), analyses)
    known = _bundled()
    if name in known:
        return read_study(known[name], analyses)
    raise UserError(
        f"unknown study '{name}':{did_you_mean(name, known)} the known ones are "
        f"{', '.join(known) or 'none'}; pass your own file as my-study.toml"
    )


def study_names() -> list[str]:
    """The names of the bundled studies."""
    return list(_bundled())


def _bundled() -> dict[str, Path]:
    return {path.stem: path for path in sorted((data_root() / "studies").glob("*.toml"))}
