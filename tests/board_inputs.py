"""What the verdicts of tests on simulated boards depend on."""

from __future__ import annotations

from pennyweight.job import Job
from pennyweight.measure.naming import job_key
from verdicts import Inputs


def inputs_of_jobs(*jobs: Job) -> Inputs:
    """Those of jobs: their names are over sources, firmware, board, compiler, flags, known answers
    and our own code; test_measure_keys.py proves that all of it enters.
    """
    return Inputs([job_key(each) for each in jobs], stated=("*",))
