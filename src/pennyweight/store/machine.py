"""The environment in which a job ran, stored in its file with its rows.

It must not affect any figure. If two results of one job differ, it helps to find the cause.
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
    """System, processor and versions, without the name of the machine or user."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "python": platform.python_version(),
    }


def noted(metadata: Any) -> dict[str, str]:
    """The environment from a file's metadata; empty for files from before it was stored."""
    try:
        found = json.loads((metadata or {}).get(KEY, b"{}"))
        return {str(k): str(v) for k, v in found.items()}
    except (ValueError, AttributeError):
        return {}


def sentence(machine: dict[str, str]) -> str:
    """The environment in a few words."""
    if not machine:
        return "an unknown machine"
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
