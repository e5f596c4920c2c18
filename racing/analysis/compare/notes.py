"""What to keep in mind about a comparison, found from its numbers and said in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from racing.analysis.compare.corrections import CORRECTIONS
from racing.analysis.compare.result_table import Floats, ResultTable
from racing.analysis.compare.verdicts import Choices, Note
from racing.answer.document import quoted
from racing.base.quantities import MOST_COST
from racing.base.words import count, number
from racing.base.words import listed as listed_words
from racing.stats.friedman import friedman
from racing.stats.pool import Correction, pool_dependence
from racing.stats.rank_sums import kruskal

if TYPE_CHECKING:
    from racing.analysis.compare.comparison import Comparison, RunComparison

FEW = 10  # runs below which tests and intervals are too bold or blind
_PAIRS = 6  # pairs that a sentence names
_PAIRED = 0.005  # p-value below which scores in the same place go together
_SPREADS = 0.05  # p-value below which spreads are said to differ
_LEAST = 5  # runs in which pairing or spreads can be seen
_PILE = 3  # runs that share the worst score


def note(kind: str, text: str, **facts: object) -> Note:
    """A caveat, its words, and its facts."""
    return Note(kind=kind, text=text, facts=facts)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, letter by letter; a long list is shortened."""
    return listed_words([quoted(name) for name in names], most=8)


def table_notes(c: Comparison | RunComparison) -> Iterator[Note]:
    """The caveats of a table as a whole, those that change the reading most first."""
    table = c.table
    if table.assumed and not (table.from_race or c.choices.ranked):
        yield note(
            "assumed-direction",
            "Lower scores were taken to be better; if higher ones are, say so (--maximize).",
        )
    yield from of_the_reading(table)
    if table.paired:
        yield from _of_paired(table, ranked=c.choices.ranked)
        return
    if table.empty:
        yield note(
            "empty-cells",
            f"{count(table.empty, 'cell')} between scores empty, taken as no run. A run that "
            "failed is inf (-inf if higher scores are better).", cells=table.empty,
        )  # fmt: skip
    if table.n > 1:
        yield note(
            "problems",
            f"Each of the {table.n} problems is a family of comparisons by itself: the error is "
            "controlled on each, and grows with their number.", problems=table.n,
        )  # fmt: skip
    if table.n > 1 and table.m > 2:
        yield note(
            "effects-pool",
            "Relative effects are measured against all algorithms of the table, so others may "
            "change them.",
        )
    if "pool" in c.test.traits and table.m > 2:
        yield note(
            "pool-of-runs",
            f"{_capital(c)} ranks the runs of all algorithms together, so the outcome for two "
            "depends on which others are there; --test brunner-munzel and steel-dwass look at the "
            "two alone.", test=c.choices.test,
        )  # fmt: skip


def of_the_reading(table: ResultTable) -> Iterator[Note]:
    """Where the scores come from, and what is not among them."""
    if table.columns:
        told = listed_words([f"{role} is {quoted(name)}" for role, name in table.columns])
        yield note(
            "columns", f"Columns were taken so: {told}. If they are others, say which (--columns "
            "score=NAME).", columns=dict(table.columns),
        )  # fmt: skip
    if table.from_race:
        yield note(
            "race",
            "These are the scores by which the race chose its survivors, so they flatter them and "
            "the p-values are too small; `racing test` compares on held-out instances.",
        )
    if table.left_out:
        what = "cells" if table.paired else "runs"
        yield note(
            "left-out",
            f"Left out because {what} are missing: {listed(table.left_out)}.",
            names=table.left_out,
        )  # fmt: skip
    if table.paired and table.repetitions > 1:
        yield of_repetitions(table)


def of_repetitions(table: ResultTable) -> Note:
    """Repetitions were averaged: how many there are of each."""
    few, most = int(table.sizes.min()), table.repetitions
    uneven = f"{few} to {most} repetitions of an algorithm on an instance" if few < most else ""
    return note(
        "repetitions",
        f"The {uneven or f'{most} repetitions'} were averaged for ranks and p-values: they are no "
        "independent instances." + (" A mean of fewer is noisier." if uneven else ""),
        repetitions=most, fewest=few,
    )  # fmt: skip


def _of_paired(table: ResultTable, *, ranked: bool) -> Iterator[Note]:
    yield from _of_failures(int(np.isinf(table.means).sum()), table)
    if table.groups:
        groups = len(set(table.groups))
        yield note(
            "groups",
            f"Instances come in {count(groups, 'group')}. The intervals of the differences of "
            "shares account for that; p-values take instances as independent and can be too small.",
            groups=groups,
        )
    elif table.yes_or_no and not ranked:
        yield note(
            "yes-or-no",
            "Every score is 0 or 1, so shares are compared. If instances belong together, such as "
            "questions about one text, name the column that says so (--group COLUMN): otherwise "
            "intervals are too narrow.",
        )
    alike = tuple(_identical(table))
    if alike:
        named = _named(alike, " = ")
        yield note(
            "identical", f"Some algorithms have the same score on every instance: {named}.",
            pairs=alike,
        )  # fmt: skip


def _of_failures(failed: int, table: ResultTable) -> Iterator[Note]:
    if failed and table.cutoff is not None:
        yield note(
            "stopped",
            f"{count(failed, 'run')} reached the cutoff of {number(table.cutoff, 6)}: worse than "
            "all others, and tied with one another. A median among them is ∞; no average takes "
            "them as finished.", runs=failed, cutoff=table.cutoff,
        )  # fmt: skip
    elif failed:
        yield note(
            "failures",
            f"{count(failed, 'score')} infinite or beyond {MOST_COST:g}: failures, worse than any "
            "other score and tied with one another.", cells=failed,
        )  # fmt: skip


def _identical(table: ResultTable) -> Iterator[tuple[str, str]]:
    seen: dict[bytes, str] = {}
    for name, column in zip(table.names, np.ascontiguousarray(table.costs.T) + 0.0, strict=True):
        other = seen.setdefault(column.tobytes(), name)
        if other is not name:
            yield other, name


def _named(pairs: Sequence[tuple[str, str]], between: str) -> str:
    named = ", ".join(f"{quoted(a)}{between}{quoted(b)}" for a, b in pairs[:_PAIRS])
    return named + (f" and {len(pairs) - _PAIRS} more" if len(pairs) > _PAIRS else "")


def test_notes(c: Comparison) -> Iterator[Note]:
    """The caveats of the tests of a paired table, or of the runs on one problem."""
    table = c.table
    if table.paired:
        yield from _of_power(c)
        if c.posterior is not None and c.posterior.low is not None:
            yield note(
                "few-instances",
                f"With {count(table.n, 'instance')} the prior matters in the posterior: the bounds "
                "beside it are what priors of the same weight that favour one side give. Believe "
                "what the lower bound supports.", instances=table.n,
            )  # fmt: skip
        yield from _of_the_test(c)
    elif len({float(score) for own in table.runs[0] for score in own}) == 1:
        yield note("all-equal", "All scores are equal: there is nothing to compare.")
        return
    else:
        yield from _of_the_runs(c)
        yield from _of_the_spreads(c)
    yield from _of_the_omnibus(c)
    yield from _of_the_correction(c)


def _of_power(c: Comparison) -> Iterator[Note]:
    """Small tables on which no data at all could have shown a difference."""
    if c.table.n == 1:
        yield note("one-instance", "One instance shows nothing about others.")
        return
    if "power" not in c.test.traits or not c.family.exact.any():
        return
    least = c.counted * 2.0 ** (1 - c.table.n)
    if least > c.choices.alpha:
        needed = int(np.ceil(1 - np.log2(c.choices.alpha / c.counted)))
        yield note(
            "no-power",
            "With so few instances no result could have been significant: the smallest adjusted "
            f"p-value there can be for the clearest pair is {number(min(least, 1.0), 2)}. At least "
            f"{needed} instances are needed.", least=min(least, 1.0), needed=needed,
        )  # fmt: skip


def _of_the_test(c: Comparison) -> Iterator[Note]:
    traits, test = c.test.traits, _capital(c)
    if "pool" in traits and c.table.m > 2:
        yield _pool(c.table, c.choices)
    if "aligned" in traits and c.table.m > 2:
        yield note(
            "pool-of-aligned-ranks",
            "Aligned ranks, as mean ranks do, make the outcome for two algorithms depend on which "
            "others are in the table.",
        )
    if "sizes" in traits and c.table.n > 1:
        yield note(
            "commensurable",
            f"{test} compares sizes of differences across instances, so a difference of 1 must "
            "mean the same on each; if it does not, use the sign test.", test=c.choices.test,
        )  # fmt: skip
    if "normal" in traits:
        text = f"{test} assumes normal differences without outliers."
        yield note("normality", text, test=c.choices.test)


def _pool(table: ResultTable, choices: Choices) -> Note:
    """Benavoli et al. (2016): pairs whose outcome depends on the other algorithms."""
    nemenyi = choices.correction == "nemenyi"
    correction: Correction = "nemenyi" if nemenyi else "bonferroni"
    found = pool_dependence(table.costs, alpha=choices.alpha, correction=correction)
    pairs = tuple(
        (table.names[i], table.names[j])
        for i, j in found.affected.tolist()
        if choices.control in (None, table.names[i], table.names[j])
    )
    of = table.m * (table.m - 1) // 2 if choices.control is None else table.m - 1
    here = (
        f"Here no other choice among these algorithms changes a decision on any of the {of} pairs."
    )
    if pairs:
        here = (
            f"Here that decides {len(pairs)} of {count(of, 'pair')}, at "
            f"{correction.capitalize()}'s level: beside some of the others they differ "
            f"significantly, beside as many others they do not: {_named(pairs, ' – ')}."
        )
    return note(
        "pool",
        "Mean ranks make the outcome for two algorithms depend on which others are in the table "
        "(Benavoli, Corani and Mangili, 2016, advise against them and for Wilcoxon's or the sign "
        f"test). {here}", pairs=pairs, of=of, correction=correction,
    )  # fmt: skip


def _of_the_runs(c: Comparison) -> Iterator[Note]:
    costs = c.table.run_costs(0)
    if looks_paired(costs):
        yield note(
            "looks-paired",
            "The scores look paired: those in the same row go up and down together. If a row is an "
            "instance, a fold or a seed that all algorithms share, compare the table as paired: it "
            "will show more. Leave --unpaired away, and name the rows in the first column.",
        )
    sizes = [vector.size for vector in costs]
    few = tuple(name for name, n in zip(c.names, sizes, strict=True) if n < FEW)
    if few:
        yield _few_runs(few, sizes, c.choices)
    least = _least_p(c, sizes)
    if least > c.choices.alpha:
        yield note(
            "no-power-runs",
            "With so few runs no difference could have been shown: the smallest adjusted p-value "
            f"there can be for samples that do not overlap is {number(min(least, 1.0), 2)}.",
            least=min(least, 1.0),
        )
    yield from _of_failures(sum(int(np.isinf(vector).sum()) for vector in costs), c.table)
    pile, worst = _at_the_worst(c.table)
    if pile:
        score = number(worst, 6)
        yield note(
            "pile",
            f"{pile} runs share the worst score, {score}. If they were stopped there, say so "
            f"(--cutoff {score}): they then count as worse than all others, and are averaged "
            "nowhere.", runs=pile, score=worst,
        )  # fmt: skip


def _few_runs(few: tuple[str, ...], sizes: list[int], choices: Choices) -> Note:
    who = f"{listed(few)} {'has' if len(few) == 1 else 'have'}"
    who = "Every algorithm has" if len(few) == len(sizes) else who
    bold = (
        " Brunner and Munzel's t test is too bold then (.06 for .05 at ten runs, .08 at five); "
        "--test brunner-munzel-permutation is not."
    )
    return note(
        "few-runs",
        f"{who} fewer than ten runs (the fewest are {min(sizes)}): tests see large differences "
        "only, and intervals are rough. Thirty are advised."
        + (bold if choices.test == "brunner-munzel" else ""),
        names=few, of=len(sizes), least=min(sizes), test=choices.test,
    )  # fmt: skip


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


def _of_the_spreads(c: Comparison) -> Iterator[Note]:
    by_rank = "spreads" in c.test.traits
    if not by_rank and c.omnibus is None:
        return
    ratio = spreads_differ(c.table.run_costs(0))
    if ratio is None:
        return
    said = "The runs of some algorithms differ much more among themselves than those of others"
    if ratio < math.inf:
        said = (
            "The runs of some algorithms differ more among themselves than those of others (the "
            f"largest spread is {number(ratio, 2)} times the smallest)"
        )
    minds = (
        f"{_capital(c)} takes spreads as equal, and rejects too often where the "
        "smaller sample has the larger spread; --test brunner-munzel does not."
        if by_rank
        else "Kruskal and Wallis' test can reject for that alone; the comparisons of pairs do not."
    )
    kind = "unequal-spreads" if by_rank else "unequal-spreads-omnibus"
    yield note(kind, f"{said}. {minds}", test=c.choices.test, ratio=ratio)


def _least_p(c: Comparison, sizes: list[int]) -> float:
    """The smallest adjusted p-value that samples without overlap can have: 2/C(n + m, n)."""
    if "power" not in c.test.traits:
        return 0.0
    n, m = sorted(sizes)[-2:]
    if c.control is not None:
        n, m = sizes[c.control], max(np.delete(sizes, c.control).tolist())
    return 2 * c.counted / math.comb(n + m, n)


def _at_the_worst(table: ResultTable) -> tuple[int, float]:
    """The number of runs with the worst finite score, and this score; (0, NaN) if only few do."""
    scores = np.concatenate(table.runs[0])
    finite = scores[np.isfinite(scores)]
    worst = float(finite.max() if table.direction == "minimize" else finite.min())
    many = int((finite == worst).sum())
    alone = all(np.unique(vector).size > 1 for vector in table.runs[0])
    lone = many >= _PILE and many >= 0.05 * finite.size and alone
    return (many, worst) if lone and worst not in (0.0, 1.0) else (0, math.nan)


def _of_the_omnibus(c: Comparison) -> Iterator[Note]:
    """Where the omnibus test and the pairs disagree."""
    shown = bool(c.significant.any())
    rejects = c.omnibus is not None and c.omnibus.pvalue <= c.choices.alpha
    if "gated" in c.test.traits and not rejects:
        yield note(
            "conover-gate",
            "Conover's test is meant as a second step: without a significant omnibus test it does "
            "not keep its level.",
        )
    elif c.omnibus is not None and shown and not rejects:
        yield note(
            "omnibus-silent",
            "Pairs differ although the omnibus test does not reject. Their correction keeps the "
            "error by itself, but the evidence is slight.",
        )
    elif rejects and not shown:
        yield note(
            "pairs-silent",
            "The omnibus test rejects, yet no pair was shown to differ: there is a difference, but "
            "the comparisons are too weak to say where.",
        )


def _of_the_correction(c: Comparison) -> Iterator[Note]:
    """What a correction assumes."""
    h, test, choices = c.family.first.size, c.test, c.choices
    correction = CORRECTIONS[choices.correction].traits
    if choices.correction == "none" and h > 1 and "whole" not in test.traits:
        yield note(
            "uncorrected",
            f"Nothing accounts for the {h} comparisons: with that many, false claims are to be "
            "expected.", comparisons=h,
        )  # fmt: skip
    if choices.correction == "benjamini-hochberg":
        yield note(
            "false-discoveries",
            "The false discovery rate is controlled, not the chance of any false claim; its proof "
            "needs independence or positive dependence, which pairs that share an algorithm lack.",
        )
    if "independent" in correction and h > 1:
        yield note(
            "dependence",
            "This correction assumes independence or positive dependence of the p-values, which is "
            "not guaranteed for pairs that share an algorithm; Holm's assumes nothing.",
            correction=choices.correction,
        )
    if "logical" in correction and "intransitive" in test.traits:
        yield note(
            "logic",
            "This correction takes it that algorithms which do not differ from a third do not "
            f"differ from each other; {test.noun} does not guarantee that. Holm's assumes nothing.",
            test=choices.test,
        )


def _capital(c: Comparison | RunComparison) -> str:
    return c.test.noun[:1].upper() + c.test.noun[1:]
