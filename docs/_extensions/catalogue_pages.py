"""Pages that are written from the catalogue and the command line when the site is built."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import click
from sphinx.application import Sphinx

from pennyweight import published
from pennyweight.analysis.facts import BoardFacts, board_facts
from pennyweight.catalogue import Algorithm, Catalogue, load
from pennyweight.catalogue.algorithms import KnownAnswers
from pennyweight.catalogue.attacks import best_attack
from pennyweight.cli.group import program

KINDS = {"aead": "Authenticated encryption", "hash": "Hashes and XOFs", "auth": "MACs"}

REMARKS = {
    "aead": "To measure authentication without encryption, use associated data only: `pennyweight "
    "measure ascon-aead128 --board stm32f030 --lengths 64:0` measures each implementation with 64 "
    "bytes of associated data and no message.",
}
"""Text below a kind's title."""

STATUSES = (
    ("standard", "a standard of NIST, ISO or the IETF"),
    ("finalist, round 2", "the last round of NIST's lightweight cryptography project it reached"),
    ("caesar", "a submission to the CAESAR competition"),
    ("other", "another algorithm in wide use"),
    ("broken", "does not meet its security claims, because of the attack given below its table"),
)

_OFFICIAL = re.compile(r"([^ ,]+) \(SHA-256 ([0-9a-f]{64})\)")
"""In a source: a larger file that contains the known answers, and the digest of that file."""

_WRITTEN_OUT = ("as records", "transcribed")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}


def write_pages(app: Sphinx) -> None:
    """Writes the generated pages that have changed."""
    catalogue = load()
    folder = Path(app.srcdir) / "reference" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    pages = {
        "algorithms.md": algorithms_page(catalogue),
        "boards.md": boards_page(board_facts(board) for board in catalogue.boards.values()),
        "published.md": published_page(),
        "cli.md": command_line_page(),
    }
    for name, text in pages.items():
        page = folder / name
        if not page.is_file() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A Markdown table. Pipes in cells are escaped."""
    lines = ["| " + " | ".join(heading) + " |", "|" + " --- |" * len(heading)]
    for row in rows:
        cells = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in row)
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def algorithms_page(catalogue: Catalogue) -> str:
    """Every algorithm with sizes, status, specification, known answers and implementations."""
    counts: dict[str, list[str]] = {}
    for each in catalogue.implementations:
        counts.setdefault(each.algorithm, []).append(each.name)
    lines = [
        "# Algorithms",
        "",
        f"{len(catalogue.algorithms)} variants, with {len(catalogue.implementations)} "
        "implementations. Sizes are in bytes. `pennyweight verify` runs an algorithm's "
        "known-answer tests on each board; [the digests of their files](#known-answers) are at the "
        "end of this page. *Primary* marks the primary or only member of a submission's kind.",
        "",
        *table(["status", "meaning"], STATUSES),
    ]
    for kind, title in KINDS.items():
        chosen = [each for each in catalogue.algorithms.values() if each.kind == kind]
        if not chosen:
            continue
        lines += ["", f"## {title}"]
        if kind in REMARKS:
            lines += ["", REMARKS[kind]]
        chosen.sort(key=lambda each: (each.family_title.casefold(), each.name))
        for family, members in groupby(chosen, key=lambda each: each.family_title):
            lines += ["", f"### {family}", ""]
            lines += _family(list(members), kind, counts)
    return "\n".join([*lines, *_known_answers(catalogue)]) + "\n"


def _known_answers(catalogue: Catalogue) -> list[str]:
    """The known-answer files of each algorithm, with their digests."""
    rows = [
        [f"`{name}`", answers.file, answers.records, f"`{answers.sha256}`", _origin(answers)]
        for name, each in sorted(catalogue.algorithms.items())
        for answers in each.variant.known_answers
    ]
    others = [
        [f"`{name}`", other.file, other.records, f"`{other.sha256}`", other.what]
        for name, each in sorted(catalogue.algorithms.items())
        for other in each.variant.other_files
    ]
    return [
        "",
        "(known-answers)=",
        "",
        "## Known answers",
        "",
        "The SHA-256 is that of the uncompressed file; for files in NIST LWC's format, with LF "
        "line ends. *Records* counts those with the algorithm's sizes, which are the ones that "
        "run. "
        "*Kind* is one of the following:",
        "",
        "* a whole file, byte for byte as published;",
        "* a part of a file, with the name and SHA-256 of that file;",
        "* records written out from a document or from arrays in a source;",
        "* the output of a program, where no file was published.",
        "",
        "`pennyweight algorithms NAME` shows the source of each.",
        "",
        *table(["algorithm", "file", "records", "SHA-256", "kind"], rows),
        "",
        "The following official files have records of other sizes, records that the API does not "
        "support, or the same records as another file. The test suite runs all of them on the "
        "host.",
        "",
        *table(["algorithm", "file", "records", "SHA-256", "content"], others),
    ]


def _origin(answers: KnownAnswers) -> str:
    """What kind of file the digest belongs to."""
    source = answers.source
    official = _OFFICIAL.findall(source)
    if official:
        return "a part of " + " and ".join(f"{name}: `{digest}`" for name, digest in official)
    if source.startswith("output of") or source.endswith("/ref"):
        return "the output of a program"
    if any(word in source for word in _WRITTEN_OUT):
        return "records written out"
    return "a whole file"


def _family(members: list[Algorithm], kind: str, counts: dict[str, list[str]]) -> list[str]:
    """A family's specifications, a table of its members, and their notes."""
    sizes = {"aead": ("key", "nonce", "tag"), "hash": ("digest",), "auth": ("key", "tag")}[kind]
    specifications = dict.fromkeys(each.variant.specification.citation for each in members)
    rows = [
        [
            f"`{each.name}`",
            *(getattr(each.variant, size) for size in sizes),
            each.variant.status_text,
            "primary" if each.variant.primary else "",
            sum(answers.records for answers in each.variant.known_answers),
            ", ".join(counts.get(each.name, [])) or "none",
        ]
        for each in members
    ]
    lines = [f"{'; '.join(specifications)}.", ""]
    lines += table(["name", *sizes, "status", "", "known answers", "implementations"], rows)
    notes = [
        f"* {each.variant.title}: {each.variant.note}" for each in members if each.variant.note
    ]
    return lines + _attacks(members) + (["", "Notes:", "", *notes] if notes else [])


def _attacks(members: list[Algorithm]) -> list[str]:
    """The best known attacks on a family's members, each attack once."""
    titles: dict[str, list[str]] = {}
    for each in members:
        attack = best_attack(each.name, each.path)
        if attack is not None:
            text = f"{attack.summary} {attack.source}."
            titles.setdefault(text, []).append(each.variant.title)
    if not titles:
        return []
    lines = [f"* {', '.join(names)}: {text}" for text, names in titles.items()]
    return ["", "Best known attacks:", "", *lines]


ACCURACIES = (
    ("exact", "published cycle counts of assembly on the part agree within 1 %"),
    (
        "validated",
        "compared with measurements of the part: the median error is at most 3 %, the 90th "
        "percentile at most 10 %; the errors are stated below",
    ),
    (
        "plausible",
        "only ratios between implementations were compared, or the board was not compared itself, "
        "but its core and memory timing are those of a board that was, or its core's are those of "
        "the core's published source; trust ratios between implementations more than cycles",
    ),
    (
        "not validated",
        "the rules are from manuals alone, or the errors, which are then stated below, are larger",
    ),
)
"""The classes of boards, by the value in their files."""


def boards_page(boards: Iterable[BoardFacts]) -> str:
    """Every board with core, clock, memories, the current of the energy estimate, and its class."""
    listed = sorted(boards, key=lambda each: (each.bits, each.id))
    rows = [
        [
            f"`{each.id}`",
            each.title,
            f"`{each.core}`",
            each.bits,
            f"{(each.hz or 0) / 1e6:g} MHz",
            f"{(each.flash_bytes or 0) // 1024} KB",
            f"{(each.ram_bytes or 0) / 1024:g} KB",
            "-" if each.current_ma is None else f"{each.current_ma:g} mA, {each.voltage_v:g} V",
            each.accuracy,
        ]
        for each in listed
    ]
    heading = ["name", "board", "core", "bits", "clock", "flash", "RAM", "supply, typical", "class"]
    lines = [
        "# Boards",
        "",
        *table(heading, rows),
        "",
        "## How accurate they are",
        "",
        *table(["class", "meaning"], ACCURACIES),
        "",
        *(
            f"* `{each.id}`, {each.accuracy}. {each.validation}"
            for each in listed
            if each.validation
        ),
    ]
    return "\n".join(lines) + "\n"


def published_page() -> str:
    """The published figures that results can be compared with."""
    lines = [
        "# Published figures",
        "",
        "`pennyweight compare published:NAME results` compares your results with a set of "
        "published figures, as do the pages of [the studies](../studies.md). Below each set "
        "are the known reasons for differences.",
    ]
    for name in published.names():
        found = published.load(name)
        source = found.source
        lines += [
            "",
            f"## {name}",
            "",
            f"{source.authors}: *{source.title}* ({source.year}). {source.where}.",
            "",
            source.what,
            "",
            f"{len(found.figures)} figures. {source.remarks}",
            "",
            *(f"* {_scope(each)}{each.reason}" for each in source.differences),
        ]
    return "\n".join(lines) + "\n"


def _scope(difference: published.Difference) -> str:
    """What a reason applies to, if not to the whole set."""
    named = [difference.metric, difference.algorithm, difference.board]
    shown = ", ".join(f"`{each}`" for each in named if each != "*")
    return f"{shown}: " if shown else ""


def command_line_page() -> str:
    """What `--help` prints, command by command."""
    top = click.Context(program, info_name="pennyweight", max_content_width=88, terminal_width=88)
    lines = ["# Command line", "", "```text", program.get_help(top), "```"]
    for name in program.list_commands(top):
        command = program.get_command(top, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=top)
        lines += ["", f"## pennyweight {name}", "", "```text", command.get_help(context), "```"]
    return "\n".join(lines) + "\n"
