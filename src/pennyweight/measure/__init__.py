"""Measures one implementation on one board: the API for campaigns, the command line, notebooks.

from pennyweight import catalogue, measure
from pennyweight.job import Job
from pennyweight.model import Case, Operation

files = catalogue.load()
[implementation] = files.find("ascon-aead128/small")
cases = [Case(Operation.ENC, ad=16, m=64)]
result = measure.run_job(Job(implementation, files.board("atmega328p"), "-Os", cases))
print(result.measurements[0].cycles)
"""

from __future__ import annotations

from pennyweight.measure.naming import job_key
from pennyweight.measure.run import run_job

__all__ = ["job_key", "run_job"]
