"""Sentences about a comparison, in plain words that claim no more than the tests do.

"Shown to be better" is said of an adjusted p-value of at most α, "not shown to differ" of all
others; nothing is called equal. Text is plain; a word between ` marks is a name as given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from racing.analysis.compare.choices import FAMILY_WISE
from racing.answer.document import quoted
from racing.base import words
from racing.base.words import count as count
from racing.base.words import number as number

if TYPE_CHECKING:
    from racing.analysis.compare.comparison import Comparison
    from racing.analysis.compare.verdicts import Omnibus, Verdicts

TESTS = {
    "wilcoxon": "Wilcoxon's signed-ranks test",
    "sign": "the sign test",
    "t": "the paired t-test",
    "mean-ranks": "the distance of their mean ranks",
    "aligned-ranks": "the distance of their mean aligned ranks",
    "conover": "Conover's test of rank sums",
    "tukey": "Tukey's test",
    "dunnett": "Dunnett's test",
    "mcnemar": "McNemar's test",
    "brunner-munzel": "Brunner and Munzel's test",
    "brunner-munzel-permutation": "Brunner and Munzel's permutation test",
    "mann-whitney": "Mann and Whitney's test",
    "mann-whitney-exact": "Mann and Whitney's exact test",
    "dunn": "Dunn's test of mean ranks",
    "conover-iman": "Conover and Iman's test of mean ranks",
    "steel-dwass": "Steel and Dwass' test",
    "steel": "Steel's test",
}
CORRECTIONS = {
    "bonferroni": "Bonferroni's correction",
    "sidak": "Šidák's correction",
    "holm": "Holm's step-down procedure",
    "hochberg": "Hochberg's step-up procedure",
    "hommel": "Hommel's procedure",
    "finner": "Finner's step-down procedure",
    "li": "Li's two-step procedure",
    "rom": "Rom's step-up procedure",
    "benjamini-hochberg": "Benjamini and Hochberg's procedure",
    "shaffer": "Shaffer's static procedure",
    "bergmann-hommel": "Bergmann and Hommel's procedure",
    "nemenyi": "Nemenyi's test",
}
_OMNIBUS = {
    "iman-davenport": "Friedman's test with the F distribution of Iman and Davenport",
    "friedman": "Friedman's test",
    "exact": "Friedman's test with its exact distribution",
    "permutation": "Friedman's test by random permutations",
    "aligned-ranks": "Friedman's test with aligned ranks",
    "quade": "Quade's test",
    "anova": "Repeated-measures ANOVA",
    "kruskal": "Kruskal and Wallis' test",
    "kruskal-exact": "Kruskal and Wallis' test with its exact distribution",
    "kruskal-permutation": "Kruskal and Wallis' test by random permutations",
}
_TIES = {
    "none": "",
    "corrected": ", ties accounted for",
    "ignored": ", without correction for ties",
    "exact": ", conditional on the ties",
}


def subject(c: Comparison) -> str:
    """What was compared."""
    table = c.table
    if c.choices.ranked:
        what = "ranks, 1 is best"
    else:
        what = f"{'lower' if table.direction == 'minimize' else 'higher'} scores are better"
    repeated = (
        f", the mean of {table.repetitions} repetitions each" if table.repetitions > 1 else ""
    )
    return f"{table.m} algorithms on {count(table.n, 'instance')}{repeated}; {what}."


def omnibus(found: Omnibus, c: Verdicts) -> str:
    """Is there any difference, and what that does not mean."""
    sign = "rejects" if found.pvalue <= c.choices.alpha else "does not reject"
    tail = ""
    if sign != "rejects":
        tail = " No difference was shown, which is no proof of none."
        if c.significant.any():
            tail = " By itself it shows no difference; comparisons of pairs do."
    return (
        f"{_OMNIBUS[found.test]}{_TIES[found.ties]}: {_statistic(found)}, {p_is(found.pvalue)}"
        f"{_effect(found)}. At the level {number(c.choices.alpha)} it {sign} that the "
        f"{len(c.names)} algorithms perform alike.{tail}"
    )


def procedure(c: Verdicts) -> str:
    """How the comparisons were made, and which error is controlled."""
    choices, h = c.choices, c.family.first.size
    test = TESTS[choices.test]
    if choices.control is None:
        who = (
            "The two algorithms were compared"
            if len(c.names) == 2
            else (f"Every two of the {len(c.names)} algorithms were compared")
        )
    else:
        each = "One algorithm was" if h == 1 else f"Each of {h} algorithms was"
        who = f"{each} compared with the control {quoted(c.names[choices.control])}"
    made = f"{count(h, 'comparison')}, two-sided{_exactness(c)}"
    return f"{who} by {test} ({made}){_correction(c)}."


def findings(c: Verdicts) -> tuple[str, ...]:
    """The pairs shown to differ, and what was not shown."""
    shown = int(c.significant.sum())
    h = c.family.first.size
    if shown == 0:
        who = "the two" if h == 1 else "any of the pairs" if c.choices.control is None else "any"
        return (
            f"No difference was shown between {who}."
            if c.choices.control is None
            else f"No algorithm was shown to differ from {quoted(c.names[c.choices.control])}.",
        )
    if c.choices.control is not None:
        return _against_control(c)
    if h == 1:
        better, worse = shown_pairs(c)[0]
        return (f"{quoted(better)} was shown to be better than {quoted(worse)}.",)
    beaten = [
        f"{quoted(winner)} was shown to be better than {listed(losers)}."
        for winner, losers in _beaten(c)
    ]
    return f"{shown} of {h} pairs were shown to differ.", *beaten, *_leaders(c)


def shown_pairs(c: Verdicts) -> list[tuple[str, str]]:
    """(better, worse) names of all pairs shown to differ, smallest adjusted p-value first."""
    f, names = c.family, c.names
    pairs = []
    for k in np.lexsort((f.pvalues, f.adjusted)).tolist():
        if c.significant[k]:
            i, j = int(f.first[k]), int(f.second[k])
            pairs.append((names[i], names[j]) if f.favours[k] >= 0 else (names[j], names[i]))
    return pairs


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, letter by letter; a long list is shortened."""
    return words.listed([quoted(name) for name in names], most=8)


def p_value(p: float) -> str:
    """A p-value as text: four decimals, or a power of ten; 0 means too small for a float."""
    if p >= 0.001:
        return f"{p:.3f}" if p >= 0.0995 else f"{p:.4f}"
    return f"{p:.1e}" if p > 0 else "<1e-300"


def p_is(p: float) -> str:
    """A p-value in a sentence."""
    return f"p = {p_value(p)}" if p > 0 else f"p {p_value(p)}"


def _statistic(found: Omnibus) -> str:
    value = number(found.statistic, 4)
    if len(found.df) == 2:
        return f"F({found.df[0]}, {found.df[1]}) = {value}"
    return f"χ²({found.df[0]}) = {value}" if found.df else f"χ² = {value}"


def _effect(found: Omnibus) -> str:
    if found.effect is None:
        return ""
    if found.test.startswith("kruskal"):
        meaning = "the share of the variance of the ranks that lies between the algorithms"
        return f"; ε² = {number(found.effect, 2)} ({meaning})"
    if found.test == "anova":
        return f"; partial η² = {number(found.effect, 2)}"
    meaning = "1 if all instances rank the algorithms alike, 0 if they do not agree at all"
    return f"; Kendall's W = {number(found.effect, 2)} ({meaning})"


def _exactness(c: Verdicts) -> str:
    if c.choices.test in ("wilcoxon", "mann-whitney"):
        exact = c.family.exact
        few = "few differences are not zero" if c.choices.test == "wilcoxon" else "runs are few"
        how = "exact" if exact.all() else f"exact where {few}"
        return f", {how}" if exact.any() else ", normal approximation"
    return ", exact" if c.choices.test in ("sign", "mcnemar") else ""


def _correction(c: Verdicts) -> str:
    choices, h, level = c.choices, c.family.first.size, number(c.choices.alpha)
    if h == 1:
        return f", at the level {level}"
    family = f"so that the chance of one or more false claims is at most {level}"
    if choices.test in FAMILY_WISE:
        return f", which accounts for their number, {family}"
    if choices.correction == "none":
        return f", each at the level {level}: their number is not accounted for"
    if choices.correction == "benjamini-hochberg":
        family = f"so that at most {level} of the claims are false on average"
    return f"; p-values are adjusted by {CORRECTIONS[choices.correction]}, {family}"


def _beaten(c: Verdicts) -> list[tuple[str, list[str]]]:
    """The algorithms that each one was shown to beat, best mean rank first; only of up to ten."""
    if len(c.names) > 10:
        return []
    beaten: dict[str, list[str]] = {c.names[i]: [] for i in c.order}
    for better, worse in shown_pairs(c):
        beaten[better].append(worse)
    order = {c.names[i]: at for at, i in enumerate(c.order)}
    return [(name, sorted(worse, key=order.__getitem__)) for name, worse in beaten.items() if worse]


def _leaders(c: Verdicts) -> tuple[str, ...]:
    best = c.order[0]
    alike = [c.names[i] for i in c.order if i != best and c.joined[best, i]]
    if not alike:
        name = f"{quoted(c.names[best])}, which has the best mean rank,"
        return (f"{name} was shown to differ from all others.",)
    return (
        f"{quoted(c.names[best])} has the best mean rank, but was not shown to differ from "
        f"{listed(alike)}.",
    )


def _against_control(c: Verdicts) -> tuple[str, ...]:
    assert c.choices.control is not None
    control = c.names[c.choices.control]
    pairs = shown_pairs(c)
    better = [first for first, second in pairs if second == control]
    worse = [second for first, second in pairs if first == control]
    rest = [
        c.names[i] for i in c.order if i != c.choices.control and c.joined[i, c.choices.control]
    ]
    said = []
    for names, what in (
        (better, "shown to be better than"),
        (worse, "shown to be worse than"),
        (rest, "not shown to differ from"),
    ):
        if names:
            verb = "was" if len(names) == 1 else "were"
            said.append(f"{listed(names)} {verb} {what} the control.")
    return tuple(said)
