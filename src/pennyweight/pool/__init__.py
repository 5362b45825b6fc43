"""Functions run in worker processes that may die without taking anything with them.

`processes` is the parent's side, `worker` the other, `pipe` what is between them.
"""

from __future__ import annotations

from pennyweight.pool.processes import Outcome, Task, available_cores, run_tasks

__all__ = ["Outcome", "Task", "available_cores", "run_tasks"]
