"""A team as the data of a page."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from racing.analysis.portfolio.choice import Portfolio
from racing.base.words import number, refer
from racing.report.page.data import page
from racing.report.pictures.team import team_pictures
from racing.report.portfolio_words import team_sentences, worth
from racing.report.run_tables import team_table
from racing.report.use_forms import forms_of


def team_page(found: Portfolio, *, name: str) -> dict[str, Any]:
    """The data of a team's page: the answer, the members, what to copy, and two pictures."""
    members, known = len(found.members), found.known
    use = forms_of(known.scenario.to_dict(), [one.candidate for one in found.members])
    return page(
        name=name,
        state=f"{len(known.candidates)} candidates on {len(known.instances)} instances",
        made=f"{known.direction} {known.objective}",
        headline=f"A team of {members}." if members > 1 else "One candidate.",
        sentences=team_sentences(found),
        figures={
            "Members": str(members),
            "Single best": refer(found.single),
            "Gain": number(worth(found.size.gain, found).mean, 4),
            "Instances": str(len(known.instances)),
            "Candidates": str(len(known.candidates)),
        },
        tables=[team_table(found.members, len(known.instances))],
        pictures=team_pictures(found),
        use=[asdict(one) for one in use],
        use_title="The configurations of the team",
    )
