"""Sentences about a comparison, in plain words that claim no more than the tests do.

"Shown to be better" is said of an adjusted p-value of at most α, "not shown to differ" of all
others; nothing is called equal. Text is plain; a word between ` marks is a name as given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from racing.analysis.compare.methods import CORRECTIONS, listed, sentence, sentences, source_of
from racing.analysis.compare.verdicts import Omnibus
from racing.answer.document import quoted
from racing.base.words import count, number

if TYPE_CHECKING:
    from racing.analysis.compare.comparison import Comparison, OverProblems, RunComparison

_TIES = {
    "none": "",
    "corrected": ", ties accounted for",
    "ignored": ", without correction for ties",
    "exact": ", conditional on the ties",
}


def subject(c: Comparison | RunComparison) -> str:
    """What was compared."""
    table = c.table
    better = f"{'lower' if table.direction == 'minimize' else 'higher'} scores are better"
    few, many = int(table.sizes.min()), int(table.sizes.max())
    if not table.paired:
        runs = count(few, "run") if few == many else f"{few} to {many} runs"
        on = f" on each of {table.n} problems" if table.n > 1 else ""
        return f"{table.m} algorithms, {runs} of each{on}; the runs are unpaired; {better}."
    what = "ranks, 1 is best" if c.choices.ranked else better
    each = f"{many}" if few == many else f"{few} to {many}"
    repeated = f", the mean of {each} repetitions each" if table.repetitions > 1 else ""
    return f"{table.m} algorithms on {count(table.n, 'instance')}{repeated}; {what}."


def omnibus(found: Omnibus, c: Comparison) -> str:
    """Is there any difference, and what that does not mean."""
    said = (
        "rejects" if found.pvalue <= c.choices.alpha
        else "pairs-differ" if c.significant.any() else "silent"
    )  # fmt: skip
    effect = "kruskal" if found.test.startswith("kruskal") else found.test
    return sentence(
        "omnibus", "test", test=c.design.omnibus[found.test].noun, ties=_TIES[found.ties],
        statistic=_statistic(found), p=p_is(found.pvalue), level=number(c.choices.alpha),
        said=sentence("omnibus", said, m=len(c.names)), effect="" if found.effect is None
        else sentence("effects", effect if effect in ("kruskal", "anova") else "ranks",
                      size=found.effect),
    )  # fmt: skip


def procedure(c: Comparison) -> str:
    """How the comparisons were made, and which error is controlled."""
    h, control = c.family.first.size, c.choices.control
    own, several = ("two", "all") if control is None else ("one", "each")
    who = sentence(
        "compared", own if h == 1 else several, h=h, m=len(c.names), control=quoted(control or "")
    )
    made = f"{count(h, 'comparison')}, two-sided{_exactness(c)}"
    return f"{who} by {c.test.noun} ({made}){_correction(c)}."


def findings(c: Comparison) -> tuple[str, ...]:
    """The pairs shown to differ, and what was not shown."""
    shown, h, control = int(c.significant.sum()), c.family.first.size, c.choices.control
    if shown == 0 and control is not None:
        return (f"No algorithm was shown to differ from {quoted(control)}.",)
    if shown == 0:
        return (f"No difference was shown between {'the two' if h == 1 else 'any of the pairs'}.",)
    if control is not None:
        return tuple(_against(c, control))
    if h == 1:
        ((better, worse),) = shown_pairs(c)
        return (f"{quoted(better)} was shown to be better than {quoted(worse)}.",)
    return f"{shown} of {h} pairs were shown to differ.", *_beaten(c), _leader(c)


def headline(c: Comparison | RunComparison) -> str:
    """What was shown of the best; of several problems, what was shown on most of them."""
    if c.over is not None:
        shown = _on_most(
            list(map(shown_pairs, c.problems)), ("was shown to be", "were shown to be")
        )
        return shown or f"No difference was shown on any of the {len(c.problems)} problems."
    (one,) = c.problems
    if one.control is not None or not one.significant.any():
        return findings(one)[0]
    best, others = one.names[one.order[0]], len(one.names) - 1
    if others > 1 and sum(better == best for better, _ in shown_pairs(one)) == others:
        return f"{quoted(best)} was shown to be better than all others."
    return next(_beaten(one), findings(one)[0])


def _on_most(pairs: Sequence[Sequence[tuple[str, str]]], verbs: tuple[str, str]) -> str:
    """What holds on most problems, of (better, worse) on each; "" if there is nothing."""
    times = Counter(pair for own in pairs for pair in own)
    if not times:
        return ""
    ((_, worse), many), *_ = times.most_common(1)
    names = [name for (name, other), k in times.items() if k == many and other == worse]
    on = f"all {many} problems" if many == len(pairs) else f"{many} of {len(pairs)} problems"
    contrary = times[worse, names[0]] if len(names) == 1 else 0
    but = f", and worse on {contrary}" if contrary else ""
    return f"{listed(names)} {verbs[len(names) > 1]} better than {quoted(worse)} on {on}{but}."


def over_findings(over: OverProblems) -> tuple[str, ...]:
    """What was shown of problems like these, if they are many enough to say so."""
    if over.paired is None:
        return ()
    if not over.paired.significant.any():
        n = len(over.paired.table.instances)
        return (f"Nothing was shown of problems like these: {n} are few, or disagree.",)
    return findings(over.paired)


def shown_pairs(c: Comparison) -> list[tuple[str, str]]:
    """(better, worse) names of all pairs shown to differ, smallest adjusted p-value first."""
    led = (c.pair(k).led for k in c.by_p if c.significant[k])
    return [(one.first, one.second) for one in led]


def p_value(p: float) -> str:
    """A p-value as text: four decimals, or a power of ten; 0 means too small for a float."""
    if p >= 0.001:
        return f"{p:.3f}" if p >= 0.0995 else f"{p:.4f}"
    return f"{p:.1e}" if p > 0 else "<1e-300"


def p_is(p: float) -> str:
    """A p-value in a sentence."""
    return f"p = {p_value(p)}" if p > 0 else f"p {p_value(p)}"


def probability(p: float, *, drawn: bool = False) -> str:
    """A posterior probability as text; 0 and 1 only if they are exact: not if they were drawn."""
    if p >= 0.9995 and (drawn or p < 1.0):
        return ">0.999"
    return "<0.001" if p < 0.0005 and (drawn or p > 0.0) else f"{p:.3f}"


def _statistic(found: Omnibus) -> str:
    value = number(found.statistic, 4)
    if len(found.df) == 2:
        return f"F({found.df[0]}, {found.df[1]}) = {value}"
    return f"χ²({found.df[0]}) = {value}" if found.df else f"χ² = {value}"


def _exactness(c: Comparison) -> str:
    if c.choices.test in ("wilcoxon", "mann-whitney"):
        exact = c.family.exact
        few = "few differences are not zero" if c.choices.test == "wilcoxon" else "runs are few"
        how = "exact" if exact.all() else f"exact where {few}"
        return f", {how}" if exact.any() else ", normal approximation"
    return ", exact" if "exact" in c.test.traits else ""


def _correction(c: Comparison) -> str:
    own, known = c.choices.correction, sentences()["corrected"]
    kind = (
        "one" if c.family.first.size == 1
        else "whole" if "whole" in c.test.traits else own if own in known else "adjusted"
    )  # fmt: skip
    level = number(c.choices.alpha)
    return sentence("corrected", kind, level=level, correction=CORRECTIONS[own].noun)


def _beaten(c: Comparison) -> Iterator[str]:
    """Who was shown to beat whom, best mean rank first; only of up to ten."""
    ranked = [c.names[i] for i in c.order]
    pairs = shown_pairs(c) if len(ranked) <= 10 else []
    for name in ranked:
        worse = {second for first, second in pairs if first == name}
        if worse:
            beaten = listed([one for one in ranked if one in worse])
            yield f"{quoted(name)} was shown to be better than {beaten}."


def _leader(c: Comparison) -> str:
    best, *others = c.order
    alike = [c.names[i] for i in others if c.joined[best, i]]
    name = quoted(c.names[best])
    if not alike:
        return f"{name}, which has the best mean rank, was shown to differ from all others."
    return f"{name} has the best mean rank, but was not shown to differ from {listed(alike)}."


def _against(c: Comparison, control: str) -> Iterator[str]:
    pairs = shown_pairs(c)
    rest = [c.names[i] for i in c.order if i != c.control and c.joined[i, c.control]]
    for names, what in (
        ([first for first, second in pairs if second == control], "shown to be better than"),
        ([second for first, second in pairs if first == control], "shown to be worse than"),
        (rest, "not shown to differ from"),
    ):
        if names:
            yield f"{listed(names)} {'was' if len(names) == 1 else 'were'} {what} the control."


def posterior_words(c: Comparison) -> str:
    """A sentence on what the posterior probabilities of pairs mean."""
    assert c.posterior is not None
    choices, error = c.choices, c.posterior.standard_error
    test = f"{c.posterior.test}{'-rope' if choices.rope > 0 else ''}"
    text = sentence("posteriors", test, rope=number(choices.rope), n=c.table.n)
    if c.posterior.test != "correlated-t" and choices.bound != "precise":
        agree = "all priors" if choices.bound == "lower" else "some prior"
        text += f" The number is what {agree} of weight {number(choices.s)} would grant."
    return text + (f" Monte Carlo error at most {number(error, 1)}." if error > 0 else "")


def silence(c: Comparison) -> str:
    """What a large p-value does not say."""
    return sentence("silence", "rows" if c.table.paired else "runs")


def reasons(c: Comparison) -> tuple[str, ...]:
    """Which design and tests were chosen, and why; the user's own choices are named as such."""
    choices, design = c.choices, c.design
    corrected = choices.correction if c.family.first.size > 1 else "none"
    overall = "none" if c.omnibus is None else c.omnibus.test
    why = (
        f"{noun}: {name} ({'as asked for' if what in choices.given else methods[name].why})."
        for noun, what, name, methods in (
            ("Omnibus test", "omnibus", overall, design.omnibus),
            ("Pairs", "test", choices.test, design.tests),
            ("Correction", "correction", corrected, CORRECTIONS),
            ("Posterior", "posterior", choices.posterior, design.posteriors),
        )
        if name != "none"
    )
    return (sentence("designs", "rows" if design.paired else "runs"), *why)


def sources(c: Comparison) -> dict[str, str]:
    """What each number shown is, and where it comes from."""
    choices, design, paired = c.choices, c.design, c.table.paired
    found = {"mean ranks": "rank 1 is best, ties share the average of their ranks"}
    if not paired:
        found = {"relative effect": source_of("relative-effects")}
    if c.omnibus is not None:
        found["omnibus test"] = design.omnibus[c.omnibus.test].source
    found["comparisons"] = c.test.source
    if choices.correction != "none" and c.family.first.size > 1:
        found["adjusted p"] = CORRECTIONS[choices.correction].source
    found["A"] = source_of("a" if paired else "a-of-runs")
    if paired and not choices.ranked:
        shares = c.effects.estimator == "shares"
        key = "clustered" if shares and c.table.groups else c.effects.estimator
        found["difference of shares" if shares else "advantage"] = source_of(key)
    if c.critical_difference is not None:
        found["critical difference"] = "Demšar (2006), section 3.2.2"
    if choices.posterior != "none":
        of = design.posteriors[choices.posterior].source
        found["posterior"] = f"{of}; {_prior(c)}" if paired else of
    return found | {design.also[name].noun: design.also[name].source for name in choices.also}


def _prior(c: Comparison) -> str:
    if c.choices.posterior in ("hierarchical", "correlated-t"):
        prior = "vague priors" if c.choices.posterior == "hierarchical" else "matching prior"
        return f"correlation of repetitions {number(c.choices.rho)}, {prior}"
    places = {"precise": "on no difference", "lower": "against each statement",
              "upper": "in favour of each statement"}  # fmt: skip
    return f"prior weight {number(c.choices.s)}, placed {places[c.choices.bound]}"


def statement_words(c: Comparison) -> str:
    """How probable it is that all statements hold together, and what they mean."""
    found, of = c.statements, "rows" if c.table.paired else "runs"
    assert found is not None
    if (n := found.accepted) == 0:
        return sentence("together", f"{of}-none")
    these = "This statement is" if n == 1 and of == "runs" else f"These {n} statements are all"
    prior = {"lower": "whatever the prior", "upper": "for some prior", "precise": "with no prior"}
    p = (number(found.joint) if c.table.paired
         else probability(found.joint, drawn=found.draws > 0))  # fmt: skip
    return sentence("together", of, these=these, p=p, prior=prior[found.bound])


def any_difference(c: Comparison) -> str:
    """The Bayesian Kruskal-Wallis test as an answer to the omnibus question; "" of others."""
    different = getattr(c.statements, "different", None)
    if c.statements is None or different is None:
        return ""
    apart, h = int(np.triu(different, 1).sum()), len(c.names) * (len(c.names) - 1) // 2
    said = sentence("together", "apart" if apart else "none-apart", apart=apart, pairs=h)
    return sentence("together", "any-difference", level=1 - c.statements.gamma, said=said)


def believed(c: Comparison | RunComparison) -> Iterator[str]:
    """What the posterior says, in a sentence; of many pairs the report has a table."""
    if c.over is not None:
        if said := _on_most(list(map(_believable, c.problems)), ("is", "are")):
            sure = number(1 - c.choices.alpha)
            yield f"With posterior probability above {sure} on each problem: {said}"
        return
    (one,) = c.problems
    if one.statements is not None:
        yield statement_words(one)
    if one.posterior is not None and len(c.names) == 2:
        best, other = one.order
        p, equal = one.posterior.better[best, other], one.posterior.rope[best, other]
        drawn = one.posterior.drawn
        near = probability(equal, drawn=drawn) if one.choices.rope > 0 else ""
        near = f", and practically equal {near}" if near else ""
        yield (
            f"The posterior probability that {quoted(c.names[best])} is better than "
            f"{quoted(c.names[other])} is {probability(p, drawn=drawn)}{near}."
        )


def _believable(c: Comparison) -> list[tuple[str, str]]:
    """(better, worse) names that can be believed: together, or by themselves."""
    found, level = c.statements, 1 - c.choices.alpha
    if found is not None:
        return [(c.names[b], c.names[w]) for b, w, _ in found.believed]
    if c.posterior is None:
        return []
    return [(c.names[b], c.names[w]) for b, w in np.argwhere(c.posterior.better > level)]
