"""Facts about boards, algorithms and implementations that analyses need, stored with the results.

A campaign stores them with its rows, so that a results folder can be read on a machine without the
original files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from pennyweight.catalogue.attacks import best_attack
from pennyweight.catalogue.leakage import documented

if TYPE_CHECKING:
    from pennyweight.catalogue import Algorithm, Board, Implementation
    from pennyweight.catalogue.boards import Price

DEFAULT_BLOCK = 64
"""Block size in bytes of algorithms with an unknown one: a multiple of the block sizes up to 64."""

BASELINES = ("aes-128-gcm", "chacha20-poly1305", "ascon-aead128", "sha-256", "ascon-hash256")
"""Default baselines of studies: the standards."""


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """A board: clock in Hz, memories in bytes, current of the running part in mA, voltage in V."""

    id: str
    title: str
    part: str = ""
    bits: int = 0
    core: str = ""
    hz: int | None = None
    flash_bytes: int | None = None
    ram_bytes: int | None = None
    current_ma: float | None = None
    voltage_v: float | None = None
    validation: str = ""
    accuracy: str = ""
    """The class in the board's file; empty in results that an earlier version stored."""
    price: str = ""
    """The price of a part with its currency; empty if none is recorded."""
    price_source: str = ""
    """Quantity, date and source of the price."""
    core_title: str = ""
    """The title in the core's file; empty in results that an earlier version stored."""

    @property
    def compared(self) -> bool:
        """Whether its cycles were compared with those of a real part."""
        return bool(self.validation) and self.accuracy != "plausible"


@dataclass(frozen=True, slots=True)
class AlgorithmFacts:
    """An algorithm: sizes in bytes; `block` is 0 if unknown."""

    name: str
    title: str
    family: str = ""
    kind: str = ""
    key: int = 0
    nonce: int = 0
    tag: int = 0
    digest: int = 0
    block: int = 0
    status: str = ""
    note: str = ""
    specification: str = ""
    attack: str = ""
    """The best known attack, in a sentence; empty if none is recorded."""
    attack_source: str = ""


@dataclass(frozen=True, slots=True)
class ImplementationFacts:
    """What an implementation's author states; None if not stated."""

    algorithm: str
    name: str
    constant_time: bool | None = None
    word_bits: int | None = None
    license: str = ""
    meant_for: str = ""
    """Cores and boards that it is written for, in its author's words."""
    remarks: str = ""
    """The author's remark for readers of the figures: the manifest's `notes`."""
    shares: int | None = None
    """The number of shares of a masked implementation."""
    leakage: str = ""
    """What is documented on the leakage of a masked implementation; empty if nothing is."""


ENDS = "-init"
"""Suffix of bundled implementations that mask initialization and finalization only."""

MASKED_ENDS = "ends only"
"""The part that those mask."""

MASKED_ALL = "all blocks"

_BUNDLED_MASKED = re.compile(r"masked\d+(-\w+)?")


def masked_part(implementation: str, shares: int | None) -> str | None:
    """What an implementation of this name masks; `None` if it has no shares. Third-party packages
    do not state it.
    """
    if shares is None:
        return None
    if _BUNDLED_MASKED.fullmatch(implementation) is None:
        return "not stated"
    return MASKED_ENDS if implementation.endswith(ENDS) else MASKED_ALL


def board_facts(board: Board) -> BoardFacts:
    """The facts of a board's file."""
    energy, price = board.energy, board.file.price
    return BoardFacts(
        id=board.id,
        title=board.title,
        part=board.part,
        bits=board.bits,
        core=board.core,
        core_title=board.core_file.file.title,
        hz=board.hz,
        flash_bytes=board.flash.size,
        ram_bytes=board.ram.size,
        current_ma=energy.current_ma if energy else None,
        voltage_v=energy.voltage_v if energy else None,
        validation=board.file.validation,
        accuracy=board.accuracy.value,
        price=f"{price.amount:.2f} {price.currency}" if price else "",
        price_source=_price_source(price) if price else "",
    )


def _price_source(price: Price) -> str:
    quantity = "" if price.quantity is None else f"for {price.quantity:,}, "
    return f"{quantity}{price.date}: {price.source}"


def algorithm_facts(algorithm: Algorithm) -> AlgorithmFacts:
    """The facts of an algorithm's file."""
    variant = algorithm.variant
    attack = best_attack(variant.name, algorithm.path)
    return AlgorithmFacts(
        name=variant.name,
        title=variant.title,
        family=algorithm.family,
        kind=variant.kind.value,
        key=variant.secret_key,
        nonce=variant.nonce,
        tag=variant.tag,
        digest=variant.digest,
        block=variant.block,
        status=variant.status,
        note=variant.note,
        specification=f"{variant.specification.title} ({variant.specification.year})",
        attack=attack.summary if attack else "",
        attack_source=attack.source if attack else "",
    )


def implementation_facts(implementation: Implementation) -> ImplementationFacts:
    """The facts of an implementation's manifest."""
    manifest = implementation.manifest
    return ImplementationFacts(
        algorithm=implementation.algorithm,
        name=implementation.name,
        constant_time=manifest.constant_time,
        word_bits=manifest.word_bits,
        license=manifest.license,
        meant_for=", ".join(manifest.meant_for),
        remarks=manifest.notes,
        shares=manifest.shares,
        leakage=documented(implementation),
    )


T = TypeVar("T", BoardFacts, AlgorithmFacts, ImplementationFacts)


def facts_from(record: type[T], values: Mapping[str, Any]) -> T:
    """Facts from the result of :func:`dataclasses.asdict`; unknown keys are ignored."""
    names = {field.name for field in fields(record)}
    return record(**{name: value for name, value in values.items() if name in names})


def block_table(algorithms: Iterable[AlgorithmFacts]) -> pa.Table:
    """The columns `name` and `block` (bytes), for queries, without algorithms of unknown block
    size.
    """
    known = [{"name": each.name, "block": each.block} for each in algorithms if each.block]
    return pa.Table.from_pylist(
        known, schema=pa.schema([("name", pa.string()), ("block", pa.int64())])
    )
