"""A finished table of results as the data of a page."""

from __future__ import annotations

from typing import Any

import numpy as np

from racing.analysis.compare import Comparison
from racing.analysis.compare.profiles.data import Profiles
from racing.analysis.compare.words import count, findings, subject
from racing.base.quantities import score_of
from racing.report.matrices import Matrices, ranks_among_those_that_ran
from racing.report.names import refer
from racing.report.page.data import plain_picture
from racing.report.pictures.diagram import of_comparison
from racing.report.pictures.picture import Picture, plain, short, shown, table
from racing.report.pictures.profiles import profile_pictures
from racing.report.pictures.ranks import CELLS


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
        "people": {"names": {}, "fates": {}},
        "instances": [],
        "pictures": [
            plain_picture(one)
            for one in (
                of_comparison(found, title="Mean ranks"),
                _ranks(found),
                _effects(found),
                *more,
            )
        ],
    }


def _ranks(found: Comparison) -> Picture:
    costs = found.table.costs
    order = list(found.order)[: max(CELLS // max(len(costs), 1), 20)]
    matrices = Matrices(
        ids=tuple(range(found.table.m)), costs=costs, ranks=ranks_among_those_that_ran(costs)
    )
    direction = found.table.direction
    return Picture(
        id="ranks",
        title="Ranks by instance",
        sentence=f"{count(found.table.m, 'algorithm')} on {count(found.table.n, 'instance')}.",
        reading=(
            "A dark cell is the best result on that instance, a pale one the worst. A row that is "
            "dark throughout is good everywhere. Orange marks a failure."
        ),
        chart="heat",
        data={
            "names": [refer(found.names[i]) for i in order],
            "instances": [refer(one) for one in found.table.instances],
            "rows": [
                {
                    "at": None,
                    "places": [round(100 * float(p)) for p in matrices.relative[:, i]],
                    "scores": [short(score_of(float(c), direction), 4) for c in costs[:, i]],
                }
                for i in order
            ],
        },
        table=table(
            ("algorithm", "mean rank", "mean score"),
            (
                (
                    refer(found.names[i]),
                    short(float(found.mean_ranks[i]), 4),
                    short(float(np.ravel(found.table.means)[i])),
                )
                for i in found.order
            ),
        ),
    )


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
