"""What to keep in mind about a comparison, found from its numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from racing.analysis.compare.choices import FAMILY_WISE, Asked, Choices
from racing.analysis.compare.result_table import ResultTable
from racing.analysis.compare.verdicts import Family, Note, Omnibus, Posterior
from racing.stats.pool import Correction, pool_dependence

_SIZED = ("wilcoxon", "t", "aligned-ranks", "tukey", "dunnett")
_INTRANSITIVE = (
    *("sign", "conover", "aligned-ranks"),
    *("brunner-munzel", "brunner-munzel-permutation"),
)
_INDEPENDENT = ("sidak", "hochberg", "hommel", "finner", "li", "rom")


def notes(
    table: ResultTable,
    choices: Choices,
    omnibus: Omnibus | None,
    family: Family,
    posterior: Posterior | None = None,
) -> tuple[Note, ...]:
    """The caveats of a comparison, those that change its reading most first."""
    return (
        *_of_the_table(table, choices),
        *_of_power(table, choices, family),
        *_of_the_posterior(table, posterior),
        *_of_the_test(table, choices),
        *of_the_omnibus(choices, omnibus, family),
        *of_the_correction(choices, family),
    )


def _of_the_table(table: ResultTable, choices: Choices) -> Iterator[Note]:
    if table.assumed and not (table.from_race or choices.ranked):
        yield Note(kind="assumed-direction")
    if table.from_race:
        yield Note(kind="race")
    if table.left_out:
        yield Note(kind="left-out", facts={"names": table.left_out})
    if table.repetitions > 1:
        yield Note(kind="repetitions", facts={"repetitions": table.repetitions})
    failed = int(np.isinf(table.means).sum())
    if failed and table.cutoff is not None:
        yield Note(kind="stopped", facts={"runs": failed, "cutoff": table.cutoff})
    elif failed:
        yield Note(kind="failures", facts={"cells": failed})
    if table.groups:
        yield Note(kind="groups", facts={"groups": len(set(table.groups))})
    elif table.yes_or_no and not choices.ranked:
        yield Note(kind="yes-or-no")
    alike = _identical(table)
    if alike:
        yield Note(kind="identical", facts={"pairs": alike})


def _identical(table: ResultTable) -> tuple[tuple[str, str], ...]:
    seen: dict[bytes, str] = {}
    pairs = []
    for name, column in zip(table.names, np.ascontiguousarray(table.costs.T) + 0.0, strict=True):
        other = seen.setdefault(column.tobytes(), name)
        if other is not name:
            pairs.append((other, name))
    return tuple(pairs)


def _of_power(table: ResultTable, choices: Choices, family: Family) -> Iterator[Note]:
    """Small tables on which no data at all could have shown a difference."""
    if table.n == 1:
        yield Note(kind="one-instance")
        return
    if choices.test not in ("wilcoxon", "sign", "mcnemar") or not family.exact.any():
        return
    h = family.first.size
    least = 2.0 ** (1 - table.n) * (1 if choices.correction == "none" else h)
    if least > choices.alpha:
        needed = int(np.ceil(1 - np.log2(choices.alpha / (least / 2.0 ** (1 - table.n)))))
        yield Note(kind="no-power", facts={"least": min(least, 1.0), "needed": needed})


def _of_the_posterior(table: ResultTable, posterior: Posterior | None) -> Iterator[Note]:
    if posterior is not None and posterior.low is not None:
        yield Note(kind="few-instances", facts={"instances": table.n})


def _of_the_test(table: ResultTable, choices: Choices) -> Iterator[Note]:
    if choices.test in ("mean-ranks", "conover") and table.m > 2:
        yield _pool(table, choices)
    if choices.test == "aligned-ranks" and table.m > 2:
        yield Note(kind="pool-of-aligned-ranks")
    if choices.test in _SIZED and table.n > 1:
        yield Note(kind="commensurable", facts={"test": choices.test})
    if choices.test in ("t", "tukey", "dunnett"):
        yield Note(kind="normality", facts={"test": choices.test})


def _pool(table: ResultTable, choices: Choices) -> Note:
    """Benavoli et al. (2016): pairs whose outcome depends on the other algorithms."""
    correction: Correction = "nemenyi" if choices.correction == "nemenyi" else "bonferroni"
    found = pool_dependence(table.costs, alpha=choices.alpha, correction=correction)
    affected = [
        (table.names[i], table.names[j])
        for i, j in found.affected.tolist()
        if choices.control is None or choices.control in (i, j)
    ]
    made = table.m * (table.m - 1) // 2 if choices.control is None else table.m - 1
    return Note(kind="pool", facts={"pairs": tuple(affected), "of": made, "correction": correction})


def of_the_omnibus(choices: Asked, omnibus: Omnibus | None, family: Family) -> Iterator[Note]:
    """Where the omnibus test and the pairs disagree."""
    shown = bool((family.adjusted <= choices.alpha).any())
    if choices.test in ("conover", "conover-iman") and (
        omnibus is None or omnibus.pvalue > choices.alpha
    ):
        yield Note(kind="conover-gate")
    elif omnibus is not None and shown and omnibus.pvalue > choices.alpha:
        yield Note(kind="omnibus-silent")
    elif omnibus is not None and not shown and omnibus.pvalue <= choices.alpha:
        yield Note(kind="pairs-silent")


def of_the_correction(choices: Asked, family: Family) -> Iterator[Note]:
    """What a correction assumes."""
    h = family.first.size
    if choices.correction == "none" and h > 1 and choices.test not in FAMILY_WISE:
        yield Note(kind="uncorrected", facts={"comparisons": h})
    if choices.correction == "benjamini-hochberg":
        yield Note(kind="false-discoveries")
    if choices.correction in _INDEPENDENT and h > 1:
        yield Note(kind="dependence", facts={"correction": choices.correction})
    logical = choices.correction in ("shaffer", "bergmann-hommel")
    if logical and choices.test in _INTRANSITIVE:
        yield Note(kind="logic", facts={"test": choices.test})
