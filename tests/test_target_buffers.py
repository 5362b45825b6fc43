"""Where buffers lie, and who may touch what."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pennyweight.target.buffers import (
    ALIGNMENT,
    FILL,
    DoesNotFitError,
    Layout,
    Request,
    Zone,
    lay_out,
)
from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")

BOTTOM, TOP = 0x800103, 0x8008FF


def may(layout: Layout, address: int, kind: str) -> bool:
    """Does any zone forbid it?"""
    index = 2 if kind == "read" else 3
    return not any(zone[0] <= address < zone[1] and zone[index] for zone in layout.zones)


def sample(gap: int = 16, offset: int = 0) -> Layout:
    requests = [
        Request("key", 5, b"\1\2\3\4\5", 0, offset),
        Request("empty", 0),
        Request("output", 9, b"", 9, offset),
        Request("both", 8, b"\7" * 8, 6, offset),
    ]
    return lay_out(requests, BOTTOM, TOP, gap)


@pytest.mark.parametrize("gap", [0, 8, 32])
@pytest.mark.parametrize("offset", [0, 1, 3])
def test_every_byte_outside_the_buffers_is_forbidden(gap: int, offset: int) -> None:
    layout = sample(gap, offset)
    for address in range(BOTTOM, layout.end):
        owner = [
            buffer for buffer in layout.buffers.values() if buffer.address <= address < buffer.end
        ]
        assert len(owner) <= 1
        assert may(layout, address, "read") == bool(owner)
        writable = bool(owner) and address - owner[0].address < owner[0].writable
        assert may(layout, address, "write") == writable


def test_buffers_are_aligned_apart_and_in_order() -> None:
    layout = sample(gap=16)
    placed = list(layout.buffers.values())
    assert [buffer.name for buffer in placed] == ["key", "empty", "output", "both"]
    assert all(buffer.address % ALIGNMENT == 0 for buffer in placed)
    for one, other in pairwise(placed):
        assert other.address - one.end >= 16
    assert layout.end % ALIGNMENT == 0
    assert layout.end >= placed[-1].end + 16


def test_an_offset_moves_buffers_off_their_alignment() -> None:
    assert {buffer.address % ALIGNMENT for buffer in sample(offset=3).buffers.values()} == {0, 3}


def test_outputs_begin_filled_and_inputs_with_their_content() -> None:
    layout = sample()
    start = layout.address("output") - layout.start
    assert layout.image[start : start + 9] == bytes((FILL,)) * 9
    start = layout.address("key") - layout.start
    assert layout.image[start : start + 5] == b"\1\2\3\4\5"


def test_what_does_not_fit_states_by_how_much() -> None:
    size = TOP - 0x800108
    assert lay_out([Request("big", size - 2 * ALIGNMENT)], BOTTOM, TOP).end < TOP
    with pytest.raises(DoesNotFitError) as caught:
        lay_out([Request("big", size + 92)], BOTTOM, TOP)
    assert 92 <= caught.value.missing <= 92 + 2 * ALIGNMENT


def test_zones_are_plain_tuples() -> None:
    zone: Zone = sample().zones[0]
    assert zone == (BOTTOM, 0x800108, True, True)
