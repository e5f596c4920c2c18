"""Runs in every state that a report may find them in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

import racing
from racing.core.candidate import Candidate
from racing.report import History, history
from tests.report.kit import on_unseen, told, told_metrics
from tests.worlds import hard_world, normal_world

EVIL = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
"""A name that would do something if it were taken for markup."""

NOISE = np.random.default_rng(5).normal(0, 1, 40)
NOISE -= NOISE.mean()

HOSTILE = (
    EVIL,
    "\x1b[31mred\x00\x07",
    "\u202egnitset\u202c right to left",
    "x" * 10_000,
    "`__proto__` ${alert(1)} {{7*7}} \u2028 line",
)


def hostile() -> History:
    """A run whose names, values and messages are hostile."""
    costs = normal_world(8, 14, seed=3, noise=0.2)
    costs[::3, 5] = np.inf
    values = [{"column": j, EVIL: HOSTILE[j % 5], "n": float(j)} for j in range(8)]
    return told(costs, values=values, message="\n".join((*HOSTILE, EVIL)), name=EVIL)


def _not_begun() -> History:
    return told(hard_world(5, 9, seed=4), stop_after=0, finish=False)


def _before_the_first_test() -> History:
    return told(hard_world(6, 9, seed=4), stop_after=15, finish=False)


def _interrupted() -> History:
    return told(normal_world(9, 30, seed=4, noise=0.3), stop_after=120)


def _failed() -> History:
    costs = normal_world(5, 9, seed=4)
    costs[2, 3] = np.inf
    return told(costs, stop_after=20)


def _everything_crashed() -> History:
    return told(np.full((9, 5), np.inf))


def _one_survivor() -> History:
    return told(normal_world(6, 60, seed=2, noise=0.15))


def _many_candidates() -> History:
    return told(np.random.default_rng(1).random((2, 10_000)), rule="none")


def _one_instance() -> History:
    return told(normal_world(6, 1, seed=1), rule="none")


def _one_candidate() -> History:
    return told(normal_world(1, 9, seed=1), rule="none")


def _maximized() -> History:
    return told(-normal_world(7, 30, seed=4, noise=0.3), direction="maximize")


_KINDS = {"default": (3.0, 8), "slow": (4.0, 9), "fast": (1.0, 6), "even": (2.0, 8)}


_LIMIT = {"minimize": "time", "subject_to": ["success >= 0.9"]}


def _constraint() -> History:
    return told_metrics(_LIMIT, **_KINDS)


def _order() -> History:
    return told_metrics({"order": ["success", "time"]}, **_KINDS)


def _front() -> History:
    return told_metrics({"front": ["time", "success"]}, **_KINDS)


def _right_or_wrong() -> History:
    wrong = np.random.default_rng(5).random((40, 4)) < [0.5, 0.15, 0.4, 0.45]
    return told(wrong.astype(float), rule="none", objective="mean")


def _beside_default(gains: np.ndarray, **how: object) -> History:
    """A race of a configuration that gains so much over one that is named `default`."""
    found = racing.minimize(
        lambda values, instance, seed: -values["on"] * gains[instance],
        [Candidate(1, {"on": 0}, "default"), Candidate(2, {"on": 1})],
        range(len(gains)), rule="none", **how,  # type: ignore[arg-type]
    )  # fmt: skip
    return history(found.log)


def _tested(gain: float) -> History:
    """A race, and a test on unseen problems in which its winner gains so much."""
    run = _beside_default(2 + NOISE)
    costs = np.column_stack([np.zeros(len(NOISE)), gain + NOISE])
    return replace(run, tests=(on_unseen(run.race.candidates[1], run.race.candidates[0], costs),))


def _searched(
    instances: dict[str, object], budget: int = 200, default: float | None = 0.9, **search: object
) -> History:
    """A search for x: 0.3 is best, and 0.8 on instances of the kind b."""
    x = {"real": [0, 1]} | ({} if default is None else {"default": default})
    found = racing.minimize(
        lambda values, instance, seed: (
            abs(values["x"] - (0.3 if instance[0] == "a" else 0.8)) + seed % 7 / 70
        ),
        {"x": x}, instances, budget=budget, search=search,
    )  # fmt: skip
    return history(found.log)


STATES: dict[str, Callable[[], History]] = {
    "not begun": cache(_not_begun),
    "before the first test": cache(_before_the_first_test),
    "interrupted": cache(_interrupted),
    "failed": cache(_failed),
    "everything crashed": cache(_everything_crashed),
    "one survivor": cache(_one_survivor),
    "10,000 candidates": cache(_many_candidates),
    "1 instance": cache(_one_instance),
    "1 candidate": cache(_one_candidate),
    "maximized": cache(_maximized),
    "constraint": cache(_constraint),
    "order": cache(_order),
    "front": cache(_front),
    "right or wrong": cache(_right_or_wrong),
}

_PROBLEMS, _OTHERS = ([f"{kind}{k}" for k in range(40)] for kind in "ab")

ANSWERED: dict[str, Callable[[], History]] = {
    **STATES,
    "first candidate wins": lambda: told(np.column_stack([NOISE, 9 + NOISE])),
    "tie": lambda: told(np.column_stack([9 + NOISE, np.zeros((40, 3))])),
    "nothing complete": lambda: told(normal_world(9, 9, seed=1), stop_after=3, finish=False),
    "better on the instances": lambda: told(np.column_stack([2 + NOISE, NOISE]), rule="none"),
    "equal costs": lambda: told(np.full((9, 5), 3.0), rule="none"),
    "constraints missed": lambda: told_metrics(_LIMIT, default=(1.0, 0), slow=(4.0, 5)),
    "default misses a constraint": lambda: told_metrics(_LIMIT, default=(1.0, 3), slow=(4.0, 10)),
    "alone on the front": lambda: told_metrics({"front": ["time", "success"]}, default=(3.0, 8)),
    "default kept": lambda: _beside_default(NOISE - 1),
    "default kept in doubt": lambda: _beside_default(NOISE / 9 + NOISE.std() / 99),
    "one instance": lambda: _beside_default(np.array([2.0])),
    "default beaten": lambda: _beside_default(2 + NOISE[:5]),
    "better on unseen problems": lambda: _tested(2.0),
    "worse on unseen problems": lambda: _tested(-2.0),
    "open on unseen problems": lambda: _tested(0.0),
    "search": lambda: _searched({"list": _PROBLEMS}, 400),
    "search without a default": lambda: _searched({"list": _PROBLEMS}, default=None),
    "search on one problem": lambda: _searched({"list": ["a"], "repeat": True}),
    "search for a team": lambda: _searched({"list": [*_PROBLEMS, *_OTHERS]}, 900, portfolio=2),
}
"""These states, and those that differ from them only in their answer."""
