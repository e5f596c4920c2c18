"""What another decision between the default and what was found costs, beside the stored runs.

A search's way to what it finds does not depend on the decision, so only stored runs of which the
probability was near the risk are run anew; all others count as decided likewise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.search_lab.measure import Run, run
from benchmarks.search_lab.tables import by_landscape, difference, mean_and_error

OPEN = 0.003, 0.2
"""Stored probabilities between these are looked at anew, for a risk of .05."""


def rows(
    stored: Sequence[Run],
    families: Sequence[str],
    landscapes: Sequence[int],
    seeds: Sequence[int],
    budgets: Sequence[int],
) -> Iterator[str]:
    """A table: regret as it is decided now less as stored, paired, with errors over landscapes."""
    yield f"| evaluations | runs | run anew | decided otherwise | {' | '.join(families)} | mean |"
    yield f"| ---: |{' ---: |' * (4 + len(families))}"
    asked = set(families), set(landscapes), set(seeds)
    for budget in budgets:
        before = [
            one
            for one in stored
            if one.budget == budget
            and all(
                own in each
                for own, each in zip((one.family, one.landscape, one.seed), asked, strict=True)
            )
        ]
        now = [_anew(one) if OPEN[0] < one.worse < OPEN[1] else one for one in before]
        new = sum(one is not other for one, other in zip(now, before, strict=True))
        turned = sum(one.kept != other.kept for one, other in zip(now, before, strict=True))
        apart = difference(by_landscape(now, budget), by_landscape(before, budget))
        cells = [_signed(*mean_and_error({name: apart[name]})) for name in families]
        cells.append(_signed(*mean_and_error(apart)))
        yield f"| {budget} | {len(before)} | {new} | {turned} | {' | '.join(cells)} |"


def _anew(stored: Run) -> Run:
    """The same search, as it decides now."""
    found = run(stored.family, stored.landscape, budget=stored.budget, seed=stored.seed)
    if abs(found.truth - stored.truth) > 1e-4:
        raise ValueError(
            f"{stored.family}, landscape {stored.landscape}, seed {stored.seed}, {stored.budget} "
            "evaluations: the search finds another configuration than the stored one did; store "
            "the runs anew by `python -m benchmarks.search_lab run`"
        )
    return found


def _signed(mean: float, error: float) -> str:
    return f"{round(mean, 3) + 0.0:+.3f} ({error:.3f})"  # without -0.000
