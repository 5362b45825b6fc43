"""What the verdicts of tests on the host depend on."""

from __future__ import annotations

from collections.abc import Iterable

from host.build import Bundled, program
from host.known_answers import variant, vectors
from host.units import Program
from verdicts import Inputs


def inputs_of(
    implementations: Iterable[Bundled], programs: Iterable[Program] = (), more: object = None
) -> Inputs:
    """Of what some implementations answer, compared with what the catalogue has of them.

    `programs` are those that run, unless it is each with the runner of its kind. `more` is what
    else decides.
    """
    chosen = tuple(implementations)
    algorithms = dict.fromkeys(each.algorithm for each in chosen)
    return Inputs(
        [
            more,
            [(each.id, each.manifest) for each in chosen],
            [variant(algorithm) for algorithm in algorithms],
        ],
        tuple(programs) or tuple(map(program, chosen)),
        tuple(path for algorithm in algorithms for path in vectors(algorithm)),
        stated=("algorithms/*.toml",),
    )
