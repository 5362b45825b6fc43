"""Made-up job results with the shape of real ones, for tests of the store and of the report.

Cycles follow a linear model per algorithm, so that tests know the result of a fit.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pennyweight.analysis.facts import AlgorithmFacts, BoardFacts, ImplementationFacts
from pennyweight.job import Job
from pennyweight.model import (
    Case,
    JobResult,
    Measurement,
    Operation,
    Provenance,
    Status,
    SymbolSize,
)
from pennyweight.store import ResultStore


@dataclass(frozen=True)
class Model:
    """What an algorithm costs on a 32-bit part at -Os."""

    kind: str
    block: int
    setup: int
    per_block: int
    flash: int
    stack: int


MODELS = {
    "aes-128-gcm": Model("aead", 16, 20_400, 15_100, 2_644, 700),
    "aes-192-gcm": Model("aead", 16, 23_100, 16_900, 2_690, 732),
    "aes-256-gcm": Model("aead", 16, 25_900, 18_700, 2_740, 764),
    "ascon-128": Model("aead", 8, 6_300, 2_150, 1_530, 148),
    "ascon-aead128": Model("aead", 16, 6_450, 2_780, 1_610, 152),
    "chacha20-poly1305": Model("aead", 64, 31_000, 24_600, 2_950, 588),
    "ascon-hash256": Model("hash", 8, 7_900, 4_150, 1_240, 120),
    "sha-256": Model("hash", 64, 2_300, 14_400, 1_980, 372),
}

BOARD_FACTORS = {"atmega328p": 3.4, "stm32f030": 1.0}
FLAG_FACTORS = {"-Os": 1.0, "-O3": 0.82}
RAM_LIMIT = {"atmega328p": 2048, "stm32f030": 4096}


def row_of(job: Job, case: Case, **figures: Any) -> Measurement:
    """A row of a job, with these columns."""
    return Measurement(
        algorithm=job.implementation.algorithm,
        implementation=job.implementation.name,
        board=job.board.id,
        flags=job.flags,
        op=case.op.value,
        ad=case.ad,
        m=case.m,
        **figures,
    )


def default_cases(kind: str) -> list[Case]:
    """The EUR 1 lengths and two long FELICS scenarios."""
    lengths = range(0, 257, 4)
    if kind == "hash":
        return [Case(Operation.HASH, 0, m) for m in lengths]
    ops = (Operation.ENC, Operation.DEC)
    return [Case(op, 16, m) for op in ops for m in lengths] + [Case(op, 40, 1224) for op in ops]


def cycles(algorithm: str, board: str, flags: str, case: Case) -> int:
    """The model's cycles, the same every time."""
    model = MODELS[algorithm]
    blocks = -(-case.ad // model.block) + -(-case.m // model.block)
    factor = BOARD_FACTORS[board] * FLAG_FACTORS[flags]
    extra = 240 if case.op is Operation.DEC else 0
    return round((model.setup + model.per_block * blocks + extra) * factor)


def provenance(implementation: str, board: str, flags: str) -> Provenance:
    """An origin whose job key follows from the names."""

    def digest(*parts: str) -> str:
        return hashlib.sha256("|".join(parts).encode()).hexdigest()

    return Provenance(
        job=digest(implementation, board, flags)[:32],
        sources_sha256=digest(implementation),
        board_sha256=digest(board),
        firmware_sha256=digest("firmware", board),
        compiler="avr-gcc" if board == "atmega328p" else "arm-none-eabi-gcc",
        compiler_version="7.3.0" if board == "atmega328p" else "12.2.1",
        compiler_sha256=digest("compiler", board),
        simulator_version="0.1.0",
        pennyweight_version="0.1.0",
        verified="1089 known answers passed",
    )


def job_result(
    algorithm: str,
    board: str = "stm32f030",
    flags: str = "-Os",
    name: str = "ref",
    cases: list[Case] | None = None,
    scale: float = 1.0,
) -> JobResult:
    """A finished job; messages that do not fit the board's RAM have that status."""
    model = MODELS[algorithm]
    rows = []
    for case in cases if cases is not None else default_cases(model.kind):
        row = Measurement(
            algorithm=algorithm,
            implementation=name,
            board=board,
            flags=flags,
            op=case.op.value,
            ad=case.ad,
            m=case.m,
        )
        buffers = case.ad + 2 * case.m + 16
        if buffers + model.stack > RAM_LIMIT[board]:
            over = buffers + model.stack - RAM_LIMIT[board]
            row = replace(
                row,
                status=Status.DOES_NOT_FIT.value,
                reason=f"buffers and stack need {over} bytes more than the board has",
            )
        else:
            count = round(cycles(algorithm, board, flags, case) * scale)
            row = replace(
                row,
                cycles=count,
                instructions=round(count * 0.71),
                stack=model.stack,
                flash=round(model.flash * (1.0 if flags == "-Os" else 1.9)),
                flash_enc=round(model.flash * 0.8),
                flash_dec=round(model.flash * 0.85),
                ram=0,
            )
        rows.append(row)
    symbols = [
        SymbolSize(
            f"{algorithm.replace('-', '_')}_permute", ".text", "permute.o", model.flash // 2
        ),
        SymbolSize("crypto_aead_encrypt", ".text", "aead.o", model.flash // 4),
    ]
    return JobResult(provenance(f"{algorithm}/{name}", board, flags), rows, symbols)


def failed_result(
    algorithm: str, board: str, flags: str, name: str, status: Status, reason: str
) -> JobResult:
    """A job that ended before any case could be measured."""
    good = job_result(algorithm, board, flags, name)
    row = replace(
        good.measurements[0],
        cycles=None,
        instructions=None,
        stack=None,
        flash=None,
        flash_enc=None,
        flash_dec=None,
        ram=None,
        status=status.value,
        reason=reason,
    )
    return JobResult(good.provenance, [row])


def all_results() -> list[JobResult]:
    """Every algorithm on both boards with both flags, a second implementation of one, a failure."""
    results = [
        job_result(algorithm, board, flags)
        for algorithm in MODELS
        for board in BOARD_FACTORS
        for flags in FLAG_FACTORS
    ]
    for board in BOARD_FACTORS:
        for flags in FLAG_FACTORS:
            results.append(job_result("aes-128-gcm", board, flags, "table", scale=0.41))
    results.append(
        failed_result(
            "ascon-aead128",
            "atmega328p",
            "-O3",
            "wide",
            Status.BUILD_FAILED,
            "ascon.c:12: error: unknown type name 'uint128_t'",
        )
    )
    return results


def many(folder: Path, algorithms: int, boards: int = 1, builds: int = 1) -> ResultStore:
    """Results of made-up algorithms, each slower than the one before, and of AES-128-GCM last."""
    store = ResultStore(folder / "results")
    names = [f"cipher-{i:03}" for i in range(algorithms - 1)] + ["aes-128-gcm"]
    lengths = [Case(op, 16, m) for op in (Operation.ENC, Operation.DEC) for m in (0, 16, 32, 64)]
    for number, name in enumerate(names):
        for board in range(boards):
            for build in range(builds):
                made = job_result(
                    "ascon-128",
                    name=f"b{build}",
                    cases=lengths,
                    scale=1 + number / 10 + build / 100,
                )
                rows = [
                    replace(row, algorithm=name, board=f"board{board}") for row in made.measurements
                ]
                job = f"{name}-{board}-{build}"
                origin = replace(made.provenance, job=job, verified="33 of 1089 records")
                store.add(JobResult(origin, rows, made.symbols), datetime(2024, 5, 17, tzinfo=UTC))
    return store


def campaign() -> dict[str, Any]:
    """What the campaign of `all_results` kept about its boards, algorithms and cases."""
    families = {"aes": "aes", "asc": "ascon", "cha": "chacha", "sha": "sha2"}
    titles = {"ascon-aead128": "Ascon-AEAD128", "ascon-hash256": "Ascon-Hash256"}
    titles["chacha20-poly1305"] = "ChaCha20-Poly1305"
    return {
        "id": "default",
        "title": "Every example on two boards",
        "boards": [
            asdict(
                BoardFacts(
                    "atmega328p",
                    "ATmega328P (Arduino Uno)",
                    "ATmega328P",
                    8,
                    "avre+",
                    16_000_000,
                    32768,
                    2048,
                    9.0,
                    5.0,
                )
            ),
            asdict(
                BoardFacts(
                    "stm32f030",
                    "STM32F030F4 at 8 MHz",
                    "STM32F030F4P6",
                    32,
                    "cortex-m0",
                    8_000_000,
                    16384,
                    4096,
                    3.5,
                    3.3,
                    validation="Agrees within 0.3 % with 12 published counts.",
                )
            ),
        ],
        "algorithms": [
            asdict(
                AlgorithmFacts(
                    name,
                    titles.get(name, name.upper()),
                    family=families[name[:3]],
                    kind=model.kind,
                    block=model.block,
                    status="standard",
                )
            )
            for name, model in MODELS.items()
        ],
        "implementations": [
            asdict(ImplementationFacts(name, "ref", constant_time=True)) for name in MODELS
        ]
        + [
            asdict(
                ImplementationFacts(
                    "aes-128-gcm",
                    "table",
                    constant_time=False,
                    meant_for="cores without caches",
                    remarks="The tables lie in flash.",
                )
            )
        ],
        "scenarios": [
            {
                "name": "FELICS 2c",
                "title": "Encrypt and authenticate 1224 bytes of payload, 40 of header",
                "kind": "aead",
                "cases": [["enc", 40, 1224], ["dec", 40, 1224]],
            }
        ],
    }
