"""A study file: boards, algorithms, flags and cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, model_validator

from pennyweight import published
from pennyweight.analysis.facts import BASELINES
from pennyweight.catalogue.implementation import KEY_SETUP, Implementation
from pennyweight.catalogue.sharing import share_count
from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.catalogue.tomlfile import Table
from pennyweight.job import Level, RandomSource
from pennyweight.libraries import PREFIX
from pennyweight.model import MOST_CASES, Case, Kind, UserError
from pennyweight.paths import expand_user
from pennyweight.studies.cases import Scenario

QUICK_SUFFIX = "-quick"
"""Suffix of a study's id with `--quick`, under which its campaign is stored."""

Texts = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]


class Selection(Table):
    """Which implementations are measured on cores of some widths.

    `names` are ``algorithm/implementation`` or shell patterns such as ``*/fast8``. With `fastest`,
    the constant-time implementation that is the fastest on the board is measured too, for each of
    the study's algorithms; `pennyweight.studies.fastest` has the choice.
    """

    bits: Annotated[tuple[Literal[8, 16, 32], ...], Field(min_length=1)]
    fastest: StrictBool = False
    names: Texts | tuple[()] = ()

    @model_validator(mode="after")
    def _selects_something(self) -> Selection:
        if not self.names and not self.fastest:
            raise ValueError(
                "[[implementations]] selects none: add 'names', or fastest = true for the fastest "
                "constant-time implementation on each board"
            )
        return self


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"'{name}' is listed twice: remove one")
    return names


def _known_sets(names: tuple[str, ...]) -> tuple[str, ...]:
    known = published.names()
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f" the known ones are {', '.join(known)}"
            raise ValueError(f"there are no published figures '{name}':{hint}")
    return names


LibraryName = Annotated[str, Field(pattern=f"^{PREFIX}[a-z0-9-]+(/[a-z0-9][a-z0-9+./-]*)?$")]
"""``library:NAME``, ``library:NAME/ALGORITHM`` or ``library:NAME/ALGORITHM/IMPLEMENTATION``."""


def _as_count(value: object) -> str:
    return str(share_count(value))


ShareCounts = Annotated[
    tuple[Annotated[str, BeforeValidator(_as_count)], ...], AfterValidator(_each_once)
]
"""Numbers of shares: ``3``, or ``3:1`` for the key's and that of the other inputs."""


class Quick(Table):
    """The subset that `--quick` measures: its fields replace those of the study.

    `cases` names the study's [[cases]] to keep, by default all. A sample of the known answers is
    run.
    """

    boards: Texts | None = None
    optional_boards: tuple[str, ...] | None = None
    algorithms: Texts | None = None
    optional_algorithms: tuple[str, ...] | None = None
    implementations: tuple[Selection, ...] | None = None
    libraries: tuple[LibraryName, ...] | None = None
    packages: Texts | None = None
    shares: ShareCounts | None = None
    flags: Texts | None = None
    compilers: Texts | None = None
    cases: Texts | None = None


class Study(Table):
    """A study's file. `boards` and `algorithms` are names or shell patterns such as ``aes-*``.

    A board given by name must exist, and its cases are skipped if its compiler is missing; a
    pattern matches boards whose compiler is installed. `optional_boards` and `optional_algorithms`
    are measured if this version of Pennyweight has them; the report lists the others.
    Without `implementations`, all implementations of the algorithms are measured on all boards.
    `libraries` are measured too, if their packages are available: ``library:mbedtls/aes-128-gcm``.
    `packages` are folders of third-party implementations, or trees of them, relative to the study's
    file. A study with packages measures only those bundled `algorithms` that it names.
    `shares` are the numbers of shares with which masked `packages` are measured, as with
    ``measure --shares``. The default is the package's own.
    `compilers` are ``gcc``, ``gcc-12``, ``clang``, ``clang-19`` or paths of compilers; each builds
    every implementation. The default is the board's own.
    `random` are the sources of random words with which masked implementations are measured; on a
    board without a generator, ``trng`` is replaced with ``lfsr``. The default is the board's own.
    `verify` is the level of verification on every part.
    `baselines` are drawn in every chart, even if many algorithms are faster.
    `cases_of` names another study whose cases are used as well.

    `short_title` names the study's page in the report's navigation; the default is its `id`.
    `shows` lists the analyses on that page, in order; `about` and `reference` are its
    introduction; `published` lists sets of figures from the literature to compare with.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")]
    title: str
    short_title: Annotated[str, Field(max_length=24)] = ""
    about: str = ""
    reference: str = ""
    boards: Texts
    optional_boards: tuple[str, ...] = ()
    algorithms: Texts = ("*",)
    optional_algorithms: tuple[str, ...] = ()
    implementations: tuple[Selection, ...] = ()
    libraries: tuple[LibraryName, ...] = ()
    packages: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    shares: ShareCounts = ()
    baselines: tuple[str, ...] = BASELINES
    flags: Texts
    compilers: Texts | tuple[()] = ()
    random: Annotated[tuple[RandomSource, ...], AfterValidator(_each_once)] = ()
    verify: Level = "full"
    cases_of: str | None = None
    scenarios: Annotated[tuple[Scenario, ...], Field(alias="cases")] = ()
    shows: Annotated[tuple[str, ...], AfterValidator(_each_once)] = (
        "best",
        "spread",
        "pareto",
        "sizes",
    )
    published: Annotated[tuple[str, ...], AfterValidator(_known_sets)] = ()
    quick: Quick | None = None

    @model_validator(mode="after")
    def _has_cases(self) -> Study:
        if self.cases_of is not None and self.scenarios:
            raise ValueError("both [[cases]] and 'cases_of' define the cases: remove one")
        if self.cases_of is None and not self.scenarios:
            raise ValueError(
                "no cases are defined: add [[cases]], or 'cases_of' with a study's name"
            )
        return self

    @model_validator(mode="after")
    def _shares_are_of_packages(self) -> Study:
        quick = self.quick or Quick()
        for field, chosen, packages in (
            ("shares", self.shares, self.packages),
            ("quick.shares", quick.shares, quick.packages or self.packages),
        ):
            if chosen and not packages:
                raise ValueError(
                    f"'{field}' is for masked 'packages', and the study has none: add their "
                    "folders, or remove it; the names of bundled implementations state their "
                    "number of shares, such as */masked3"
                )
        return self

    @model_validator(mode="after")
    def _widths_differ(self) -> Study:
        widths = [bits for selection in self.implementations for bits in selection.bits]
        for bits in widths:
            if widths.count(bits) > 1:
                raise ValueError(
                    f"two [[implementations]] are for cores of {bits} bits: merge them"
                )
        return self

    @model_validator(mode="after")
    def _names_differ(self) -> Study:
        names = [scenario.name for scenario in self.scenarios]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two [[cases]] are named '{name}': rename one")
        return self

    @model_validator(mode="after")
    def _is_no_more_than_a_job_holds(self) -> Study:
        for kind in Kind:
            own = [scenario for scenario in self.scenarios if scenario.kind is kind]
            if sum(scenario.count for scenario in own) <= MOST_CASES:
                continue
            found: set[Case] = set()
            for scenario in own:
                found.update(scenario.cases())
                if len(found) > MOST_CASES:
                    raise ValueError(
                        f"the [[cases]] of kind '{kind}' are together more than the "
                        f"{MOST_CASES:,} that a job may have: give larger steps, or two studies"
                    )
        return self

    @model_validator(mode="after")
    def _quick_cases_exist(self) -> Study:
        names = [scenario.name for scenario in self.scenarios]
        if self.quick is None or self.quick.cases is None or not names:
            return self
        for name in self.quick.cases:
            if name not in names:
                hint = did_you_mean(name, names) or f" known are {', '.join(names)}"
                raise ValueError(f"'quick.cases': no [[cases]] is named '{name}':{hint}")
        return self

    def quick_subset(self) -> Study:
        """The subset that `--quick` measures. Raises UserError if the file defines none."""
        if self.quick is None:
            raise UserError(
                f"study '{self.id}' has no table [quick], which defines what --quick measures: "
                "add one, or omit --quick"
            )
        given = {
            name: value
            for name in type(self.quick).model_fields
            if name != "cases" and (value := getattr(self.quick, name)) is not None
        }
        kept = self.quick.cases
        return self.model_copy(
            update={
                **given,
                "id": f"{self.id}{QUICK_SUFFIX}",
                "verify": "quick",
                "scenarios": tuple(
                    each for each in self.scenarios if kept is None or each.name in kept
                ),
            }
        )

    @property
    def bundled_algorithms(self) -> tuple[str, ...]:
        """The names or patterns of the bundled implementations that the study measures."""
        named = "algorithms" in self.model_fields_set or not self.packages
        return self.algorithms if named else ()

    def seen_from(self, folder: Path) -> Study:
        """The same study, with the paths of packages relative to another folder."""
        quick = self.quick
        if quick is not None and quick.packages is not None:
            quick = quick.model_copy(update={"packages": _below(folder, quick.packages)})
        return self.model_copy(update={"packages": _below(folder, self.packages), "quick": quick})

    def cases(self, kind: Kind) -> list[Case]:
        """The cases for algorithms of `kind`, each once, in the file's order."""
        found = [c for s in self.scenarios if s.kind is kind for c in s.cases()]
        return list(dict.fromkeys(found))

    def cases_of_implementation(self, implementation: Implementation) -> list[Case]:
        """The cases of its kind. `key` and `start` are included only if the implementation has them
        as separate functions; otherwise `init` does both.
        """
        apart = has_key_setup(implementation)
        found = self.cases(implementation.kind)
        return [case for case in found if apart or case.op not in KEY_SETUP]


def _below(folder: Path, paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(folder / expand_user(path)) for path in paths)


def has_key_setup(implementation: Implementation) -> bool:
    """Whether key setup and the start of a message are separate functions."""
    return KEY_SETUP[0] in implementation.parts()
