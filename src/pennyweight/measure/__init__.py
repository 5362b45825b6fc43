"""Measures one implementation on one board: the API for campaigns, the command line, notebooks.

from pennyweight import catalogue, measure
from pennyweight.model import Case, Operation

files = catalogue.load()
[implementation] = files.find("ascon-aead128/small")
result = measure.run_job(
    implementation, files.board("atmega328p"), "-Os", [Case(Operation.ENC, ad=16, m=64)]
)
print(result.measurements[0].cycles)
"""

from __future__ import annotations

from typing import Literal

from pennyweight.measure.job import DEFAULT_BUDGET, job_key, run_job

Level = Literal["every", "full", "quick", "none"]

__all__ = ["DEFAULT_BUDGET", "Level", "job_key", "run_job"]
