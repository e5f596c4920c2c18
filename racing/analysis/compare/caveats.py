"""The notes of a comparison in words, and where each of its numbers comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from racing.analysis.compare.metrics.caveats import SAY as METRICS
from racing.analysis.compare.unpaired.caveats import SAY as RUNS
from racing.analysis.compare.words import TESTS, count, listed, number
from racing.answer.document import quoted
from racing.base.quantities import MOST_COST

if TYPE_CHECKING:
    from racing.analysis.compare.comparison import Comparison
    from racing.analysis.compare.verdicts import Note

_PAIRS = 6  # pairs that a sentence names

SOURCES = MappingProxyType(
    {
        "iman-davenport": "F: Iman and Davenport (1980), as in Demšar (2006), section 3.2.2",
        "friedman": "χ²: Friedman (1937), as in Demšar (2006), section 3.2.2",
        "exact": "Friedman's χ², its distribution over all arrangements of the ranks in each row",
        "permutation": "Friedman's χ², its distribution over random arrangements of each row; the "
        "observed table counts as one",
        "quade": "F: Quade (1979), as in Conover (1999), section 5.8",
        "anova": "F: repeated-measures ANOVA, as in Demšar (2006), section 3.2.1",
        "wilcoxon": "T, the smaller sum of signed ranks: Wilcoxon (1945), as in Demšar (2006), "
        "section 3.1.3; zeros are ranked and split evenly (one dropped if odd), equal differences "
        "get average ranks, differences are rounded to 9 digits",
        "sign": "wins: exact binomial test, ties split evenly (one dropped if odd), as in Demšar "
        "(2006), section 3.1.4",
        "t": "t: paired t-test, Demšar (2006), section 3.1.1",
        "mean-ranks": "z: Demšar (2006), section 3.2.2; Benavoli et al. (2016), equation 4; no "
        "correction for ties in the standard error",
        "aligned-ranks": "χ² and z: Hodges and Lehmann (1962), as in García et al. (2010), but z "
        "over √(m(nm + 1)/6)",
        "conover": "t: Conover (1999), section 5.8, ties accounted for",
        "tukey": "p: the studentized range; Demšar (2006), section 3.2.1",
        "dunnett": "p: Dunnett (1955); Demšar (2006), section 3.2.1",
        "mcnemar": "decided: instances that only one of the two has right; exact binomial test of "
        "these, McNemar (1947)",
        "kruskal": "H: Kruskal and Wallis (1952), ties corrected; χ² for large samples",
        "kruskal-exact": "H: Kruskal and Wallis (1952), its distribution over all assignments of "
        "the ranks to the algorithms",
        "kruskal-permutation": "H: Kruskal and Wallis (1952), its distribution over random "
        "assignments of the runs; the observed one counts as one",
        "brunner-munzel": "t: Brunner and Munzel (2000), on the ranks of the two; without overlap "
        "the permutation test",
        "brunner-munzel-permutation": "t: Brunner and Munzel (2000), its distribution over "
        "assignments of the runs: Neubert and Brunner (2007)",
        "mann-whitney": "U, the pairs of runs that the first wins, ties half: Mann and Whitney "
        "(1947); exact up to 50 runs of the two, ties included",
        "mann-whitney-exact": "U, the pairs of runs that the first wins, ties half: Mann and "
        "Whitney (1947); exact, ties included",
        "dunn": "z: Dunn (1964), ranks among the runs of all algorithms, ties corrected",
        "conover-iman": "t: Conover and Iman (1979); Conover (1999), section 5.2",
        "steel-dwass": "z of each pair: Steel (1960), Dwass (1960); p from the range of k normal "
        "variables, for unequal sizes Critchlow and Fligner (1991)",
        "steel": "z of each with the control: Steel (1959); p from the largest of correlated "
        "normal variables",
        "a-of-runs": "the chance that a run of the first is better, ties half: Vargha and Delaney "
        "(2000); interval of Brunner and Munzel (2000), Newcombe's (2006) without overlap",
        "relative-effects": "the chance to be better than a run of an algorithm drawn at random, "
        "by pseudo-ranks: Brunner, Bathke and Konietschke (2018); mean rank = k(1 − effect) + 1/2, "
        "the expected rank among one run of each",
        "rank-sum": "Bayesian rank-sum test: Benavoli, Mangili, Ruggeri and Zaffalon (2015)",
        "bayesian-kruskal": "Bayesian Kruskal-Wallis test: Dirichlet weights of the runs, shared "
        "by all pairs; statements as in Benavoli et al. (2015), section 5.3",
        "bonferroni": "h·p for h comparisons",
        "sidak": "1 − (1 − p)^h for h comparisons",
        "holm": "Holm (1979), as in García and Herrera (2008), section 3",
        "hochberg": "Hochberg (1988); García and Herrera (2008) print max for min",
        "hommel": "Hommel (1988), as closed testing",
        "finner": "Finner (1993), as in García et al. (2010)",
        "li": "Li (2008), as in García et al. (2010)",
        "rom": "Rom (1990), solved for the level",
        "benjamini-hochberg": "Benjamini and Hochberg (1995)",
        "shaffer": "Shaffer (1986), as in García and Herrera (2008), section 2.1",
        "bergmann-hommel": "Bergmann and Hommel (1988), all exhaustive sets, made monotone as in "
        "García and Herrera (2008), Table 5",
        "nemenyi": "Nemenyi (1963): studentized range with infinite degrees of freedom over √2, as "
        "in Demšar (2006), Table 5(a), but computed",
        "signed-rank": "Bayesian signed-rank test: Benavoli et al. (2014)",
        "sign-posterior": "Bayesian sign test: Benavoli et al. (2014; 2015, theorem 2)",
        "joint": "joint comparisons: Benavoli et al. (2015), section 5.3",
        "correlated-t": "Bayesian correlated t-test per instance and Poisson-binomial over "
        "instances: Corani and Benavoli (2015), theorem 2 and section 3.1",
        "hierarchical": "hierarchical Bayesian correlated t-test: Corani et al. (2017), sampled by "
        "Gibbs' method",
        "contrasts": "contrasts of medians: Doksum (1967), as in García et al. (2010)",
        "plackett-luce": "worths: Plackett (1975), Hunter (2004), with half a win and half a loss "
        "against an imagined algorithm; ties by Efron's approximation",
        "cohens-d": "d: difference of means over the pooled standard deviation (Cohen, 1988)",
        "akinshin-gamma": "γ: difference of medians over the pooled median absolute deviation "
        "(Akinshin, 2020)",
        "hodges-lehmann": "median of the averages of any two differences (Hodges and Lehmann), "
        "with the interval that inverts Wilcoxon's test",
        "shares": "difference of the shares, with the interval of Bonett and Price (2012)",
        "clustered": "difference of the shares, with errors clustered by group (Miller, 2024) and "
        "Student's t; never less than those of independent instances",
        "median": "median of the differences, with the interval that inverts the sign test",
    }
)


def sources(c: Comparison) -> tuple[tuple[str, str], ...]:
    """(what, source) of every number shown."""
    choices = c.choices
    rows = [("mean ranks", "rank 1 is best, ties share the average of their ranks")]
    if c.omnibus is not None:
        rows.append(("omnibus test", SOURCES[choices.omnibus]))
    rows.append(("comparisons", SOURCES[choices.test]))
    if choices.correction != "none" and c.family.first.size > 1:
        rows.append(("adjusted p", SOURCES[choices.correction]))
    rows.append(
        ("A", "wins + ties/2 over all instances: Vargha and Delaney (2000), paired; interval of "
         "Clopper and Pearson")
    )  # fmt: skip
    if not choices.ranked:
        shares = c.effects.estimator == "shares"
        key = "clustered" if shares and c.table.groups else c.effects.estimator
        rows.append(("difference of shares" if shares else "advantage", SOURCES[key]))
    if c.critical_difference is not None:
        rows.append(("critical difference", "Demšar (2006), section 3.2.2"))
    if c.posterior is not None or c.joint is not None:
        key = "sign-posterior" if choices.posterior == "sign" else choices.posterior
        rows.append(("posterior", f"{SOURCES[key]}; {_prior(c)}"))
    rows += [(name.replace("-", " "), SOURCES[name]) for name in choices.also]
    return tuple(rows)


def caveat(note: Note) -> str:
    """A note as a sentence or two."""
    return {**RUNS, **METRICS, **_SAY}[note.kind](note.facts)


def reading_of_silence() -> str:
    """What a large p-value does not say."""
    return (
        "Not shown to differ does not mean equal: the instances may be too few to show a "
        "difference. For a claim of practical equivalence use a posterior with a rope."
    )


def _prior(c: Comparison) -> str:
    choices = c.choices
    if choices.posterior == "hierarchical":
        return f"correlation of repetitions {number(choices.rho)}, vague priors"
    if choices.posterior == "correlated-t":
        return f"correlation of repetitions {number(choices.rho)}, matching prior"
    places = {
        "precise": "on no difference",
        "lower": "against each statement",
        "upper": "in favour of each statement",
    }
    return f"prior weight {number(choices.s)}, placed {places[choices.bound]}"


Facts = Mapping[str, Any]


def _pool(facts: Facts) -> str:
    pairs = facts["pairs"]
    warning = (
        "Mean ranks make the outcome for two algorithms depend on which others are in the table "
        "(Benavoli, Corani and Mangili, 2016, advise against them and for Wilcoxon's or the sign "
        "test). "
    )
    if not pairs:
        return warning + (
            f"Here no other choice among these algorithms changes a decision on any of the "
            f"{facts['of']} pairs."
        )
    named = ", ".join(f"{quoted(a)} – {quoted(b)}" for a, b in pairs[:_PAIRS])
    more = f" and {len(pairs) - _PAIRS} more" if len(pairs) > _PAIRS else ""
    level = "Nemenyi's" if facts["correction"] == "nemenyi" else "Bonferroni's"
    return warning + (
        f"Here that decides {len(pairs)} of {count(facts['of'], 'pair')}, at {level} level: beside "
        f"some of the others they differ significantly, beside as many others they do not: "
        f"{named}{more}."
    )


def _identical(facts: Facts) -> str:
    pairs = facts["pairs"]
    named = ", ".join(f"{quoted(a)} = {quoted(b)}" for a, b in pairs[:_PAIRS])
    more = f" and {len(pairs) - _PAIRS} more" if len(pairs) > _PAIRS else ""
    return f"Some algorithms have the same score on every instance: {named}{more}."


def _no_power(facts: Facts) -> str:
    return (
        "With so few instances no result could have been significant: the smallest adjusted "
        f"p-value there can be for the clearest pair is {number(facts['least'], 2)}. At least "
        f"{facts['needed']} instances are needed."
    )


_SAY: Mapping[str, Callable[[Facts], str]] = MappingProxyType(
    {
        "assumed-direction": lambda _: (
            "Lower scores were taken to be better; if higher ones are, say so (--maximize)."
        ),
        "race": lambda _: (
            "These are the scores by which the race chose its survivors, so they flatter them and "
            "the p-values are too small; `racing test` compares on held-out instances."
        ),
        "left-out": lambda f: f"Left out because cells are missing: {listed(f['names'])}.",
        "repetitions": lambda f: (
            f"The {f['repetitions']} repetitions were averaged for ranks and p-values: they are no "
            "independent instances."
        ),
        "failures": lambda f: (
            f"{count(f['cells'], 'score')} infinite or beyond {MOST_COST:g}: failures, worse than "
            "any other score and tied with one another."
        ),
        "yes-or-no": lambda _: (
            "Every score is 0 or 1, so shares are compared. If instances belong together, such as "
            "questions about one text, name the column that says so (--group COLUMN): otherwise "
            "intervals are too narrow."
        ),
        "groups": lambda f: (
            f"Instances come in {count(f['groups'], 'group')}. The intervals of the differences of "
            "shares account for that; p-values take instances as independent and can be too small."
        ),
        "identical": _identical,
        "one-instance": lambda _: "One instance shows nothing about others.",
        "no-power": _no_power,
        "pool": _pool,
        "pool-of-aligned-ranks": lambda _: (
            "Aligned ranks, as mean ranks do, make the outcome for two algorithms depend on which "
            "others are in the table."
        ),
        "few-instances": lambda f: (
            f"With {count(f['instances'], 'instance')} the prior matters in the posterior: the "
            "bounds beside it are what priors of the same weight that favour one side give. "
            "Believe what the lower bound supports."
        ),
        "commensurable": lambda f: (
            f"{_capital(TESTS[f['test']])} compares sizes of differences across instances, so a "
            "difference of 1 must mean the same on each; if it does not, use the sign test."
        ),
        "normality": lambda f: (
            f"{_capital(TESTS[f['test']])} assumes normal differences without outliers."
        ),
        "conover-gate": lambda _: (
            "Conover's test is meant as a second step: without a significant omnibus test it does "
            "not keep its level."
        ),
        "omnibus-silent": lambda _: (
            "Pairs differ although the omnibus test does not reject. Their correction keeps the "
            "error by itself, but the evidence is slight."
        ),
        "pairs-silent": lambda _: (
            "The omnibus test rejects, yet no pair was shown to differ: there is a difference, but "
            "the comparisons are too weak to say where."
        ),
        "uncorrected": lambda f: (
            f"Nothing accounts for the {f['comparisons']} comparisons: with that many, false "
            "claims are to be expected."
        ),
        "false-discoveries": lambda _: (
            "The false discovery rate is controlled, not the chance of any false claim; its proof "
            "needs independence or positive dependence, which pairs that share an algorithm lack."
        ),
        "dependence": lambda _: (
            "This correction assumes independence or positive dependence of the p-values, which is "
            "not guaranteed for pairs that share an algorithm; Holm's assumes nothing."
        ),
        "logic": lambda f: (
            "This correction takes it that algorithms which do not differ from a third do not "
            f"differ from each other; {TESTS[f['test']]} does not guarantee that. Holm's assumes "
            "nothing."
        ),
    }
)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
