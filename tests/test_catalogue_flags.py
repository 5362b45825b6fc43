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
    ("text", "expected"),
    [
        ("-O9", "is not an optimisation level"),
        ("-fplugin=evil.so", "reads, writes or loads files"),
        ("-fplugin-arg-x-y", "reads, writes or loads files"),
        ("-fdump-tree-all", "reads, writes or loads files"),
        ("-fprofile-use=/tmp/x", "reads, writes or loads files"),
        ("-fpreprocessed", "reads, writes or loads files"),
        ("-fltrans-output-list=x", "reads, writes or loads files"),
        ("-fno-use-linker-plugin", "reads, writes or loads files"),
        ("-fuse-ld=gold", "reads, writes or loads files"),
        ("-fsanitize=address", "reads, writes or loads files"),
        ("-mmcu=atmega2560", "which is the board file's task"),
        ("-mcpu=cortex-m4", "which is the board file's task"),
        ("-mips16e", "which is the board file's task"),
        ("-mips32r5", "which is the board file's task"),
        ("-mmips16e2", "which is the board file's task"),
        ("-mmicromips", "which is the board file's task"),
        ("-o /etc/passwd", "is not allowed in a measurement"),
        ("-I/etc", "is not allowed in a measurement"),
        ("-include x.h", "is not allowed in a measurement"),
        ("-Wl,-T,x.ld", "is not allowed in a measurement"),
        ("-Wa,-a=x", "is not allowed in a measurement"),
        ("-B/tmp", "is not allowed in a measurement"),
        ("-specs=x", "is not allowed in a measurement"),
        ("-wrapper sh", "is not allowed in a measurement"),
        ("-save-temps", "is not allowed in a measurement"),
        ("-DX=`id`", "is not allowed in a measurement"),
        ("@file", "flags begin with '-'"),
        ("Os", "flags begin with '-'"),
        ('"-Os', "a quote is not closed"),
    ],
)
def test_flags_that_do_more_are_refused_in_one_sentence(text: str, expected: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_flags(text)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)
