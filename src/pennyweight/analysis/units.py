"""Speed in units of a known cipher: ChaChaPoly units for AEADs, BLAKE2s units for hashes.

R. Weatherley's performance page of the NIST finalists ("Lightweight Cryptography Primitives"): an
algorithm of 2 units takes half the time of the known cipher on the same packet, part and flags.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from pennyweight.model import UserError

AEAD_PACKETS: dict[tuple[str, int], int] = {
    ("enc", 128): 1,
    ("dec", 128): 1,
    ("enc", 16): 3,
    ("dec", 16): 3,
}
"""Weights of the packets in the average of an AEAD: the page's program times three times as many
packets of 16 bytes as of 128, and divides the sums of the times."""

HASH_PACKETS = (("hash", 1024), ("hash", 128), ("hash", 16))
"""The packets of a hash; their units are averaged with equal weights."""

BUCKET = 0.1
"""Width of a rank in units."""

Times = Mapping[tuple[str, int], float]
"""Time or cycles by operation and message length in bytes, without associated data."""


def units(time: float, reference: float) -> float:
    """How many times as fast as the known cipher. Raises UserError unless both are positive."""
    if time <= 0 or reference <= 0:
        raise UserError("units: times must be above zero")
    return reference / time


def average_aead_units(times: Times, reference: Times) -> float:
    """The page's "Average" of an AEAD: total time of the known cipher over total time.

    Both need every packet of :data:`AEAD_PACKETS`. Raises UserError otherwise.
    """
    return units(_total(times), _total(reference))


def _total(times: Times) -> float:
    missing = [
        f"{op} of {length} bytes" for op, length in AEAD_PACKETS if (op, length) not in times
    ]
    if missing:
        raise UserError(f"average of units: no time for {', '.join(missing)}")
    return sum(often * times[packet] for packet, often in AEAD_PACKETS.items())


def average_hash_units(packet_units: Iterable[float]) -> float:
    """The page's "Average" of a hash: the mean of its units over the packets."""
    values = list(packet_units)
    if not values:
        raise UserError("average of units: no units given")
    return math.fsum(values) / len(values)


def per_rate_byte(average: float, rate: int) -> float:
    """Units per byte of a permutation's or block's rate, which removes the advantage of wide
    blocks.

    Raises UserError unless `rate`, in bytes, is positive.
    """
    if rate <= 0:
        raise UserError("units per byte of rate: the rate must be above zero")
    return average / rate


def rank(averages: Iterable[float]) -> int:
    """The rank of an algorithm from its averages, one for each part; higher is faster.

    Rank 3 contains mean units over the parts of 0.30 to 0.39.
    """
    mean = average_hash_units(averages)
    # A mean that is 0.3 in decimal must not fall below it because of binary rounding.
    return math.floor(mean / BUCKET + 1e-9)
