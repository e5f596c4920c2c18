"""A comparison of runs as the data of a page."""

from __future__ import annotations

from typing import Any

import numpy as np

from racing.analysis.compare.profiles.data import Profiles
from racing.analysis.compare.unpaired.comparison import RunComparison
from racing.analysis.compare.unpaired.report import subject
from racing.analysis.compare.words import count, findings
from racing.report.names import refer, shown
from racing.report.page.data import drawn
from racing.report.pictures.picture import Picture, plain, table
from racing.report.pictures.ranks import heat, mean_ranks
from racing.report.pictures.runs import every_run, profile_pictures


def run_comparison_data(
    found: RunComparison, *, name: str, profiles: Profiles | None = None
) -> dict[str, Any]:
    """The data of a page: findings, every run, effects, and profiles if there are any."""
    pictures = [
        every_run(found),
        *([_by_problem(found)] if found.over else []),
        *([] if found.over else [mean_ranks(found.only)]),
        _comparisons(found),
        *([] if profiles is None else profile_pictures(profiles)),
    ]
    return {
        "run": {
            "name": refer(name),
            "state": shown(subject(found), 400),
            "advice": "",
            "made": f"{found.table.direction} scores; level {found.choices.alpha:g}.",
        },
        "summary": {
            "headline": _headline(found),
            "sentences": _sentences(found),
            "figures": {
                "Algorithms": str(len(found.names)),
                "Problems": str(len(found.problems)),
                "Runs": str(int(found.table.sizes.sum())),
                "Pairs shown to differ": _shown(found),
            },
        },
        **drawn(pictures),
    }


def _headline(found: RunComparison) -> str:
    if found.over is None:
        return f"{refer(found.names[found.only.order[0]])} has the best mean rank."
    best = int(found.over.effects.effects.argmax())
    return f"{refer(found.names[best])} has the largest relative effect over the problems."


def _sentences(found: RunComparison) -> list[str]:
    """What was found; of several problems the number of pairs and the leader of each."""
    if found.over is None:
        return [shown(text, 600) for text in findings(found.only)]
    return [
        shown(f"{one.problem}: {' '.join(dict.fromkeys((said[0], said[-1])))}", 600)
        for one in found.problems
        for said in [findings(one)]
    ]


def _shown(found: RunComparison) -> str:
    made = sum(one.family.first.size for one in found.problems)
    return f"{sum(int(one.significant.sum()) for one in found.problems)} of {made}"


def _by_problem(found: RunComparison) -> Picture:
    """Relative effects by problem as a heat map."""
    assert found.over is not None
    mean = found.over.effects.effects
    order = sorted(range(len(found.names)), key=lambda i: (-mean[i], i))
    effects = np.array([one.relative.effects[order] for one in found.problems]).T
    return Picture(
        id="effects-by-problem",
        title="Relative effects by problem",
        sentence=f"{count(len(found.names), 'algorithm')} on {len(found.problems)} problems.",
        reading=(
            "The chance to be better than a run of an algorithm drawn at random, 0.5 if all are "
            "equal. A dark cell is a good one; a row that is dark throughout is good everywhere."
        ),
        figure=heat(
            [refer(found.names[i]) for i in order],
            [refer(problem) for problem in found.table.problems],
            1 - effects, effects, "relative effect", of="algorithm", instance="problem",
        ),
        table=table(
            ("problem", "algorithm", "relative effect", "from", "to"),
            (
                (refer(one.problem), refer(one.names[i]), *(plain(float(x[i])) for x in
                 (one.relative.effects, one.relative.low, one.relative.high)))
                for one in found.problems for i in one.order
            ),
        ),
    )  # fmt: skip


def _comparisons(found: RunComparison) -> Picture:
    """All comparisons as a table."""
    made = sum(one.family.first.size for one in found.problems)
    return Picture(
        id="comparisons",
        title="Comparisons",
        sentence=f"{count(made, 'comparison')}; A is the chance that a run of the first is better.",
        table=table(
            ("problem", "first", "second", "A", "from", "to", "adjusted p"),
            (
                (
                    refer(one.problem),
                    refer(one.names[one.family.first[k]]),
                    refer(one.names[one.family.second[k]]),
                    *(plain(float(x[k])) for x in
                      (one.effects.a, one.effects.a_low, one.effects.a_high)),
                    plain(float(one.family.adjusted[k])),
                )
                for one in found.problems for k in range(one.family.first.size)
            ),
        ),
    )  # fmt: skip
