"""Assembles a study's page."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from pennyweight.report.data import ReportData, Row
from pennyweight.report.numbers import count, listed
from pennyweight.report.studies.analyses import SECTION, analyses, module_of
from pennyweight.report.studies.section import Section
from pennyweight.report.studies.view import StudyView, latest_campaigns


@dataclass(frozen=True, slots=True)
class StudyPage:
    """A page: its file, title, introduction, sections, and missing results."""

    file: str
    title: str
    about: str
    reference: str
    traits: list[tuple[str, str]]
    remarks: list[str]
    sections: list[tuple[str, Section]]


def study_page(study: str) -> str:
    """The file name of a study's page."""
    return f"study-{study}.html"


def pages_of(data: ReportData) -> list[tuple[str, str]]:
    """File name and short title of each study's page, for the navigation."""
    return [
        (study_page(view.id), view.short_title)
        for view in (StudyView(data, record) for record in latest_campaigns(data.campaigns))
    ]


def write_pages(data: ReportData) -> list[StudyPage]:
    """The pages of all studies in the results."""
    return [_page(StudyView.open(data, record)) for record in latest_campaigns(data.campaigns)]


def _page(view: StudyView) -> StudyPage:
    record = view.record
    found = []
    known = analyses()
    for name in record.get("shows", []):
        if name not in known:
            continue  # of another version of Pennyweight
        module = import_module(f"pennyweight.{module_of(name)}")
        section: Section | None = getattr(module, SECTION)(view)
        if section is not None:
            found.append((str(name), section))
    return StudyPage(
        file=study_page(view.id),
        title=view.title,
        about=" ".join(str(record.get("about", "")).split()),
        reference=str(record.get("reference", "")),
        traits=_traits(view),
        remarks=_remarks(view, record),
        sections=found,
    )


def _traits(view: StudyView) -> list[tuple[str, str]]:
    (facts,) = view.query(
        """
        SELECT count(*) FILTER (status = 'ok') AS measured,
               count(DISTINCT algorithm) AS algorithms,
               count(DISTINCT (algorithm, implementation)) AS implementations
        FROM study_rows
        """
    )
    return [
        ("Boards", str(len(view.boards))),
        ("Algorithms", f"{facts['algorithms']:,}"),
        ("Implementations", f"{facts['implementations']:,}"),
        ("Flags", listed([str(each) for each in view.record.get("flags", [])])),
        ("Measurements", f"{facts['measured']:,}"),
    ]


def _remarks(view: StudyView, record: Row) -> list[str]:
    """Notes about missing results."""
    found = []
    if record.get("quick"):
        found.append(
            "This is the quick subset of the study; without --quick, "
            f"pennyweight run --study {view.id} measures the whole study."
        )
    found += [
        f"Board {each['board']} was skipped: {each['reason']}." for each in record.get("absent", [])
    ]
    found += [
        f"{each['library']} was skipped: {each['reason']}."
        for each in record.get("unreachable", [])
    ]
    unknown = [str(each) for each in record.get("unknown", [])]
    if unknown:
        found.append(
            f"The study also names algorithms without a bundled implementation: {listed(unknown)}."
        )
    (gaps,) = view.query("SELECT count(*) AS n FROM study_rows WHERE status != 'ok'")
    if gaps["n"]:
        found.append(
            f"{count(gaps['n'], 'case')} could not be measured; “Not measured” lists the reasons."
        )
    return found
