"""The notes of a comparison of runs in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from racing.analysis.compare.words import TESTS, count, listed, number

Facts = Mapping[str, Any]


def _few_runs(facts: Facts) -> str:
    who = (
        "Every algorithm has" if len(facts["names"]) == facts["of"] else f"{listed(facts['names'])}"
        f" {'has' if len(facts['names']) == 1 else 'have'}"
    )  # fmt: skip
    bold = (
        " Brunner and Munzel's t test is too bold then (.06 for .05 at ten runs, .08 at five); "
        "--test brunner-munzel-permutation is not."
        if facts["test"] == "brunner-munzel"
        else ""
    )
    return (
        f"{who} fewer than ten runs (the fewest are {facts['least']}): tests see large "
        f"differences only, and intervals are rough. Thirty are advised.{bold}"
    )


def _spreads(facts: Facts) -> str:
    """How much the spreads differ."""
    ratio = facts["ratio"]
    if ratio == float("inf"):
        return "The runs of some algorithms differ much more among themselves than those of others"
    return (
        "The runs of some algorithms differ more among themselves than those of others (the "
        f"largest spread is {number(ratio, 2)} times the smallest)"
    )


def _unequal_spreads(facts: Facts) -> str:
    test = TESTS[facts["test"]]
    return (
        f"{_spreads(facts)}. {test[0].upper()}{test[1:]} takes spreads as equal, and rejects too "
        "often where the smaller sample has the larger spread; --test brunner-munzel does not."
    )


def _pool(facts: Facts) -> str:
    test = TESTS[facts["test"]]
    return (
        f"{test[0].upper()}{test[1:]} ranks the runs of all algorithms together, so the outcome "
        "for two depends on which others are there; --test brunner-munzel and steel-dwass look at "
        "the two alone."
    )


SAY: Mapping[str, Callable[[Facts], str]] = MappingProxyType(
    {
        "runs-left-out": lambda f: f"Left out because runs are missing: {listed(f['names'])}.",
        "empty-cells": lambda f: (
            f"{count(f['cells'], 'cell')} between scores empty, taken as no run. A run that failed "
            "is inf (-inf if higher scores are better)."
        ),
        "problems": lambda f: (
            f"Each of the {f['problems']} problems is a family of comparisons by itself: the error "
            "is controlled on each, and grows with their number."
        ),
        "all-equal": lambda _: "All scores are equal: there is nothing to compare.",
        "looks-paired": lambda _: (
            "The scores look paired: those in the same row go up and down together. If a row is an "
            "instance, a fold or a seed that all algorithms share, compare the table as paired: it "
            "will show more. Leave --unpaired away, and name the rows in the first column."
        ),
        "few-runs": _few_runs,
        "no-power-runs": lambda f: (
            "With so few runs no difference could have been shown: the smallest adjusted p-value "
            f"there can be for samples that do not overlap is {number(f['least'], 2)}."
        ),
        "unequal-spreads": _unequal_spreads,
        "unequal-spreads-omnibus": lambda f: (
            f"{_spreads(f)}. Kruskal and Wallis' test can reject for that alone; the comparisons "
            "of pairs do not."
        ),
        "pile": lambda f: (
            f"{f['runs']} runs share the worst score, {number(f['score'], 6)}. If they were "
            f"stopped there, say so (--cutoff {number(f['score'], 6)}): they then count as worse "
            "than all others, and are averaged nowhere."
        ),
        "stopped": lambda f: (
            f"{count(f['runs'], 'run')} reached the cutoff of {number(f['cutoff'], 6)}: worse than "
            "all others, and tied with one another. A median among them is ∞; no average takes "
            "them as finished."
        ),
        "pool-of-runs": _pool,
        "effects-pool": lambda _: (
            "Relative effects are measured against all algorithms of the table, so others may "
            "change them."
        ),
    }
)  # fmt: skip
