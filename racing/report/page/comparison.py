"""A finished table of results as the data of a page."""

from __future__ import annotations

from typing import Any

from racing.analysis.compare import Comparison
from racing.analysis.compare.profiles.data import Profiles
from racing.analysis.compare.words import count, findings, subject
from racing.base.words import refer, shown
from racing.report.page.data import drawn
from racing.report.pictures.picture import Picture, plain, table
from racing.report.pictures.ranks import comparison_ranks, mean_ranks
from racing.report.pictures.runs import profile_pictures


def comparison_data(
    found: Comparison, *, name: str, profiles: Profiles | None = None
) -> dict[str, Any]:
    """The data of a comparison's page: findings, diagram, ranks by instance, effects."""
    more = [] if profiles is None else profile_pictures(profiles)
    best = refer(found.names[found.order[0]])
    return {
        "run": {
            "name": refer(name),
            "state": shown(subject(found), 400),
            "advice": "",
            "made": f"{found.table.direction} scores; level {found.choices.alpha:g}.",
        },
        "summary": {
            "headline": f"{best} has the best mean rank.",
            "sentences": [shown(text, 600) for text in findings(found)],
            "figures": {
                "Algorithms": str(found.table.m),
                "Instances": str(found.table.n),
                "Best": best,
                "Pairs compared": str(len(found.family.first)),
            },
        },
        **drawn([mean_ranks(found), comparison_ranks(found), _effects(found), *more]),
    }


def _effects(found: Comparison) -> Picture:
    """All comparisons as a table; there is nothing that a chart would show better."""
    effects, family = found.effects, found.family
    return Picture(
        id="comparisons",
        title="Comparisons",
        sentence=f"{count(len(family.first), 'comparison')}, with the sizes of the differences.",
        table=table(
            ("first", "second", "wins", "ties", "losses", "difference", "from", "to", "adjusted p"),
            (
                (
                    refer(found.names[family.first[k]]),
                    refer(found.names[family.second[k]]),
                    int(effects.wins[k]),
                    int(effects.ties[k]),
                    int(effects.losses[k]),
                    *(plain(float(x[k])) for x in (effects.difference, effects.low, effects.high)),
                    plain(float(family.adjusted[k])),
                )
                for k in range(len(family.first))
            ),
        ),
    )
