"""Values derived from a single measurement. `None` as input, or a zero divisor, gives `None`."""

from __future__ import annotations


def cycles_per_byte(cycles: int | None, ad: int, m: int) -> float | None:
    """Cycles per byte of associated data and message together.

    >>> cycles_per_byte(1200, 16, 64)
    15.0
    """
    return None if cycles is None or ad + m == 0 else cycles / (ad + m)


def time_us(cycles: float | None, hz: int | None) -> float | None:
    """Microseconds at the board's clock.

    >>> time_us(8_000, 8_000_000)
    1000.0
    """
    return None if cycles is None or not hz else cycles * 1e6 / hz


def throughput(cycles: float | None, ad: int, m: int, hz: int | None) -> float | None:
    """Bytes of associated data and message per second at the board's clock.

    >>> throughput(16_000, 0, 64, 16_000_000)
    64000.0
    """
    return None if not cycles or not hz or ad + m == 0 else (ad + m) * hz / cycles


def energy_uj(
    cycles: float | None, hz: int | None, current_ma: float | None, voltage_v: float | None
) -> float | None:
    """An estimate in microjoules: time at the typical supply current of the running part.

    The current is the datasheet's, the same for every instruction. Real parts differ with the
    executed instructions, with temperature and between samples.

    >>> energy_uj(16_000, 16_000_000, 9.0, 5.0)
    45.0
    """
    duration = time_us(cycles, hz)
    if duration is None or current_ma is None or voltage_v is None:
        return None
    return duration * current_ma * voltage_v / 1e3
