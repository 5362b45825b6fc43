"""The table of bytes by function and object: the implementation's share of a program."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

from pennyweight.build.image import Image, Symbol
from pennyweight.build.mapfile import Piece, pieces
from pennyweight.model import SymbolSize, shortened

Key = tuple[str, str, str]
"""Name, section, object."""

_LONGEST = 300
"""Maximum characters of a name in the table; C++ templates have long names."""

PADDING = "(alignment)"
"""Name of padding bytes between pieces."""


def difference(
    full: Image, full_map: str, empty: Image, empty_map: str, sources: dict[str, str]
) -> list[SymbolSize]:
    """Bytes by symbol in `full`, minus those in `empty`, largest first.

    The sum over the sections `text`, `rodata` and `data` is the difference in flash, that over
    `data` and `bss` the difference in RAM. `sources` maps objects to the names of their sources.
    """
    counts = _count(full, full_map)
    counts.subtract(_count(empty, empty_map))
    rows = [
        SymbolSize(
            name=shortened(name, _LONGEST),
            section=shortened(section, _LONGEST),
            object=sources.get(origin, origin),
            bytes=size,
        )
        for (name, section, origin), size in counts.items()
        if size != 0
    ]
    return sorted(rows, key=lambda row: (-row.bytes, row.name, row.object))


def _count(image: Image, map_text: str) -> Counter[Key]:
    counts: Counter[Key] = Counter()
    covered: Counter[str] = Counter()
    symbols = _by_section(image)
    for piece in pieces(map_text):
        inside = symbols.get(piece.output)
        if inside is None:
            continue
        first = bisect_left(inside, piece.address, key=_address)
        last = bisect_left(inside, piece.address + piece.size, key=_address)
        for name, size in _split(piece, inside[first:last]):
            counts[(name, _kind(piece), _origin(piece))] += size
        covered[piece.output] += piece.size
    for section in image.sections:
        counts[(PADDING, section.name.lstrip("."), "")] += section.size - covered[section.name]
    return counts


def _by_section(image: Image) -> dict[str, list[Symbol]]:
    """The symbols of each section in memory by address, including sections without symbols."""
    found: dict[str, list[Symbol]] = {section.name: [] for section in image.sections}
    for symbol in sorted(image.symbols, key=_address):
        if symbol.section in found:
            found[symbol.section].append(symbol)
    return found


def _address(symbol: Symbol) -> int:
    return symbol.address


def _split(piece: Piece, symbols: list[Symbol]) -> list[tuple[str, int]]:
    """A piece's bytes by symbol. A label without a size extends to the next symbol; bytes before
    the first symbol are named after the section.
    """
    starts = _one_per_address(symbols)
    if not starts:
        return [(_section_tail(piece.section), piece.size)]
    rows = []
    if starts[0].address > piece.address:
        rows.append((_section_tail(piece.section), starts[0].address - piece.address))
    ends = [symbol.address for symbol in starts[1:]] + [piece.address + piece.size]
    rows.extend(
        (symbol.name, end - symbol.address) for symbol, end in zip(starts, ends, strict=True)
    )
    return rows


def _one_per_address(symbols: list[Symbol]) -> list[Symbol]:
    """The symbol for each address, without labels inside a sized symbol."""
    best: dict[int, Symbol] = {}
    for symbol in symbols:
        if symbol.name.startswith("$"):
            continue
        known = best.get(symbol.address)
        if known is None or _rank(symbol) > _rank(known):
            best[symbol.address] = symbol
    chosen: list[Symbol] = []
    for address in sorted(best):
        inside = chosen and address < chosen[-1].address + chosen[-1].size
        if not inside:
            chosen.append(best[address])
    return chosen


def _rank(symbol: Symbol) -> tuple[bool, bool, bool, str]:
    """Prefers sized, global names without leading underscores."""
    return (symbol.size > 0, symbol.is_global, not symbol.name.startswith("_"), symbol.name)


def _kind(piece: Piece) -> str:
    if piece.output == ".text" and piece.section.startswith((".rodata", ".progmem")):
        return "rodata"
    return piece.output.lstrip(".")


def _origin(piece: Piece) -> str:
    return "(link-time optimisation)" if ".ltrans" in piece.object else piece.object


def _section_tail(section: str) -> str:
    """`.rodata.str1.1` stays; `.text.name` becomes `name`."""
    for prefix in (".text.", ".data.", ".bss."):
        if section.startswith(prefix):
            return section.removeprefix(prefix)
    return section
