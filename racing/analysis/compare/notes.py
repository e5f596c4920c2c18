"""What to keep in mind about a comparison: when each caveat is due, and its facts.

A table has for each kind of note its facts if the note is due, or that it is, if it has none.
`sentences.toml` has the sentences into which they are put. Facts that begin with _ are for these
alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from racing.analysis.compare.methods import CORRECTIONS, listed, option, sentence
from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Note
from racing.answer.document import quoted
from racing.base.quantities import MOST_COST
from racing.base.words import listed as listed_words
from racing.base.words import number
from racing.stats.friedman import friedman
from racing.stats.pool import Correction, pool_dependence
from racing.stats.rank_sums import kruskal

if TYPE_CHECKING:
    from racing.analysis.compare.comparison import Comparison, RunComparison
    from racing.analysis.compare.front import MetricComparison

Facts: TypeAlias = Mapping[str, Any] | None
When: TypeAlias = dict[str, Callable[[Any], Any]]

FEW = 10  # runs below which tests and intervals are too bold or blind; instances for means
_PAIRED = 0.005  # p-value below which scores in the same place go together
_SPREADS = 0.05  # p-value below which spreads are said to differ
_LEAST = 5  # runs in which pairing or spreads can be seen
_PILE = 3  # runs that share the worst score


def notes_of(c: Any) -> Iterator[Note]:
    """The notes that are due of a comparison, those that change the reading most first."""
    for kind, facts_of in _caveats(c).items():
        if found := facts_of(c):
            facts = found if isinstance(found, Mapping) else {}
            own = {name: value for name, value in facts.items() if not name.startswith("_")}
            yield Note(kind=kind, text=sentence("caveats", kind, **facts), facts=own)


def _caveats(c: Comparison | RunComparison | MetricComparison) -> When:
    """What can be due: of metrics, of a table, and of the tests of rows or of the runs of one."""
    if hasattr(c, "tables"):
        return _DIRECTIONS | _LEFT | _METRICS
    if c.problems[0] is not c:
        return _READ | _LEFT | _RUNS
    if c.table.paired:
        return _READ | _LEFT | _ROWS | _TESTS_OF_ROWS | _TESTS
    alike = np.unique(np.concatenate(c.table.runs[0])).size == 1
    return {"all-equal": lambda c: True} if alike else _TESTS_OF_RUNS | _TESTS


def _tables(c: Any) -> Sequence[ResultTable]:
    return [c.table] if hasattr(c, "table") else [*c.tables.values()]


def _columns(c: Any) -> Facts:
    told = [f"{role} is {quoted(name)}" for role, name in c.table.columns]
    return {"columns": dict(c.table.columns), "_told": listed_words(told)} if told else None


def _left_out(c: Any) -> Facts:
    tables = _tables(c)
    gone = tuple(dict.fromkeys(name for one in tables for name in one.left_out))
    return {"names": gone, "_what": "cells" if tables[0].paired else "runs"} if gone else None


def _groups(c: Any) -> Facts:
    return {"groups": len(set(c.table.groups))} if c.table.groups else None


def _repetitions(c: Any) -> Facts:
    """Repetitions were averaged: how many there are of each."""
    table = max(_tables(c), key=lambda one: one.repetitions)
    few, most = int(table.sizes.min()), table.repetitions
    if most == 1 or not table.paired:
        return None
    uneven = f"{few} to {most} repetitions of an algorithm on an instance" if few < most else ""
    return {
        "repetitions": most, "fewest": few, "_which": uneven or f"{most} repetitions",
        "_noise": " A mean of fewer is noisier." if uneven else "",
    }  # fmt: skip


def _failed(c: Any) -> int:
    return int(np.isinf(c.table.means if c.table.paired else c.table.repeated).sum())


def _identical(c: Any) -> Facts:
    seen: dict[bytes, str] = {}
    columns = np.ascontiguousarray(c.table.costs.T) + 0.0
    pairs = tuple(
        (other, name)
        for name, column in zip(c.names, columns, strict=True)
        if (other := seen.setdefault(column.tobytes(), name)) is not name
    )
    return {"pairs": pairs} if pairs else None


def _the_test(c: Any) -> Facts:
    noun = c.test.noun
    return {"test": c.choices.test, "_test": noun[:1].upper() + noun[1:], "_noun": noun}


def _no_power(c: Comparison) -> Facts:
    """A small table on which no data at all could have shown a difference."""
    if c.table.n == 1 or "power" not in c.test.traits or not c.family.exact.any():
        return None
    least = c.counted * 2.0 ** (1 - c.table.n)
    if least <= c.choices.alpha:
        return None
    needed = int(np.ceil(1 - np.log2(c.choices.alpha / c.counted)))
    return {"least": min(least, 1.0), "needed": needed}


def _pool(c: Comparison) -> Facts:
    """Benavoli et al. (2016): pairs whose outcome depends on the other algorithms."""
    if "pool" not in c.test.traits or c.table.m == 2:
        return None
    nemenyi, control = c.choices.correction == "nemenyi", c.choices.control
    correction: Correction = "nemenyi" if nemenyi else "bonferroni"
    found = pool_dependence(c.table.costs, alpha=c.choices.alpha, correction=correction)
    named = ((c.names[i], c.names[j]) for i, j in found.affected.tolist())
    pairs = tuple(pair for pair in named if control in (None, *pair))
    of = c.family.first.size
    told = {"many": len(pairs), "of": of, "level": correction.capitalize(), "pairs": pairs}
    here = sentence("pool", "affected" if pairs else "safe", **told)
    return {"pairs": pairs, "of": of, "correction": correction, "_here": here}


def _few_runs(c: Comparison) -> Facts:
    few = tuple(name for name, n in zip(c.names, c.sizes, strict=True) if n < FEW)
    if not few:
        return None
    who = f"{listed(few)} {'has' if len(few) == 1 else 'have'}"
    bold = c.choices.test == "brunner-munzel"
    return {
        "names": few, "of": c.table.m, "least": int(c.sizes.min()), "test": c.choices.test,
        "_who": "Every algorithm has" if len(few) == c.table.m else who,
        "_bold": sentence("few-runs", "bold") if bold else "",
    }  # fmt: skip


def _no_power_of_runs(c: Comparison) -> Facts:
    """The smallest adjusted p-value that samples without overlap can have: 2/C(n + m, n)."""
    if "power" not in c.test.traits:
        return None
    n, m = np.sort(c.sizes)[-2:].tolist()
    if c.control is not None:
        n, m = int(c.sizes[c.control]), int(np.delete(c.sizes, c.control).max())
    least = 2 * c.counted / math.comb(n + m, n)
    return {"least": min(least, 1.0)} if least > c.choices.alpha else None


def looks_paired(costs: list[Floats]) -> bool:
    """Whether scores in the same place of the vectors go up and down together.

    Iman and Davenport's test asks whether the places differ, with an algorithm as an instance.
    """
    if len({vector.size for vector in costs}) > 1 or costs[0].size < _LEAST:
        return False
    return bool(friedman(np.stack(costs), reference="F").pvalue < _PAIRED)


def spreads_differ(costs: list[Floats]) -> float | None:
    """The largest spread over the smallest, if spreads are shown to differ; else None.

    Kruskal and Wallis' test of the distances from the medians; the spread is their median.
    """
    finite = [vector[np.isfinite(vector)] for vector in costs]
    if min(vector.size for vector in finite) < _LEAST:
        return None
    away = [np.abs(vector - np.median(vector)) for vector in finite]
    if kruskal(away, method="chi2").pvalue >= _SPREADS:
        return None
    widths = [float(np.median(vector)) for vector in away]
    return max(widths) / min(widths) if min(widths) > 0 else math.inf


def _spreads(c: Comparison, *, minded: bool) -> Facts:
    """Spreads differ, and the test of pairs minds that; or only the omnibus test does."""
    if ("spreads" in c.test.traits) != minded or not (minded or c.omnibus):
        return None
    ratio = spreads_differ(c.table.run_costs(0))
    if ratio is None:
        return None
    more = sentence("spreads", "ratio" if ratio < math.inf else "none", ratio=ratio)
    return {**(_the_test(c) or {}), "ratio": ratio, "_more": more}


def _pile(c: Comparison) -> Facts:
    """Runs that share the worst finite score, where that is no score like others."""
    scores = np.concatenate(c.table.runs[0])
    finite = scores[np.isfinite(scores)]
    worst = float(finite.max() if c.table.direction == "minimize" else finite.min())
    many = int((finite == worst).sum())
    alone = all(np.unique(vector).size > 1 for vector in c.table.runs[0])
    lone = many >= _PILE and many >= 0.05 * finite.size and alone
    say = option(f"--cutoff {number(worst, 6)}")
    return {"runs": many, "score": worst, "_so": say} if lone and worst not in (0.0, 1.0) else None


def _rejects(c: Comparison) -> bool:
    return c.omnibus is not None and c.omnibus.pvalue <= c.choices.alpha


def _assumes(c: Comparison, what: str) -> bool:
    return what in CORRECTIONS[c.choices.correction].traits


def _failed_runs(c: MetricComparison) -> Facts:
    if not c.failed.any():
        return None
    first = int((c.failed == c.failed.min()).sum())
    repeated = max(table.repetitions for table in c.tables.values()) > 1
    return {
        "runs": int(c.failed.sum()), "first": first, "repeated": repeated,
        "_those": "the algorithm" if first == 1 else f"the {first} algorithms",
        "_once": " (of repetitions on an instance, one failure is enough)" if repeated else "",
    }  # fmt: skip


def _failed_elsewhere(c: Any) -> bool:
    failed = c.infinite[:, c.failed == c.failed.min()].any(axis=2)
    return bool((failed.any(axis=1) & ~failed.all(axis=1)).any())


def _disagreement(c: MetricComparison) -> Facts:
    apart = np.argwhere(c.infinite.any(axis=2) & ~c.infinite.all(axis=2))
    for row, column in apart[:1].tolist():
        own = c.infinite[row, column]
        example = (
            f"{c.names[column]} on {c.first.instances[row]} failed in {c.metrics[own.argmax()]}, "
            f"not in {c.metrics[own.argmin()]}"
        )
        return {"runs": len(apart), "example": example}
    return None


# fmt: off
_READ: When = {
    "assumed-direction": lambda c: c.table.assumed and not (c.table.from_race or c.choices.ranked),
    "columns": _columns,
    "race": lambda c: c.table.from_race,
}
_LEFT: When = {
    "left-out": _left_out,
    "repetitions": _repetitions,
}
_FAILURES: When = {
    "stopped": lambda c: c.table.cutoff is not None and _failed(c) and
        {"runs": _failed(c), "cutoff": c.table.cutoff},
    "failures": lambda c: c.table.cutoff is None and _failed(c) and
        {"cells": _failed(c), "_most": f"{MOST_COST:g}"},
}
_ROWS: When = {
    **_FAILURES,
    "groups": lambda c: c.effects.estimator == "shares" and _groups(c),
    "groups-ignored": lambda c: c.effects.estimator != "shares" and _groups(c),
    "yes-or-no": lambda c: c.table.yes_or_no and not (c.table.groups or c.choices.ranked),
    "identical": _identical,
}
_RUNS: When = {
    "empty-cells": lambda c: c.table.empty and {"cells": c.table.empty},
    "problems": lambda c: c.table.n > 1 and {"problems": c.table.n},
    "effects-pool": lambda c: c.table.n > 1 and c.table.m > 2,
    "pool-of-runs": lambda c: "pool" in c.test.traits and c.table.m > 2 and _the_test(c),
}
_TESTS_OF_ROWS: When = {
    "one-instance": lambda c: c.table.n == 1,
    "no-power": _no_power,
    "few-instances": lambda c: c.posterior and c.posterior.low is not None and
        {"instances": c.table.n},
    "pool": _pool,
    "pool-of-aligned-ranks": lambda c: "aligned" in c.test.traits and c.table.m > 2,
    "commensurable": lambda c: "sizes" in c.test.traits and c.table.n > 1 and _the_test(c),
    "normality": lambda c: "normal" in c.test.traits and _the_test(c),
}
_TESTS_OF_RUNS: When = {
    "looks-paired": lambda c: looks_paired(c.table.run_costs(0)),
    "few-runs": _few_runs,
    "no-power-runs": _no_power_of_runs,
    **_FAILURES,
    "pile": _pile,
    "unequal-spreads": lambda c: _spreads(c, minded=True),
    "unequal-spreads-omnibus": lambda c: _spreads(c, minded=False),
}
_TESTS: When = {
    "conover-gate": lambda c: "gated" in c.test.traits and not _rejects(c),
    "omnibus-silent": lambda c: c.omnibus and c.significant.any() and
        not (_rejects(c) or "gated" in c.test.traits),
    "pairs-silent": lambda c: _rejects(c) and not c.significant.any(),
    "uncorrected": lambda c: c.choices.correction == "none" and c.family.first.size > 1 and
        "whole" not in c.test.traits and {"comparisons": c.family.first.size},
    "false-discoveries": lambda c: c.choices.correction == "benjamini-hochberg",
    "dependence": lambda c: _assumes(c, "independent") and c.family.first.size > 1 and
        {"correction": c.choices.correction},
    "logic": lambda c: _assumes(c, "logical") and "intransitive" in c.test.traits and _the_test(c),
}
_DIRECTIONS: When = {
    "assumed-directions": lambda c: any(table.assumed for table in c.tables.values()) and
        {"metrics": tuple(metric for metric, table in c.tables.items() if table.assumed),
         "_so": option("--metric NAME:maximize=FILE", "direction={'NAME': 'maximize'}")},
}
_METRICS: When = {
    "failed-runs": _failed_runs,
    "failed-elsewhere": _failed_elsewhere,
    "failures-disagree": _disagreement,
    "few-for-means": lambda c: c.first.n < FEW and {"instances": c.first.n},
    "one-look": lambda c: True,
    "means": lambda c: True,
}
