"""Runs in every state that a report may find them in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from racing.report import History
from tests.report.kit import told, told_metrics
from tests.worlds import hard_world, normal_world

EVIL = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
"""A name that would do something if it were taken for markup."""

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


def _constraint() -> History:
    return told_metrics({"minimize": "time", "subject_to": ["success >= 0.9"]}, **_KINDS)


def _order() -> History:
    return told_metrics({"order": ["success", "time"]}, **_KINDS)


def _front() -> History:
    return told_metrics({"front": ["time", "success"]}, **_KINDS)


def _right_or_wrong() -> History:
    wrong = np.random.default_rng(5).random((40, 4)) < [0.5, 0.15, 0.4, 0.45]
    return told(wrong.astype(float), rule="none", objective="mean")


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
