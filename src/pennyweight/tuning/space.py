"""The flags that a search tries: choices, each with the values that a build can have.

Only flags that keep the meaning of C and the calling convention are listed. Which of them a
compiler supports is asked of the compiler.

References: GCC manual, sections "Options That Control Optimization", "ARM Options", "AVR Options",
"RISC-V Options"; Clang's `-help` for what it accepts of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

STANDARD_LEVELS = ("-Os", "-O2", "-O3")
"""The levels that a result is compared with."""

LEVELS = (*STANDARD_LEVELS, "-O1")

Candidate = tuple[str, ...]
"""A level, and for each choice one of its values; empty: the level decides."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Flags of which a build has at most one."""

    name: str
    values: tuple[str, ...]


def _switch(*names: str) -> tuple[Choice, ...]:
    """Choices between ``-fname`` and ``-fno-name``."""
    return tuple(Choice(name, (f"-f{name}", f"-fno-{name}")) for name in names)


def _param(name: str, *values: int) -> Choice:
    return Choice(name, tuple(f"--param={name}={value}" for value in values))


_COMMON = (
    Choice("unrolling", ("-funroll-loops", "-funroll-all-loops")),
    _param("max-completely-peeled-insns", 400, 2000),
    Choice("link-time optimisation", ("-flto",)),
    Choice("inline limit", ("-finline-limit=40", "-finline-limit=400", "-finline-limit=4000")),
    *_switch(
        *("rename-registers", "web", "schedule-insns", "schedule-insns2", "peephole2"),
        *("guess-branch-probability", "split-wide-types", "move-loop-invariants", "tree-reassoc"),
        *("inline-functions", "inline-small-functions", "inline-functions-called-once"),
        *("sched-pressure", "ivopts", "gcse", "tree-pre", "tree-ter", "tree-vrp", "tree-loop-im"),
    ),
    Choice("register allocator", ("-fira-algorithm=priority",)),
    Choice("allocation regions", ("-fira-region=one", "-fira-region=all", "-fira-region=mixed")),
    _param("max-completely-peel-times", 32, 64),
    _param("max-unrolled-insns", 50, 1000),
    _param("max-unroll-times", 2, 4, 16),
    Choice("loop alignment", ("-falign-loops=4", "-falign-loops=8", "-falign-loops=16")),
    *_switch(
        *("peel-loops", "tree-vectorize", "tree-slsr", "tree-sink", "gcse-after-reload"),
        *("ira-hoist-pressure", "ira-loop-pressure", "ira-share-spill-slots", "caller-saves"),
        *("live-range-shrinkage", "ipa-ra", "ipa-cp-clone", "ipa-pta", "ipa-sra", "tree-sra"),
        *("split-wide-types-early", "tree-coalesce-vars", "tree-fre", "tree-dominator-opts"),
        *("tree-partial-pre", "tree-loop-distribute-patterns", "tree-slp-vectorize"),
        *("tree-bit-ccp", "tree-forwprop", "tree-copy-prop", "tree-ch", "code-hoisting"),
        *("forward-propagate", "rerun-cse-after-loop", "cse-follow-jumps", "thread-jumps"),
        *("gcse-las", "gcse-sm", "store-merging", "if-conversion", "if-conversion2"),
        *("crossjumping", "reorder-blocks", "shrink-wrap", "cprop-registers", "jump-tables"),
        *("combine-stack-adjustments", "auto-inc-dec", "section-anchors", "split-loops"),
        *("optimize-sibling-calls", "unswitch-loops", "split-paths", "selective-scheduling2"),
        *("modulo-sched", "branch-count-reg", "tree-scev-cprop", "expensive-optimizations"),
    ),
    Choice("block order", ("-freorder-blocks-algorithm=simple", "-freorder-blocks-algorithm=stc")),
    Choice("function alignment", ("-falign-functions=8", "-falign-functions=16")),
)

_OF_FAMILY: dict[str, tuple[Choice, ...]] = {
    "arm-none-eabi-gcc": (
        Choice("pipeline", ("-mtune=cortex-m3", "-mtune=cortex-m4", "-mtune=cortex-m7")),
        Choice("literals", ("-mslow-flash-data",)),
        Choice("unaligned access", ("-mno-unaligned-access",)),
    ),
    "avr-gcc": (
        Choice("prologues", ("-mcall-prologues",)),
        Choice("X register", ("-mstrict-X",)),
        Choice("arguments", ("-maccumulate-args",)),
        Choice("branch cost", ("-mbranch-cost=1", "-mbranch-cost=2", "-mbranch-cost=4")),
        Choice("relaxation", ("-mrelax",)),
    ),
    "riscv64-unknown-elf-gcc": (
        Choice("prologues", ("-msave-restore",)),
        Choice("branch cost", ("-mbranch-cost=1", "-mbranch-cost=3", "-mbranch-cost=6")),
        Choice("pipeline", ("-mtune=sifive-3-series", "-mtune=sifive-7-series", "-mtune=size")),
    ),
}


def choices_for(family: str, is_supported: Callable[[Sequence[str]], bool]) -> list[Choice]:
    """The choices for a compiler family, without values that its compiler refuses.

    `family` is as in board files. `is_supported` asks the compiler about several flags at once.
    """
    choices = (*_OF_FAMILY.get(family, ()), *_COMMON)
    known = set(_supported([value for each in choices for value in each.values], is_supported))
    found = []
    for each in choices:
        values = tuple(value for value in each.values if value in known)
        if values:
            found.append(Choice(each.name, values))
    return found


def _supported(values: Sequence[str], is_supported: Callable[[Sequence[str]], bool]) -> list[str]:
    """Halves what is refused until the refused flags are alone."""
    if not values or is_supported(values):
        return list(values)
    if len(values) == 1:
        return []
    middle = len(values) // 2
    return [
        *_supported(values[:middle], is_supported),
        *_supported(values[middle:], is_supported),
    ]


def flags_of(candidate: Candidate) -> str:
    """A candidate's flags as `measure --flags` takes them."""
    return " ".join(filter(None, candidate))


def candidate_of(flags: str, choices: Sequence[Choice]) -> Candidate | None:
    """The candidate with these flags; `None` if the search has no such candidate."""
    level, *values = flags.split()
    found = [next((value for value in each.values if value in values), "") for each in choices]
    if level not in LEVELS or sorted(values) != sorted(filter(None, found)):
        return None
    return (level, *found)


def difference(before: Candidate, after: Candidate) -> str:
    """The flags that change from one candidate to another; removed ones follow `without`."""
    words = []
    for old, new in zip(before, after, strict=True):
        if old == new:
            continue
        words.append(new or f"without {old}")
    return ", ".join(words)
