"""A test of a run's result on unseen problems: the facts, which `--json` prints, and a document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from racing.answer.document import Document, Part, Sentences, TextTable, table
from racing.answer.place import Place
from racing.answer.tested import UnseenTest, headline, sentences
from racing.base.words import number
from racing.core.candidate import Candidate
from racing.log import Header, SQLiteLog
from racing.report.facts import unit_of
from racing.report.families import ByFamily, family_sentences, family_table, unseen_by_family
from racing.report.run import UnseenReport
from racing.report.run_tables import front_gains


def unseen_report(log: Path, found: UnseenTest, *, by: str | None = None) -> UnseenReport:
    """A test as it is told, also by family."""
    header, families = _header(log), None
    first: tuple[str, ...] = ()
    unit, folder = unit_of(header), str(header.scenario.get("folder") or "")
    found = replace(found, gains=tuple(replace(one, unit=unit) for one in found.gains))
    if found.kind == "winner":
        families, first = unseen_by_family(found, by=by, folder=folder), (headline(found),)
    said = (*first, *sentences(found), *family_sentences(families))
    return _report(log, header, said, found, families)


def nothing_to_test(log: Path, winner: Candidate) -> UnseenReport:
    """The same where the winner is the candidate that it would be compared with."""
    said = (
        f"The winner is {winner} itself, the default or the first candidate: nothing better was "
        "found, so there is nothing to test. --against NAME compares it with another candidate."
    )
    return _report(log, _header(log), (said,))


def _header(log: Path) -> Header:
    with SQLiteLog.open(log, write=False) as book:
        return book.header


def _report(
    log: Path, header: Header, said: tuple[str, ...], tested: UnseenTest | None = None,
    families: ByFamily | None = None,
) -> UnseenReport:  # fmt: skip
    return UnseenReport(
        run=str(log), direction=header.direction, unit=unit_of(header), sentences=said,
        tested=tested, families=families,
    )  # fmt: skip


def tested(told: UnseenReport) -> Document:
    """A test as a document: its sentences, the means, and the tables of a front and of families."""
    found = told.tested
    if found is None:
        return [Sentences(told.sentences)]
    means = [f"{one.candidate}: {_mean_of(one, told.unit)}" for one in found.means]
    document: list[Part] = [
        Sentences((*told.sentences, *(means if found.kind == "winner" else ()))),
        *family_table(told.families),
    ]
    if found.kind == "front":
        document += [_front_means(found), *front_gains(found.gains)]
    return document


def _mean_of(one: Place, unit: str) -> str:
    means = [f"mean {name} {number(mean)}" for name, mean in one.metrics.items()]
    mean = ", ".join(means) or f"mean {number(one.mean)}{f' {unit}' if unit else ''}"
    return f"{mean}{f', {one.failures} failed' if one.failures else ''}"


def _front_means(found: UnseenTest) -> TextTable:
    metrics = list(found.means[0].metrics)
    return table(
        "means",
        "Means there",
        ("candidate", *(f">{name}" for name in metrics), ">failed", ""),
        (
            (one.candidate, *(one.metrics[name] for name in metrics), one.failures,
             _on_front(found, one.candidate))
            for one in found.means
        ),
    )  # fmt: skip


def _on_front(found: UnseenTest, one: Candidate) -> str:
    words = ["best compromise of the run"] if one.id == found.best else []
    return ", ".join([*words, *([] if one.id in found.undominated else ["dominated here"])])
