"""The rules that take part in the tables, by the names they have there."""

from __future__ import annotations

from benchmarks.racing_lab.forerunners import Forerunner
from benchmarks.racing_lab.measure import Contender
from benchmarks.racing_lab.readings import Reading
from racing.rules import (
    Auto,
    Bayes,
    Bernstein,
    Bets,
    FTest,
    Hoeffding,
    MeanRanks,
    Rule,
    Sign,
    SuccessiveHalving,
    SuccessiveRejects,
    TTest,
    Wilcoxon,
)

DEFAULT = "auto"
THE_PAPERS = ("sign", "mean-ranks", "bayes")
"""The races that Benavoli et al. (2015) compare."""


def standard(*, slow: float = 1.0) -> dict[str, Contender]:
    """Every rule with its defaults, and the variants of the papers'.

    Parameters
    ----------
    slow
        Share of the races for the rules that are slow, since they drop next to nobody.
    """
    rules: dict[str, Rule] = {
        DEFAULT: Auto(),
        "sign": Sign(),
        "sign, ungated": Sign(gate="none"),
        "mean-ranks": MeanRanks(),
        "bayes": Bayes(),
        "bayes, equals kept": Bayes(drop_equals=False),
        "bayes, ungated": Bayes(gate="none", drop_equals=False),
        "f-test": FTest(),
        "t-test": TTest(),
        "t-test, holm": TTest(correction="holm"),
        "wilcoxon": Wilcoxon(),
    }
    careful: dict[str, Rule] = {"hoeffding": Hoeffding(), "bernstein": Bernstein(), "bets": Bets()}
    return {
        **{name: Contender(rule=rule) for name, rule in rules.items()},
        **{name: Contender(rule=rule, share=slow) for name, rule in careful.items()},
        "successive-halving": Contender(rule=SuccessiveHalving(), like=DEFAULT),
        "successive-rejects": Contender(rule=SuccessiveRejects(), like=DEFAULT),
    }


def readings() -> dict[str, Contender]:
    """The Bayesian race as it may also be read."""
    rules: dict[str, Rule] = {
        "bayes, ungated, equals dropped": Bayes(gate="none"),
        "bayes, lower bound": Bayes(bound="lower", drop_equals=False),
        "bayes, χ² gate": Reading(frequentist=True),
        "bayes, equal by mean": Reading(equality="mean"),
        "bayes, equal by mean, gated": Reading(equality="mean", gated=True),
        "bayes, equal under its prior": Reading(equality="paper's prior"),
        "bayes, equal jointly": Reading(equality="joint"),
    }
    return {name: Contender(rule=rule, share=0.25) for name, rule in rules.items()}


def levels() -> dict[str, Contender]:
    """Rules at several levels of their parameter, for the frontier; "rule @ level"."""
    out: dict[str, Contender] = {}
    for factor in (1 / 64, 1 / 16, 1 / 4, 1, 4, 16):
        name = f"{factor:g}"
        out[f"auto @ {name}"] = Contender(rule=Auto(price=factor * Auto().price))
        out[f"successive-halving @ {name}"] = Contender(
            rule=SuccessiveHalving(), like=f"auto @ {name}"
        )
    for alpha in (0.2, 0.05, 0.01, 0.001):
        rules: dict[str, Rule] = {
            "sign": Sign(alpha=alpha),
            "mean-ranks": MeanRanks(alpha=alpha),
            "bayes": Bayes(gamma=alpha, drop_equals=False),
            "f-test": FTest(alpha=alpha),
            "t-test": TTest(alpha=alpha),
            "wilcoxon": Wilcoxon(alpha=alpha),
        }
        out |= {f"{name} @ {alpha:g}": Contender(rule=rule) for name, rule in rules.items()}
    return out


def tried() -> dict[str, Contender]:
    """The default, its forerunners, and the default with other parameters."""
    price = Auto().price
    leader = {f"gain over the leader, price × {f:g}": f for f in (0.5, 1, 2)}
    noise = {f"price in units of noise × {f:g}": f for f in (0.25, 0.5, 1)}
    rules: dict[str, Rule] = {
        DEFAULT: Auto(),
        **{f"auto, price × {f:g}": Auto(price=f * price) for f in (0.25, 0.5, 2, 4)},
        "auto, exponent 0": Auto(exponent=0),
        "auto, exponent 1": Auto(exponent=1),
        "auto, exponent 2": Auto(exponent=2),
        "auto, prior 1": Auto(prior=1),
        "auto, prior 16": Auto(prior=16),
        "auto, first 10": Auto(first=10),
        "ranks among those alive, price × 1": Forerunner(ranks="alive"),
        **{name: Forerunner(unit="noise", price=f * price) for name, f in noise.items()},
        **{name: Forerunner(over="leader", price=f * price) for name, f in leader.items()},
    }
    return {name: Contender(rule=rule) for name, rule in rules.items()}
