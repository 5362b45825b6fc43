"""`make riscv-tests`: a failing case is reported, and so is a folder that is not a clone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")

ROOT = Path(__file__).parents[1]
GOOD = """#include "riscv_test.h"
#include "test_macros.h"
RVTEST_RV32U
RVTEST_CODE_BEGIN
TEST_CASE( 2, a0, 7, li x2, 3; addi a0, x2, 4 )
RVTEST_PASS
fail: RVTEST_FAIL
RVTEST_CODE_END
.data
RVTEST_DATA_BEGIN
.word 0
RVTEST_DATA_END
"""
MACROS = "#define TEST_CASE(n, r, v, code...) li TESTNUM, n; code; li x7, v; bne r, x7, fail\n"


def run(clone: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scripts.riscv_tests", str(clone)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_case_that_fails_is_reported_by_its_file(tmp_path: Path) -> None:
    for folder in ("isa/macros/scalar", "isa/rv32ui", "isa/rv64ui", "isa/rv32uc"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "isa/macros/scalar/test_macros.h").write_text(MACROS)
    (tmp_path / "isa/rv64ui/good.S").write_text(GOOD)
    (tmp_path / "isa/rv32ui/good.S").write_text('#include "../rv64ui/good.S"\n')
    done = run(tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        "1 files passed, with 1 cases in their text; 0 failed\n",
    )
    (tmp_path / "isa/rv32ui/bad.S").write_text(GOOD.replace("a0, 7", "a0, 8"))
    (tmp_path / "isa/rv32uc/rvc.S").write_text(GOOD)
    done = run(tmp_path)
    assert done.returncode == 1
    first, second, last = done.stdout.splitlines()
    assert first.startswith("rv32uc/rvc: not run: ")
    assert second.startswith("rv32ui/bad: crashed: ")
    assert "trap" in second
    assert last == "1 files passed, with 1 cases in their text; 1 failed"


def test_a_folder_that_is_not_a_clone_is_reported(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "not a clone of riscv-software-src/riscv-tests; give its path" in done.stderr
