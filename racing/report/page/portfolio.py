"""A team as the data of a page."""

from __future__ import annotations

from typing import Any

from racing.analysis.portfolio import Portfolio
from racing.base.words import number, refer
from racing.report.page.data import page
from racing.report.pictures.team import team_pictures
from racing.report.portfolio_words import team_sentences


def team_page(found: Portfolio, *, name: str) -> dict[str, Any]:
    """The data of a team's page: the answer, and three pictures."""
    members, known = len(found.members), found.known
    return page(
        name=name,
        state=f"{len(known.candidates)} candidates on {len(known.instances)} instances",
        made=f"{known.direction} {known.objective}",
        headline=f"A team of {members}." if members > 1 else "One candidate.",
        sentences=team_sentences(found),
        figures={
            "Members": str(members),
            "Single best": refer(found.single),
            "Gain": number(found.size.gain.mean, 4),
            "Instances": str(len(known.instances)),
            "Candidates": str(len(known.candidates)),
        },
        pictures=team_pictures(found),
    )
