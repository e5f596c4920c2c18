"""Equals: candidates whose costs are the same on every shared instance are raced as one.

Whatever the rule, whoever cannot be told from another is merged before the rule is asked: an
inactive parameter, or a flag without effect, makes two configurations one. Two candidates are
merged when they have the same cost on every instance that both have seen, failures included, and

- that is no chance: more than 4 of these instances tell something, and together they make it
  improbable, at level .001 over all pairs, that the two agree by accident. An instance tells
  something if the cost is finite and somebody did worse; it then counts as −ln of the share of the
  other candidates with that very cost, 2 at most. So shared timeouts, and instances on which
  everybody ties, are no evidence; or
- all survivors have agreed on 20 instances with finite costs: nobody is left to differ.

And a race of which the last 20 instances have all gone alike, cost by cost, is over for all but the
leader: a deterministic target on an instance that is repeated has nothing new to say.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.objective import standing
from racing.results import Results
from racing.rules.rule import Outlook, Rule
from racing.rules.verdict import Elimination, Reason, Verdict, elimination

Floats = NDArray[np.float64]

FEWEST = 4
"""Two candidates are merged on more instances than this that tell something."""

AGREED = 20
"""Instances after which survivors who always agree, or instances that never differ, are enough."""

_LEVEL = 1e-3
"""Chance at which any two of the candidates that differ agree so often."""

_MOST = 2.0
"""What one instance can count: candidates that differ may still be alike on easy ones."""


def judged(rule: Rule, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
    """What the rule says of those who can be told apart, and who cannot be.

    A rule with a true attribute `merges_equals` is asked about all.
    """
    if getattr(rule, "merges_equals", False):
        return rule(results, outlook, rng)
    if len(results.survivors) < 2 or len(results.block) == 0:
        return rule(results, outlook, rng)
    merged = equals(results) or repeated(results, outlook)
    if not merged:
        return rule(results, outlook, rng)
    gone = {e.candidate for e in merged}
    left = np.array([c for c in results.survivors if results.candidates[c] not in gone])
    rest = replace(results, survivors=left)
    if len(left) == 1:
        return Verdict(instances=len(rest.block), leader=rest.id(0), eliminated=merged)
    verdict = rule(rest, outlook, rng)
    return replace(verdict, eliminated=(*merged, *verdict.eliminated))


def equals(results: Results) -> tuple[Elimination, ...]:
    """Who is the same as another survivor, who stays: of each group the first to have entered."""
    block = results.block
    groups = [group for group in _identical(block) if len(group) > 1]
    if not groups:
        return ()
    m = len(results.candidates)
    least = math.log(m * (m - 1) / 2 / _LEVEL)
    finite = int(np.isfinite(block).all(axis=1).sum())
    nobody_else = len(groups[0]) == block.shape[1] and finite >= AGREED
    out: list[Elimination] = []
    for group in groups:
        evidence, rows = _evidence(results, group)
        if nobody_else or (rows > FEWEST and evidence > least):
            out += _merged(
                results, group, rows=finite if nobody_else else rows, evidence=evidence,
                least=AGREED - 1 if nobody_else else FEWEST,
            )  # fmt: skip
    return tuple(out)


def repeated(results: Results, outlook: Outlook) -> tuple[Elimination, ...]:
    """Everybody but the leader, once the last instances have all gone alike, cost by cost."""
    block = results.block
    if len(block) < AGREED or not np.isfinite(block[-1]).all():
        return ()
    same = (block == block[-1]).all(axis=1)
    times = len(block) if same.all() else int(np.argmin(same[::-1]))
    if times < AGREED:
        return ()
    order = standing(results, outlook.objective)
    return tuple(
        elimination(
            results,
            i,
            order[0],
            reason=Reason.NOT_WORTHWHILE,
            measure="instances that went alike",
            value=times,
            threshold=AGREED - 1,
            statistic=block[-1, i] - block[-1, order[0]],
        )
        for i in order[:0:-1]
    )


def _identical(block: Floats) -> list[list[int]]:
    """Groups of equal columns, each in order."""
    groups: dict[bytes, list[int]] = {}
    for i, column in enumerate(np.ascontiguousarray(block.T) + 0.0):  # −0 is 0
        groups.setdefault(column.tobytes(), []).append(i)
    return list(groups.values())


def _evidence(results: Results, group: list[int]) -> tuple[float, int]:
    """How improbable it is, in −ln, that the group agrees by chance, and on how many instances."""
    shared = results.shared
    cost = results.block[:, [group[0]]]
    ran = ~np.isnan(shared)
    others = ran.sum(axis=1) - len(group)
    alike = (shared == cost).sum(axis=1) - len(group)
    tells = np.isfinite(cost[:, 0]) & (ran & (shared > cost)).any(axis=1)
    surprise = np.minimum(-np.log((alike + 1) / (others + 1)), _MOST)
    return float(surprise[tells].sum()), int(tells.sum())


def _merged(
    results: Results, group: list[int], *, rows: int, evidence: float, least: int
) -> list[Elimination]:
    return [
        elimination(
            results,
            i,
            group[0],
            reason=Reason.INDISTINGUISHABLE,
            measure="identical instances",
            value=rows,
            threshold=least,
            statistic=evidence,
        )
        for i in group[:0:-1]
    ]
