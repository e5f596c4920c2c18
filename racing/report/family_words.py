"""The gain by family in words and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from racing.base.words import listed, number, percent
from racing.report.families import ByFamily
from racing.report.family_rows import FamilyGain
from racing.report.names import refer
from racing.report.pair_data import Data

_MOST = 6
"""Families that a sentence names."""


def family_sentences(found: ByFamily | None) -> Iterator[str]:
    """The families where the winner is better, worse, or not shown to differ."""
    if found is None:
        return
    yield f"By family, {_where(found)} ({percent(found.level)} for all {len(found.rows)} together)."
    name, against = refer(found.winner), refer(found.against)
    for row in found.rows:
        if row.evidence == "worse":
            what = _loss(row, name, against, found.measure)
            yield f"On {refer(row.family)} keep {against}: there {what}{_caveat(found)}."


def _where(found: ByFamily) -> str:
    name, against = refer(found.winner), refer(found.against)
    words = (
        ("better", f"{name} is better than {against} on"),
        (
            "worse",
            f"{name} is worse on"
            if _any(found, "better")
            else f"{name} is worse than {against} on",
        ),
        ("open", "nothing is shown on"),
        ("few", "there are too few instances of"),
    )
    parts = []
    for evidence, said in words:
        families = [refer(row.family) for row in found.rows if row.evidence == evidence]
        if families:
            parts.append(f"{said} {listed(families, _MOST)}")
    return "; ".join(parts)


def _any(found: ByFamily, evidence: str) -> bool:
    return any(row.evidence == evidence for row in found.rows)


def _loss(row: FamilyGain, name: str, against: str, measure: str) -> str:
    if row.winner_failures > row.against_failures:
        own, other = row.winner_failures, row.against_failures
        return f"{name} failed on {own} and {against} on {other} of {row.instances}"
    if row.gain is None or row.low is None or row.high is None:
        return f"{name} is better on {row.wins} and worse on {row.losses}"
    ends = f"interval {number(-row.high, 4)} to {number(-row.low, 4)}"
    return f"{name} loses {number(-row.gain, 4)} ({measure}; {ends})"


def _caveat(found: ByFamily) -> str:
    return "" if found.fresh else ", though it was also chosen on these instances"


def family_data(found: ByFamily | None) -> Data | None:
    """The gain by family as plain data; None where there is none."""
    if found is None:
        return None
    return {
        "winner": str(found.winner),
        "against": str(found.against),
        "level": found.level,
        "measure": found.measure,
        "chosen_on_these_instances": not found.fresh,
        "families": [
            {**asdict(row), "ahead": None if row.ahead is None else str(row.ahead)}
            for row in found.rows
        ],
    }
