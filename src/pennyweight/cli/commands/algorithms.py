"""`pennyweight algorithms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pennyweight.cli.command import Command
from pennyweight.cli.output import (
    Column,
    format_option,
    print_csv,
    print_json,
    print_prose,
    print_table,
    write_size,
)

if TYPE_CHECKING:
    from pennyweight.catalogue import Algorithm, Catalogue

_COLUMNS = (
    Column("algorithm", "algorithm"),
    Column("kind", "kind"),
    Column("key", "key", write_size, rank=3),
    Column("nonce", "nonce", write_size, rank=4),
    Column("output", "tag, digest", write_size, rank=5),
    Column("status", "status", rank=1),
    Column("known_answers", "known answers", rank=2),
    Column("implementations", "impl."),
    Column("family", "family", extra=True),
    Column("primary", "primary", extra=True),
    Column("year", "year", str, extra=True),
    Column("specification", "specification", prose=True, extra=True),
)


@click.command(
    "algorithms",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight algorithms",
        "pennyweight algorithms mixfeed",
        "pennyweight algorithms ascon 'aes-*'",
        "pennyweight algorithms --status finalist --kind hash",
        "pennyweight algorithms --format csv",
    ),
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--status", help="Only this status or round, such as standard, finalist or broken.")
@click.option(
    "--kind",
    type=click.Choice(["aead", "hash", "auth"]),
    help="Only this kind; auth means MACs.",
)
@format_option
def command(names: tuple[str, ...], status: str | None, kind: str | None, form: str) -> None:
    """List the algorithms: kind, sizes in bytes, status, known answers, implementations.

    NAME is an algorithm, a family, or a pattern such as 'aes-*'; default: all. A single algorithm
    is shown in detail: its specification, the official known-answer files with their digests,
    other names, and notes. JSON and CSV include these details for all algorithms.
    """
    from pennyweight.api.listing import algorithm_rows, choose_algorithms
    from pennyweight.catalogue import load

    catalogue = load()
    chosen = choose_algorithms(catalogue, names, status, kind)
    rows = algorithm_rows(catalogue, chosen)
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        print_table(
            [
                {**row, "output": row["tag"] or row["digest"], "status": each.variant.status_text}
                for row, each in zip(rows, chosen, strict=True)
            ],
            _COLUMNS,
        )
        if len(chosen) == 1:
            click.echo()
            _print_card(catalogue, chosen[0])
        elif names or status:
            _print_notes(chosen)


def _print_notes(algorithms: list[Algorithm]) -> None:
    """Prints notes, and what breaks the broken ones."""
    from pennyweight.catalogue.attacks import best_attack

    notes = []
    for each in algorithms:
        attack = best_attack(each.name, each.path) if each.variant.status == "broken" else None
        broken = f"Broken: {attack.summary} {attack.source}." if attack else ""
        notes.append((each.name, " ".join(filter(None, (broken, each.variant.note)))))
    noted = [(name, note) for name, note in notes if note]
    if noted:
        click.echo()
    for name, note in noted:
        print_prose(f"{name}: {note}")


def _print_card(catalogue: Catalogue, algorithm: Algorithm) -> None:
    """Prints the details of one algorithm."""
    from pennyweight.api.listing import known_answer_rows
    from pennyweight.catalogue.attacks import best_attack

    variant = algorithm.variant
    attack = best_attack(variant.name, algorithm.path)
    names = [each.name for each in catalogue.implementations if each.algorithm == algorithm.name]
    print_prose(f"{variant.title}, of the family {algorithm.family_title}")
    for title, text in (
        ("status", variant.status_text + ", primary member of its kind" * variant.primary),
        ("best known attack", f"{attack.summary} {attack.source}" if attack else ""),
        ("note", variant.note),
        ("specification", variant.specification.citation),
        ("also called", ", ".join(variant.aliases)),
        ("implementations", ", ".join(names) or "none"),
    ):
        if text:
            print_prose(f"{title}: {text}", indent="  ")
    print_prose("known answers:", indent="  ")
    for row in known_answer_rows(algorithm):
        records = "1 record" if row["records"] == 1 else f"{row['records']:,} records"
        print_prose(f"{row['file']}, {records}", indent="    ")
        print_prose(f"SHA-256 {row['sha256']}", indent="      ")
        print_prose(f"from {row['source']}", indent="      ")
        if row["what"]:
            print_prose(f"{row['what']}; the test suite runs them on the host", indent="      ")
