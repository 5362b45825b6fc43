"""Runs functions in worker processes, and survives the death of a worker.

`processes` is the parent's side, `worker` the worker's, and `pipe` the connection between them.
"""

from __future__ import annotations

from pennyweight.pool.processes import Outcome, Task, available_cores, run_tasks

__all__ = ["Outcome", "Task", "available_cores", "run_tasks"]
