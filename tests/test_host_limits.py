"""An input that is one byte too long for an algorithm is rejected: a block counter that overflows
would encrypt two blocks alike, and a length that does not fit would be encoded wrongly.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from host.build import IMPLEMENTATIONS, WARNINGS, Bundled, ask, build, bundled, program_of
from host.inputs import inputs_of
from host.known_answers import variant
from host.limits import COUNTED, LIMITED
from host.units import Program
from verdicts import Inputs, cached

SHORT = 1 << 17
"""What is encrypted here in no time."""


def _of(algorithms: dict[str, int]) -> list[Bundled]:
    return [each for each in bundled() if each.algorithm in algorithms]


def _name(value: Bundled) -> str:
    return value.id


def _runner(implementation: Bundled) -> Program:
    return program_of(implementation, "limits.c", flags=("-D_DEFAULT_SOURCE", "-O2"))


def _program(implementation: Bundled, place: Path) -> Path:
    return _runner(implementation).link(place / "limits")


def inputs(implementation: Bundled) -> Inputs:
    return inputs_of([implementation], [_runner(implementation)])


@pytest.mark.parametrize("implementation", _of(COUNTED), ids=_name)
@cached("limits", inputs)
def test_more_blocks_than_their_counter_shows_apart_are_refused(
    implementation: Bundled, tmp_path: Path
) -> None:
    program, most = _program(implementation, tmp_path), COUNTED[implementation.algorithm]
    for direction in ("encrypt", "decrypt"):
        for one, other in ((most, 0), (0, most), (most, most)):
            assert ask(program, [f"{direction} {one} {other}"]) == ["taken"]
        for one, other in ((most + 1, 0), (0, most + 1), (1, most + 1), (2 * most, 1)):
            assert ask(program, [f"{direction} {one} {other}"]) == ["refused"]


@pytest.mark.parametrize(
    "implementation", [each for each in _of(COUNTED) if COUNTED[each.algorithm] <= SHORT], ids=_name
)
@cached("limits", inputs)
def test_the_longest_message_has_no_two_blocks_alike(
    implementation: Bundled, tmp_path: Path
) -> None:
    program, most = _program(implementation, tmp_path), COUNTED[implementation.algorithm]
    size = variant(implementation.algorithm)["block"]
    answers = ask(program, [f"run {most} 0", f"run {most - 1} 0", f"run 0 {most}"])
    whole, partial, tag = (bytes.fromhex(each) for each in answers)
    for sealed in (whole, partial):
        blocks = {sealed[at : at + size] for at in range(0, most, size)}
        assert len(blocks) == most // size == 2**13
    assert len(tag) == size


@pytest.mark.parametrize("implementation", _of(LIMITED), ids=_name)
@cached("limits", inputs)
def test_a_message_longer_than_its_field_shows_is_refused(
    implementation: Bundled, tmp_path: Path
) -> None:
    program, most = _program(implementation, tmp_path), LIMITED[implementation.algorithm]
    for direction in ("encrypt", "decrypt"):
        for ad in (0, 1, 2 * most):
            assert ask(program, [f"{direction} {most} {ad}"]) == ["taken"]
            assert ask(program, [f"{direction} {most + 1} {ad}"]) == ["refused"]


@pytest.mark.parametrize(
    "implementation",
    [each for each in bundled() if each.algorithm.startswith(("saef-", "skinny-aead-m1"))],
    ids=_name,
)
@cached("limits", inputs)
def test_nothing_is_refused_where_no_counter_ends(implementation: Bundled, tmp_path: Path) -> None:
    program = _program(implementation, tmp_path)
    for lengths in ("{0} 0", "0 {0}"):
        for direction in ("encrypt", "decrypt"):
            assert ask(program, [f"{direction} {lengths.format(2**58)}"]) == ["taken"]


@pytest.mark.parametrize(
    "implementation", [each for each in bundled() if each.customised], ids=_name
)
def test_a_customisation_string_is_taken_up_to_2048_bits(
    implementation: Bundled, tmp_path: Path
) -> None:
    """SP 800-232, section 5.3."""
    assert implementation.algorithm == "ascon-cxof128"
    program = build(implementation, tmp_path)
    digest, *refused = ask(program, [f"hash - {'7a' * size}" for size in (256, 257, 8192, 65536)])
    assert len(bytes.fromhex(digest)) == 64
    assert refused == ["refused"] * 3


@pytest.mark.parametrize(
    ("length", "encoded"),
    [
        (1, "0001"),
        (0xFEFF, "feff"),
        (0xFF00, "fffe0000ff00"),
        (0xFFFFFFFF, "fffeffffffff"),
        (0x100000000, "ffff0000000100000000"),
        (0x123456789ABCDEF0, "ffff123456789abcdef0"),
    ],
)
def test_ccm_shows_the_length_of_associated_data(length: int, encoded: str, tmp_path: Path) -> None:
    """SP 800-38C, appendix A.2.2. A tag of so many bytes would take too long, so only the encoding
    is tested.
    """
    (ccm,) = (each for each in bundled() if each.id == "aes-128-ccm/small-table")
    source = tmp_path / "length.c"
    source.write_text(
        '#include "ccm/aead.c"\n'
        "#include <stdio.h>\n"
        "int main(void)\n{\n"
        "    ccm_state state = {.blocks = {0}};\n"
        f"    const uint8_t n = add_ad_length(&state, UINT64_C({length}));\n"
        "    for (uint8_t i = 0; i < n; i++) {\n"
        '        printf("%02x", ((const uint8_t *)state.blocks)[i]);\n'
        "    }\n}\n"
    )
    others = [str(each) for each in ccm.sources() if each.parent.name != "ccm"]
    root = f"-I{IMPLEMENTATIONS}"
    program = str(tmp_path / "length")
    command = ["clang", *WARNINGS, *ccm.include(), root, str(source), *others, "-o", program]
    subprocess.run(command, check=True)
    assert subprocess.run([program], capture_output=True, text=True).stdout == encoded
