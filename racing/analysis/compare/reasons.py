"""The reasons for the tests of a comparison, in a sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from racing.analysis.compare.verdicts import Verdicts

_WHY: Mapping[str, str] = MappingProxyType(
    {
        "wilcoxon": "it looks at the two algorithms alone and uses the size of differences",
        "sign": "ranks, or scores of different scale on each instance, leave only wins to count",
        "mcnemar": "every score is 0 or 1, so only instances that one of the two has right tell",
        "brunner-munzel": "it looks at the two algorithms alone, and spreads may differ",
        "iman-davenport": "it keeps its level for few instances and many algorithms",
        "kruskal": "it asks for any difference between independent samples",
        "kruskal-exact": "runs are few enough for the exact distribution",
        "holm": "it holds under any dependence of the comparisons",
        "bergmann-hommel": "equality is transitive for this test, which the correction uses",
        "shaffer": "equality is transitive for this test, and the algorithms are too many for "
        "Bergmann and Hommel's procedure",
        "signed-rank": "of two algorithms it says how probable a difference is",
        "rank-sum": "it says how probable a difference is, and how probable equivalence",
        "kruskal-posterior": "it says what can be believed of all algorithms at once",
    }
)
_NOUNS = {"omnibus": "Omnibus test", "test": "Pairs", "correction": "Correction",
          "posterior": "Posterior"}  # fmt: skip


def reasons(c: Verdicts, *, paired: bool) -> tuple[str, ...]:
    """Which design and tests were chosen, and why; the user's own choices are named as such."""
    design = (
        "Design: paired. A row of the table joins the scores of all algorithms, so differences "
        "within rows are compared. Runs that nothing joins: --unpaired."
        if paired
        else "Design: unpaired, as --unpaired says. Nothing joins a run of one algorithm to a run "
        "of another, so the samples are compared as wholes. For scores on shared instances or "
        "folds leave it out."
    )
    choices = c.choices
    taken = {
        "omnibus": c.omnibus.test if c.omnibus is not None else "none",
        "test": choices.test,
        "correction": choices.correction if c.family.first.size > 1 else "none",
        "posterior": choices.posterior,
    }
    return (
        design,
        *(
            f"{_NOUNS[what]}: {name} ({_why(what, name, what in choices.given)})."
            for what, name in taken.items()
            if name != "none"
        ),
        "The page “Which test” of the documentation has all cases in a small table.",
    )


def _why(what: str, name: str, given: bool) -> str:
    if given:
        return "as asked for"
    return _WHY.get(f"{name}-{what}", _WHY.get(name, "")) or "the default"
