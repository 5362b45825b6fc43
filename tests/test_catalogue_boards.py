"""Board files: what is read from them, and one sentence for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, board, files
from pennyweight.analysis.facts import board_facts
from pennyweight.api.measuring import choose_boards
from pennyweight.catalogue.boards import Board, load_board, load_boards
from pennyweight.catalogue.part_names import flash_of
from pennyweight.model import UserError
from pennyweight.studies import read_study


def test_the_bundled_boards_are_read() -> None:
    boards = files().boards
    assert {AVR, ARM, "stm32f030-48mhz"} <= set(boards)
    uno = boards[AVR]
    assert (uno.bits, uno.core, uno.hz) == (8, "avre+", 16_000_000)
    assert uno.ram.base == 0x800100
    assert not uno.has_memory_effects
    assert boards["stm32f030-48mhz"].has_memory_effects


def test_a_board_file_may_lie_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "my board.toml"
    path.write_text(board(ARM).text.replace('"stm32f030"', '"mine"'))
    assert files().board(str(path)).id == "mine"


def test_an_unknown_board_is_reported_with_its_nearest() -> None:
    with pytest.raises(UserError) as caught:
        files().board("atmega328")
    assert str(caught.value) == (
        "unknown board 'atmega328': did you mean atmega328p or atmega128 or atmega4809? "
        "`pennyweight boards` lists them"
    )


MISTAKES = {
    "missing field": ("hz = 8_000_000", "", "the field 'clock.hz' is missing; add it"),
    "absurd clock": ("hz = 8_000_000", "hz = 0", "[clock]: hz is 0; give the clock in Hz"),
    "no size": ("size = 0x4000\n", "", "the field 'memory[1].size' is missing; add it"),
    "size of zero": ("size = 0x4000\n", "size = 0\n", "[[memory]] flash: size is 0; give"),
    "size in words": ("size = 0x4000\n", 'size = "16k"\n', "field 'memory[1].size'"),
    "overlap": ("base = 0x2000_0000", "base = 0x0800_1000", "inside memory flash"),
    "no RAM": ('kind = "ram"', 'kind = "flash"', 'there is no memory of kind "ram"; add one'),
    "unknown kind": ('kind = "ram"', 'kind = "rom"', "field 'memory[2].kind'"),
    "misspelt field": ("current_ma", "curent_ma", "did you mean current_ma?"),
    "negative current": ("current_ma = 3.5", "current_ma = -3.5", "field 'energy.current_ma'"),
    "unknown core": ('name = "cortex-m0"', 'name = "cortex-m9"', "cortex-m9"),
    "unknown timing": ('model = "zero-wait"', 'model = "magic"', "magic"),
    "odd width": ("bits = 32", "bits = 31", "field 'bits'"),
    "another width": ("bits = 32", "bits = 8", "the core 'cortex-m0' has 32; write bits = 32"),
    "extensions of no core's": (
        'name = "cortex-m0"',
        'name = "cortex-m0"\nextensions = ["zba"]',
        'core.extensions has "zba", but the core "cortex-m0" has no optional extensions; remove it',
    ),
    "flags in one text": (
        'flags = ["-mcpu=cortex-m0", "-mthumb"]',
        'flags = "-mcpu=cortex-m0"',
        "field 'compiler.flags': input should be a list, in [ ], not '-mcpu=cortex-m0'",
    ),
    "cache of an odd size": (
        'size = 0x4000\ntiming = { model = "zero-wait" }',
        'size = 0x4000\ntiming = { model = "stream", wait_states = 1, line = 8, cached_lines = 63, '
        "data_lines = 0 }",
        "cached_lines is 63; give the lines of instructions in a cache, a power of two",
    ),
    "a class without its reason": (
        'accuracy = "exact"\nvalidation = ',
        'accuracy = "exact"\n# ',
        "field 'accuracy': is 'exact', but 'validation' is missing; state there what was compared",
    ),
    "a reason without its class": (
        'accuracy = "exact"',
        'accuracy = "not validated"',
        "field 'accuracy': is 'not validated', but there is a 'validation'; remove one of them",
    ),
    "errors without what was compared": (
        'accuracy = "exact"\nvalidation = ',
        "# ",
        "field 'validation': is missing; state there what 'errors' are of",
    ),
    "what was compared without errors": (
        'accuracy = "exact"\n',
        "",
        "field 'errors': is missing; add the errors that 'validation' states, in %, such as",
    ),
    "exact with errors": (
        "high = 0.8",
        "high = 1.1",
        "field 'accuracy': is 'exact', but the errors are larger (median 0 %, high 1.1 %): at "
        "most 1 % is exact; remove it",
    ),
    "validated with errors": (
        'accuracy = "exact"\n',
        'accuracy = "validated"\n',
        "field 'accuracy': is 'validated', but the errors are larger (median 3.1 %, high 5 %): "
        "at most 3 and 10 % are validated; remove it",
    ),
    "errors in disorder": ("high = 0.8", "high = -1", "field 'errors.high'"),
    "errors that are no numbers": ("high = 0.8", "high = true", "field 'errors.high'"),
    "unknown class": ('accuracy = "exact"', 'accuracy = "good"', "field 'accuracy'"),
    "id of a bundled board": ("hz = 8_000_000", "hz = 12_000_000", "choose another id"),
    "bad name": ('id = "stm32f030"', 'id = "My Board"', "field 'id'"),
    "clock code that does not exist": (
        'clock = "stm32f0"',
        'clock = "stm32f9"',
        "field 'device.clock': there is no clock set-up code 'stm32f9' for armv6-m; "
        "available: nrf52",
    ),
    "clock code of another family": (
        'clock = "stm32f0"',
        'clock = "stm32f4"',
        "field 'device.clock': 'stm32f4' is for STM32F405, F407, F415, F417, F42x and F43x, not "
        "STM32F030F4P6; give 'stm32f0'",
    ),
    "a frequency that the clock code does not set": (
        "hz = 8_000_000",
        "hz = 8_000_001",
        "field 'clock.hz': is 8000001, but the clock set-up code 'stm32f0' sets the STM32F030F4P6 "
        "to 8 to 48 MHz in steps of 4 MHz; correct it, or the field 'device.clock'",
    ),
    "too few wait states for the clock": (
        "hz = 8_000_000",
        "hz = 48_000_000",
        "field 'memory[1].timing': has 0 wait states, but the clock set-up code 'stm32f0' sets 1 "
        "at 48000000 Hz; correct it, or 'clock.hz'",
    ),
    "more flash than the part": (
        "size = 0x4000\n",
        "size = 0x8000\n",
        "field 'memory[1].size': is 32768 bytes, but the STM32F030F4P6 has 16 KB of flash; correct "
        "it, or 'part'",
    ),
    "a compiler for another machine": (
        '"arm-none-eabi-gcc"',
        '"avr-gcc"',
        "field 'compiler.toolchain': 'avr-gcc' does not compile for armv6-m, the instruction set "
        "of the core 'cortex-m0'; give 'arm-none-eabi-gcc', or correct 'core'",
    ),
    "a core for another compiler": (
        'name = "cortex-m0"',
        'name = "avre"',
        "'arm-none-eabi-gcc' does not compile for avre, the instruction set of the core 'avre'",
    ),
    "a part with another core": (
        "STM32F030F4P6",
        "STM32F103R4T6",
        "field 'part': the STM32F103R4T6 has a core of armv7-m, but 'cortex-m0' is of armv6-m; "
        "correct 'part' or 'core'",
    ),
    "not TOML": ("bits = 32", "bits == 32", "not valid TOML"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_with_file_and_field(mistake: str, tmp_path: Path) -> None:
    old, new, reported = MISTAKES[mistake]
    text = board(ARM).text
    assert old in text
    path = tmp_path / "mine.toml"
    text = text.replace(old, new)
    if mistake == "validated with errors":
        text = text.replace("median = 0.0, high = 0.8", "median = 3.1, high = 5.0")
    if mistake == "what was compared without errors":
        text = text.replace("errors = ", "# ")
    path.write_text(text)
    with pytest.raises(UserError) as caught:
        files().board(str(path))
    message = str(caught.value)
    assert reported in message
    assert str(path) in message
    assert "\n" not in message


def test_an_unknown_compiler_is_reported(tmp_path: Path) -> None:
    from pennyweight import toolchains

    path = tmp_path / "mine.toml"
    path.write_text(board(ARM).text.replace('"arm-none-eabi-gcc"', '"arm-none-eabi-gc"'))
    with pytest.raises(UserError, match=r"mine\.toml: field 'compiler\.toolchain'.*did you mean"):
        toolchains.for_board(load_board(path))


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no such file"):
        files().board(str(tmp_path / "nowhere.toml"))
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'title = "caf\xe9"')
    with pytest.raises(UserError, match="not UTF-8"):
        load_board(latin)


@pytest.mark.parametrize("text", ["x = " + "[" * 200_000, "x = " + "{a=" * 200_000])
def test_a_file_that_nests_too_deep_is_reported(text: str, tmp_path: Path) -> None:
    """Whatever the file is for: boards, manifests, studies and libraries are parsed alike."""
    path = tmp_path / "deep.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=r"deep\.toml: lists or tables are nested too deep"):
        load_board(path)
    with pytest.raises(UserError, match=r"deep\.toml: lists or tables are nested too deep"):
        read_study(path)


def test_two_boards_of_one_name_are_reported(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(board(AVR).text)
    with pytest.raises(UserError, match=r"b\.toml: the id 'atmega328p' is taken by .*a\.toml"):
        load_boards(tmp_path)


def test_two_given_boards_of_one_name_are_reported(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.toml", "b.toml")]
    text = board(ARM).text.replace('"stm32f030"', '"mine"')
    paths[0].write_text(text)
    paths[1].write_text(text)
    assert [each.id for each in choose_boards(files(), paths)] == ["mine"]
    paths[1].write_text(text.replace("hz = 8_000_000", "hz = 12_000_000"))
    with pytest.raises(UserError, match=r"b\.toml: field 'id': 'mine' is also the id of .*a\.toml"):
        choose_boards(files(), paths)


def test_extensions_that_the_simulator_does_not_know_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = board("fe310-g002").text.replace('"fe310-g002"', '"mine"')
    path.write_text(text.replace('"sifive-e31"', '"sifive-e31"\nextensions = ["zba", "zfoo"]'))
    with pytest.raises(
        UserError, match=r'has "zfoo", which .*; correct it to "zba", "zbb" or "zbkb"'
    ):
        load_board(path)


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        (AVR, "-mmcu=atmega328p", "-mmcu=attiny85", "write '-mmcu=atmega328p', or correct 'part'"),
        (AVR, '"-mmcu=atmega328p"', "", "nothing selects the part; add '-mmcu=atmega328p'"),
        (AVR, "-mmcu=atmega328p", "-mmcu=avrxmega3", "selects a different part"),
        (ARM, "-mcpu=cortex-m0", "-mcpu=cortex-m4", "write '-mcpu=cortex-m0', or correct 'core"),
        (ARM, "-mcpu=cortex-m0", "-march=armv7-m", "selects a different core from the field"),
        (ARM, '"-mcpu=cortex-m0", ', "", "nothing selects the core; add '-mcpu=cortex-m0'"),
        ("msp430f1611", "-mcpu=msp430", "-mcpu=msp430x", "write '-mcpu=msp430', or correct"),
        ("msp430f1611", "-mcpu=msp430", "-mmcu=msp430f5438", "write '-mmcu=msp430f1611', or"),
        ("msp430f1611", '"-mcpu=msp430", ', "", "nothing selects the core; add '-mcpu=msp430'"),
        ("fe310-g002", "rv32imac", "rv32imafc", "write '-march=rv32imac', or correct 'core.ext"),
        ("fe310-g002", "rv32imac", "rv32imac_zba", "has instructions that are not in the core"),
        ("fe310-g002", '"-march=rv32imac", ', "", "add '-march=rv32imac'"),
        (
            "ch32v003-24mhz",
            "rv32ec",
            "rv32imc",
            "are not in the core 'qingke-v2a'; write '-march=rv32ec'",
        ),
        ("pic32mx340", "-march=m4k", "-march=mips32r6", "selects a different core from the field"),
        ("pic32mx340", '"-march=m4k", ', "", "nothing selects the core; add"),
        (ARM, '"-mthumb"', '"-fplugin=./evil.so"', "'-fplugin=./evil.so' reads, writes or loads"),
        (ARM, '"-mthumb"', '"-wrapper", "sh"', "'-wrapper' is not allowed in a board file"),
        (ARM, '"-mthumb"', '"-B/tmp"', "'-B/tmp' is not allowed in a board file"),
    ],
)
def test_flags_that_contradict_the_part_or_do_more_are_reported(
    tmp_path: Path, name: str, old: str, new: str, expected: str
) -> None:
    text = board(name).text
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new))
    with pytest.raises(UserError) as caught:
        load_board(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: field 'compiler.flags': ")
    assert expected in message and "\n" not in message


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (AVR, "-mmcu=atmega328p", "-mmcu=avr5"),
        (ARM, "-mcpu=cortex-m0", "-march=armv6-m"),
        ("msp430f1611", "-mcpu=msp430", "-mmcu=msp430f1611"),
        ("fe310-g002", "-march=rv32imac", "-march=rv32im"),
        ("pic32mx340", "-march=m4k", "-march=mips32r2"),
        ("pic32mx340", "-mno-gpopt", "-mips16"),
    ],
)
def test_other_ways_to_select_the_same_core_are_taken(
    tmp_path: Path, name: str, old: str, new: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(board(name).text.replace(old, new))
    assert new in load_board(path).file.compiler.flags


def test_the_simulator_alone_limits_the_size_of_a_memory(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = board(ARM).text.replace('"stm32f030"', '"mine"').replace("STM32F030F4P6", "STM32F030")
    path.write_text(text.replace("size = 0x4000", "size = 0x100_0000"))
    load_board(path)
    path.write_text(text.replace("size = 0x4000", "size = 0x100_0010"))
    with pytest.raises(UserError, match=r"size is 16777232; give .* to 16777216"):
        load_board(path)
    path.write_text(text.replace("size = 0x4000", "size = -1"))
    with pytest.raises(UserError, match=r"size is -1; give .* to 16777216"):
        load_board(path)
    path.write_text(text.replace("base = 0x2000_0000", "base = 0x1_0000_0000"))
    with pytest.raises(UserError, match="base is 4294967296; give"):
        load_board(path)


def test_a_price_without_a_quantity_states_none() -> None:
    facts = {each: board_facts(files().board(each)) for each in ("ch32v003-24mhz", "rp2040")}
    assert facts["ch32v003-24mhz"].price == "0.10 USD"
    assert facts["ch32v003-24mhz"].price_source.startswith("2022-10-25: WCH")
    assert facts["rp2040"].price_source.startswith("for 1, 2021-06: ")


@pytest.mark.parametrize(
    ("part", "kb"),
    [
        ("ATtiny85", 8),
        ("ATtiny85-20PU", 8),
        ("attiny85", 8),
        ("stm32f030f4p6", 16),
        ("ATtiny1614", 16),
        ("ATtiny3217", 32),
        ("ATmega48PA", 4),
        ("ATmega328P", 32),
        ("ATmega406", 40),
        ("ATmega4809", 48),
        ("ATmega1284P", 128),
        ("AVR128DA48", 128),
        ("STM32F030F4P6", 16),
        ("STM32L4R5ZIT6", 2048),
        ("STM32U585AII6Q", 2048),
        ("ATSAMD21G18A", 256),
        ("PIC32MX340F512H", 512),
        ("nRF52840-QIAA", None),
        ("RP2040", None),
        ("ESP32", None),
    ],
)
def test_the_name_of_a_part_states_its_flash(part: str, kb: int | None) -> None:
    assert flash_of(part) == (None if kb is None else kb * 1024)


def test_an_attiny85_has_no_128_kb(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(board("attiny85").text.replace("size = 0x2000", "size = 0x20000"))
    with pytest.raises(UserError, match=r"is 131072 bytes, but the ATtiny85 has 8 KB of flash"):
        load_board(path)


def test_clock_code_for_another_part_of_the_family_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = board("stm32l476-16mhz").text.replace("STM32L476RGT6", "STM32L412KBU6")
    path.write_text(text.replace("size = 0x0010_0000", "size = 0x2_0000"))
    with pytest.raises(
        UserError,
        match=r"field 'device\.clock': 'stm32l4' is for STM32L47x and L48x, not STM32L412KBU6; "
        r"remove the field, or correct 'part'",
    ):
        load_board(path)


def test_the_class_of_a_board_follows_from_its_errors(tmp_path: Path) -> None:
    classes = {
        (each.file.errors.are_validated, each.accuracy.value)
        for each in files().boards.values()
        if each.file.errors is not None
    }
    assert classes == {(True, "exact"), (True, "validated"), (False, "not validated")}
    path = tmp_path / "mine.toml"
    text = board("pic32mx340").text
    assert load_board_from(path, text).accuracy == "not validated"
    smaller = text.replace("median = 10.7, high = 30.9", "median = 3.0, high = 10.0")
    assert load_board_from(path, smaller).accuracy == "validated"


def load_board_from(path: Path, text: str) -> Board:
    path.write_text(text)
    return load_board(path)
