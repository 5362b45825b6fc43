"""What the verdicts of tests on simulated boards depend on."""

from __future__ import annotations

from pennyweight.job import Job
from pennyweight.measure.naming import job_key
from verdicts import Inputs


def inputs_of_jobs(*jobs: Job) -> Inputs:
    """The inputs of jobs: their names cover sources, firmware, board, compiler, flags, known
    answers and Pennyweight's code; test_measure_keys.py verifies that all of it is included.
    """
    return Inputs([job_key(each) for each in jobs], stated=("*",))
