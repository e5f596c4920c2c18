"""Merges equals: candidates with the same cost on every shared instance.

Before every rule, candidates that are indistinguishable from another are dropped: an inactive
parameter, or a flag without effect, makes two configurations equal. Two candidates are merged if
they have the same cost on every instance that both have seen, failures included, and

- this is not by chance: more than 4 of these instances are informative, and together they reject,
  at level .001 over all pairs, that the two agree by accident. An instance is informative if the
  cost is finite and another candidate is worse. It then counts −ln of the chance that a different
  candidate has this cost: the share of the other candidates with this cost. So shared timeouts, and
  instances on which all tie, are no evidence. Instances with the same cost of the two count 2 at
  most, together: of two candidates, one may solve all that the other solves and a little more, and
  for long both are right or both are wrong. Measured costs hardly ever repeat; or
- all survivors agree on instances with 20 different finite costs; or with 10, and on so many that
  survivors that differ on 3 % of the instances would agree by accident at level .001. If p is the
  share of a cost among the instances, n of them count as n(1 − Σp²): those whose cost tells them
  from another one.

Costs with few levels, such as right and wrong, never meet these conditions: the rule decides. All
instances that the two have seen count, even if a survivor that joined later has not seen them.

If the same problem repeats with the same seed, and the last 20 instances had equal costs, candidate
by candidate, all but the leader are dropped: no new information will come. Equal costs alone do not
show that: candidates that are right in 95 % can have the same costs on 20 instances of new
problems, or of one problem with new seeds.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.core.objective import standing
from racing.core.results import Results
from racing.core.verdict import Elimination, Reason, Verdict, eliminations, verdict_on
from racing.rules.rule import Outlook, Rule

Floats = NDArray[np.float64]

FEWEST = 4
"""Merging needs more informative instances than this."""

AGREED = 20
"""Enough different costs on which all survivors agree, or enough instances with equal costs."""

LEVELS = 10
"""Enough different costs for instances with equal costs to count."""

_SHARE = 0.03
"""Survivors that differ on a smaller share of the instances may be merged."""

_LEVEL = 1e-3
"""The level over all pairs of the test for agreement by accident."""

_MOST = 2.0
"""The most that one cost counts, however often it repeats: different candidates may share it."""


def judged(rule: Rule, results: Results, outlook: Outlook, rng: np.random.Generator) -> Verdict:
    """The verdict of the rule on distinguishable candidates, with the merged ones added.

    A rule with a true attribute `merges_equals` gets all candidates, and so does any rule where
    more than one cost counts.
    """
    if getattr(rule, "merges_equals", False) or outlook.goal != "single":
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
        return verdict_on(rest, 0, merged)
    verdict = rule(rest, outlook, rng)
    return replace(verdict, eliminated=(*merged, *verdict.eliminated))


def next_drop(rule: Rule, results: Results, outlook: Outlook) -> float:
    """The fewest instances after which `judged` may drop one of these survivors.

    Parameters
    ----------
    results, outlook
        After a closed instance, and the tests that are due.

    Returns
    -------
    inf if it drops none whatever comes; 0 if the next test may.
    """
    own = getattr(rule, "next_drop", None)
    if own is None:
        return 0
    merges = outlook.goal == "single" and not getattr(rule, "merges_equals", False)
    if merges and outlook.recurring:
        return 0
    if merges and len(_identical(results.block)) < len(results.survivors):
        return 0  # different costs on an instance rule out that two survivors are merged
    found: float = own(results, outlook)
    return found


def equals(results: Results) -> tuple[Elimination, ...]:
    """Eliminations of equals; the first to enter of each group stays."""
    block = results.block
    m = len(results.candidates)
    least = math.log(m * (m - 1) / 2 / _LEVEL)
    out: list[Elimination] = []
    for alike in _identical(block):
        different = _different(block[:, alike[0]]) if len(alike) > 1 else 0
        if _MOST * different <= least and different < AGREED:
            continue  # whatever the others cost
        group = _everywhere(results, alike)
        evidence, rows = _evidence(results, group)
        signs: list[tuple[int, float]] = [(rows, FEWEST)] if evidence > least else []
        if len(group) == block.shape[1]:  # there are no others
            signs.insert(0, (different, AGREED - 1))
            if different >= LEVELS:
                signs.append((_told_apart(block[:, alike[0]]), least / _SHARE))
        shown = [sign for sign in signs if sign[0] > sign[1]]
        if len(group) > 1 and shown:
            why, gone = Reason.INDISTINGUISHABLE, group[:0:-1]
            out += eliminations(
                results, gone, group[0], "identical instances", *shown[0], evidence, why
            )
    return tuple(out)


def repeated(results: Results, outlook: Outlook) -> tuple[Elimination, ...]:
    """Eliminations of all but the leader, if a recurring instance had equal costs often enough."""
    block = results.block
    if not outlook.recurring or len(block) < AGREED or not np.isfinite(block[-1]).all():
        return ()
    same = (block == block[-1]).all(axis=1)
    times = len(block) if same.all() else int(np.argmin(same[::-1]))
    if times < AGREED:
        return ()
    order = standing(results, outlook.objective)
    apart = block[-1] - block[-1, order[0]]
    out, why, measure = order[:0:-1], Reason.NOT_WORTHWHILE, "instances that went alike"
    return eliminations(results, out, order[0], measure, times, AGREED - 1, apart, why)


def _identical(block: Floats) -> list[list[int]]:
    """Groups of equal columns, each in order."""
    groups: dict[bytes, list[int]] = {}
    for i, column in enumerate(np.ascontiguousarray(block.T) + 0.0):  # −0 is 0
        groups.setdefault(column.tobytes(), []).append(i)
    return list(groups.values())


def _everywhere(results: Results, group: list[int]) -> list[int]:
    """The members that equal the first of the group on every instance that both have seen."""
    columns = results.costs[:, results.survivors[group]]
    both = ~np.isnan(columns) & ~np.isnan(columns[:, :1])
    apart = (both & (columns != columns[:, :1])).any(axis=0)
    return [i for i, differs in zip(group, apart, strict=True) if not differs]


def _different(costs: Floats) -> int:
    """The number of different finite costs."""
    return len(np.unique(costs[np.isfinite(costs)]))


def _told_apart(costs: Floats) -> int:
    """n(1 − Σp²) for the n finite costs, where p is the share of each different one."""
    counts = np.unique(costs[np.isfinite(costs)], return_counts=True)[1]
    n = int(counts.sum())
    return int(n - (counts * counts).sum() / n)


def _evidence(results: Results, group: list[int]) -> tuple[float, int]:
    """−ln of the probability that the group agrees by chance, and the number of instances."""
    shared = results.shared
    cost = results.block[:, [group[0]]]
    ran = ~np.isnan(shared)
    others = ran.sum(axis=1) - len(group)
    alike = (shared == cost).sum(axis=1) - len(group)
    tells = np.isfinite(cost[:, 0]) & (ran & (shared > cost)).any(axis=1)
    _, level = np.unique(cost[:, 0], return_inverse=True)
    chance = (alike + 1) / (others + 1)
    by_cost = np.bincount(level[tells], weights=-np.log(chance[tells]))
    return float(np.minimum(by_cost, _MOST).sum()), int(tells.sum())
