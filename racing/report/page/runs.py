"""A comparison of runs as the data of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from racing.analysis.compare.profiles.data import Profiles
from racing.analysis.compare.unpaired.comparison import RunComparison
from racing.analysis.compare.unpaired.report import subject
from racing.analysis.compare.words import count, findings
from racing.base.words import refer
from racing.report.page.data import page
from racing.report.pictures.picture import Picture, picture, table
from racing.report.pictures.ranks import heat, mean_ranks
from racing.report.pictures.runs import every_run, profile_pictures


def run_comparison_data(
    found: RunComparison, *, name: str, profiles: Profiles | None = None
) -> dict[str, Any]:
    """The data of a page: findings, every run, effects, and profiles if there are any."""
    made = sum(one.family.first.size for one in found.problems)
    clear = sum(int(one.significant.sum()) for one in found.problems)
    return page(
        name=name,
        state=subject(found),
        made=f"{found.table.direction} scores; level {found.choices.alpha:g}.",
        headline=_headline(found),
        sentences=_sentences(found),
        figures={
            "Algorithms": str(len(found.names)),
            "Problems": str(len(found.problems)),
            "Runs": str(int(found.table.sizes.sum())),
            "Pairs shown to differ": f"{clear} of {made}",
        },
        pictures=(
            every_run(found),
            by_problem(found) if found.over else mean_ranks(found.only),
            _comparisons(found, made),
            *(() if profiles is None else profile_pictures(profiles)),
        ),
    )


def _headline(found: RunComparison) -> str:
    if found.over is None:
        return f"{refer(found.names[found.only.order[0]])} has the best mean rank."
    best = int(found.over.effects.effects.argmax())
    return f"{refer(found.names[best])} has the largest relative effect over the problems."


def _sentences(found: RunComparison) -> Iterator[str]:
    """What was found; of several problems the number of pairs and the leader of each."""
    if found.over is None:
        yield from findings(found.only)
        return
    for one in found.problems:
        said = findings(one)
        yield f"{one.problem}: {' '.join(dict.fromkeys((said[0], said[-1])))}"


@picture("effects-by-problem", "Relative effects by problem")
def by_problem(found: RunComparison) -> Picture:
    """The chance to be better than a run of an algorithm drawn at random, 0.5 if all are equal. A
    dark cell is a good one; a row that is dark throughout is good everywhere.
    """
    assert found.over is not None
    mean = found.over.effects.effects
    order = sorted(range(len(found.names)), key=lambda i: (-mean[i], i))
    effects = np.array([one.relative.effects[order] for one in found.problems]).T
    names, problems = [refer(found.names[i]) for i in order], list(map(refer, found.table.problems))
    return Picture(
        sentence=f"{count(len(names), 'algorithm')} on {len(problems)} problems.",
        figure=heat(names, problems, 1 - effects, effects, "relative effect", of="algorithm",
                    instance="problem"),
        table=table(
            ("problem", "algorithm", "relative effect", "from", "to"),
            (
                (refer(one.problem), refer(one.names[i]), *(float(x[i]) for x in
                 (one.relative.effects, one.relative.low, one.relative.high)))
                for one in found.problems for i in one.order
            ),
        ),
    )  # fmt: skip


def _comparisons(found: RunComparison, made: int) -> Picture:
    """All comparisons as a table."""
    rows = (
        (refer(one.problem), refer(one.names[one.family.first[k]]),
         refer(one.names[one.family.second[k]]),
         *(float(x[k]) for x in (one.effects.a, one.effects.a_low, one.effects.a_high)),
         float(one.family.adjusted[k]))
        for one in found.problems for k in range(one.family.first.size)
    )  # fmt: skip
    return Picture(
        id="comparisons",
        title="Comparisons",
        sentence=f"{count(made, 'comparison')}; A is the chance that a run of the first is better.",
        table=table(("problem", "first", "second", "A", "from", "to", "adjusted p"), rows),
    )
