"""In which surroundings a job was done: kept in its file, beside its rows.

None of it may change a figure. Where two people's figures of one job differ, it tells what to
look at first.
"""

from __future__ import annotations

import json
import platform
from functools import cache
from pathlib import Path
from typing import Any

KEY = b"pennyweight.machine"


@cache
def this_machine() -> dict[str, str]:
    """System, processor and versions; no name of the machine or of its user."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "python": platform.python_version(),
    }


def noted(metadata: Any) -> dict[str, str]:
    """What a file's metadata says of the machine; empty for files of before it was kept."""
    try:
        found = json.loads((metadata or {}).get(KEY, b"{}"))
        return {str(k): str(v) for k, v in found.items()}
    except (ValueError, AttributeError):
        return {}


def sentence(machine: dict[str, str]) -> str:
    """The surroundings in a few words."""
    if not machine:
        return "a machine that is not noted"
    return (
        f"{machine.get('system', '?')}, {machine.get('processor', '?')}, "
        f"Python {machine.get('python', '?')}"
    )


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "processor not known"
