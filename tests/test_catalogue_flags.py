"""Which flags a user may give."""

from __future__ import annotations

import pytest

from pennyweight.catalogue import parse_flags
from pennyweight.model import UserError


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-Os",
        "-O3 -flto",
        "-O2 -funroll-loops -fno-inline --param=max-unroll-times=4",
        "-Os -mips16",
        "-Os -DROUNDS=12 -UDEBUG -std=c99 -mcall-prologues -falign-functions=16",
    ],
)
def test_flags_that_steer_the_compiler_are_taken(text: str) -> None:
    assert " ".join(parse_flags(text)) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("-O9", "is no optimisation level"),
        ("-fplugin=evil.so", "reads, writes or loads files"),
        ("-fplugin-arg-x-y", "reads, writes or loads files"),
        ("-fdump-tree-all", "reads, writes or loads files"),
        ("-fprofile-use=/tmp/x", "reads, writes or loads files"),
        ("-fpreprocessed", "reads, writes or loads files"),
        ("-fltrans-output-list=x", "reads, writes or loads files"),
        ("-fno-use-linker-plugin", "reads, writes or loads files"),
        ("-fuse-ld=gold", "reads, writes or loads files"),
        ("-fsanitize=address", "reads, writes or loads files"),
        ("-mmcu=atmega2560", "which the board file does"),
        ("-mcpu=cortex-m4", "which the board file does"),
        ("-mips16e", "which the board file does"),
        ("-mips32r5", "which the board file does"),
        ("-mmips16e2", "which the board file does"),
        ("-mmicromips", "which the board file does"),
        ("-o /etc/passwd", "is not one that a measurement may use"),
        ("-I/etc", "is not one that a measurement may use"),
        ("-include x.h", "is not one that a measurement may use"),
        ("-Wl,-T,x.ld", "is not one that a measurement may use"),
        ("-Wa,-a=x", "is not one that a measurement may use"),
        ("-B/tmp", "is not one that a measurement may use"),
        ("-specs=x", "is not one that a measurement may use"),
        ("-wrapper sh", "is not one that a measurement may use"),
        ("-save-temps", "is not one that a measurement may use"),
        ("-DX=`id`", "is not one that a measurement may use"),
        ("@file", "flags begin with '-'"),
        ("Os", "flags begin with '-'"),
        ('"-Os', "a quote is not closed"),
    ],
)
def test_flags_that_do_more_are_refused_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_flags(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
