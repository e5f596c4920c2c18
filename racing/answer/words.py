"""The phrase book of a comparison of two: every reader has these words.

A gain is called one only where its interval lies above 0, and too few instances are said to be too
few. The words for what it was measured on are five: unseen problems, known problems with new
seeds, other instances of known groups, instances held out in turn, instances of the choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from racing.answer.gain import FEW, Gain
from racing.base.words import better_on, count, listed, number, percent, shown
from racing.core.constraints import Kept

_LIKELY = "better than {}, as far as one can tell"
"""By all outcomes, where these instances are too few."""


def _likely(gain: Gain) -> bool:
    return gain.likely and gain.estimate is not None and gain.estimate > 0


def where(gain: Gain) -> str:
    """What a gain was measured on.

    Examples
    --------
    >>> import numpy as np
    >>> from racing.answer.gain import gain
    >>> from racing.answer.words import where
    >>> costs = np.array([[1.0, 2.0], [1.0, 3.0]])
    >>> for of in ("unseen", "seeds", "group", "folds", "choice"):
    ...     print(where(gain(costs, of=of)))
    2 unseen problems
    2 instances of 2 known problems, with new seeds
    2 other instances of 2 known groups
    2 instances held out in turn
    2 instances of the choice
    """
    many, problems = gain.instances, gain.problems
    if gain.of == "choice":
        return f"{count(many, 'instance')} of the choice"
    if gain.of == "seeds":
        return f"{count(many, 'instance')} of {count(problems, 'known problem')}, with new seeds"
    if gain.of == "group":
        groups = "the same group" if problems == 1 else count(problems, "known group")
        return f"{count(many, 'other instance')} of {groups}"
    if gain.of == "folds":
        return f"{count(many, 'instance')} held out in turn"
    of = count(problems, "unseen problem")
    return of if problems == many else f"{count(many, 'instance')} of {of}"


def sentence(gain: Gain) -> str:
    """A gain in words: on what, which of the two is better, by how much, and how sure it is."""
    if gain.why:
        return gain.why
    name, over = _names(gain)
    alone = shown(gain.metric, 30) or ("" if gain.decided_by == "equal" else "the objective")
    by = f"By {alone} alone, on" if alone else "On"
    return f"{by} {where(gain)}, {_said(gain, name, over)}{_counts(gain, name, over)}"


def _names(gain: Gain) -> tuple[str, str]:
    return shown(gain.name), shown(gain.over)


def _said(gain: Gain, name: str, over: str) -> str:
    if gain.estimate is None:
        return f"{name} and {over} never both succeeded."
    if gain.right is not None:
        return _shares(gain, name, over)
    if gain.low > 0 or gain.high < 0:
        word = "worse" if gain.high < 0 else "better"
        in_what = "on average" if gain.measure == "mean" else "in the median"
        size = sized(gain, abs(gain.estimate))
        return f"{name} is {word} than {over} by {size} {in_what} ({ends(gain)})."
    size = f"the {gain.measure} gain is {sized(gain, gain.estimate)}"
    if gain.by_cost == "few":
        size += f" ({ends(gain)})" if gain.closed else ""
        if _likely(gain):
            return f"{name} is {_LIKELY.format(over)}: {size}; {_takes(gain, 'show it')}."
        return f"it cannot be said whether {name} is better than {over}: {size}; {_takes(gain)}."
    if not gain.closed:
        return f"failures decide between {name} and {over}: without them {size}."
    contains = _no_difference(gain) if gain.low == gain.high == 0 else "contains 0"
    return f"{name} is not shown to be better than {over}: {size} ({ends(gain)}, {contains})."


def _no_difference(gain: Gain) -> str:
    """What an interval whose ends are both 0 leaves open: the share that n ties do not exclude."""
    if not gain.fresh or gain.ties < gain.instances:
        return "both ends of its interval are 0"
    share = 1 - (1 - gain.level) ** (1 / gain.observations)
    return f"all are ties, but up to {percent(share)} of such {_observed(gain)} may differ"


def _takes(gain: Gain, what: str = "decide") -> str:
    """How many observations can decide, where they are too few; one is not compared with others."""
    known, more = _observed(gain), gain.measure == "mean" and gain.fresh
    if gain.observations == 1 and known != "problems":
        return f"one {known[:-1]} cannot show it; that takes {FEW} or more"
    return f"{f'more {known}' if more else f'{FEW} {known} or more'} can {what}"


def _shares(gain: Gain, name: str, over: str) -> str:
    """On how many instances each is right, and the difference in points (per cent of them)."""
    assert gain.right is not None
    own, other = (f"{number(100 * share, 3)} %" for share in gain.right)
    said = f"{name} is right on {own} and {over} on {other}"
    if gain.by_cost == "few":
        return f"{said}; {_takes(gain)}."
    low, high = (number(100 * end, 3) for end in (gain.low, gain.high))
    p = f"; McNemar's p = {number(gain.p, 2)}" if gain.test == "mcnemar" else ""
    level = percent(gain.level)
    return f"{said} (the {level} interval of the difference is {low} to {high} points{p})."


def _counts(gain: Gain, name: str, over: str) -> str:
    """Failures, and on how many instances each was better; a mean has only the failures."""
    said = ""
    if gain.failures or gain.over_failures:
        said = (
            f" There {over} failed {times(gain.over_failures)} and {name} {times(gain.failures)}."
        )
    if gain.measure == "mean" and gain.estimate is not None and gain.pairs < gain.instances:
        said += f" The size is of the {gain.pairs} on which nothing failed."
    if gain.measure != "mean":
        said += f" {name} is {better_on(gain.wins, gain.ties, gain.losses)}."
    if _of_problems(gain):
        said += " Each problem counts once in the interval and the test."
    elif gain.groups is not None:
        many = count(gain.groups, "group")
        said += f" The instances come in {many}; each counts once in the interval and the test."
    return said


def times(many: int) -> str:
    """`once`, `3 times`."""
    return {0: "never", 1: "once"}.get(many, f"{many} times")


def _of_problems(gain: Gain) -> bool:
    """Whether the groups are the unseen problems, which come with several seeds."""
    return gain.of == "unseen" and gain.groups == gain.problems < gain.instances


def _observed(gain: Gain) -> str:
    """What the observations are."""
    if gain.groups is not None and not _of_problems(gain):
        return "groups"
    return "problems" if gain.of in ("unseen", "folds") else "instances"


def ends(gain: Gain) -> str:
    """The interval of a gain, its smaller end first as it is told: of a loss, of its size."""
    low, high = (-gain.high, -gain.low) if gain.high < 0 else (gain.low, gain.high)
    return f"{percent(gain.level)} interval {number(low, 4)} to {number(high, 4)}"


def sized(gain: Gain, value: float) -> str:
    """A size with the unit of the costs, if there is one."""
    return " ".join(filter(None, (number(value, 4), shown(gain.unit, 30))))


def brief(gain: Gain) -> str:
    """How sure a gain is, by how much, and on what, within a sentence."""
    if gain.why:
        return ""
    over = shown(gain.over)
    match gain.evidence:
        case "better" | "worse":
            said = f"{gain.evidence} than {over}"
            if why := missed(gain):
                loser = over if gain.evidence == "better" else shown(gain.name)
                said += f", as {loser} misses {why}"
        case "few":
            said = f"too few {_observed(gain)} to say whether better than {over}"
            said = _LIKELY.format(over) if _likely(gain) else said
        case _:
            said = f"not shown to be better than {over}"
    return f"{said}{_by(gain)} on {where(gain)}"


def _by(gain: Gain) -> str:
    """The size with its interval; nothing where it is unknown, or a difference of shares."""
    if gain.estimate is None or gain.right is not None:
        return ""
    by = f": {sized(gain, gain.estimate)}"
    if gain.low > 0 or gain.high < 0:
        size = sized(gain, abs(gain.estimate))
        word = "better" if gain.low > 0 else "worse"
        alone = gain.decided_by == "equal" and gain.evidence == gain.by_cost
        by = f" by {size}" if alone else f"; by the objective alone {word} by {size}"
    return f"{by} ({ends(gain)})" if gain.closed else by


def label(gain: Gain) -> str:
    """What the number of a gain is: for pictures, heads of tables and cells."""
    name, over = _names(gain)
    unit = f" in {shown(gain.unit, 30)}" if gain.unit else ""
    what = "gain in share right" if gain.measure == "share" else f"{gain.measure} gain{unit}"
    by = f" by {shown(gain.metric, 30)}" if gain.metric else ""
    return f"{what}{by} of {name} over {over} on {where(gain)}"


def cell(gain: Gain) -> str:
    """A gain with its interval for the cell of a table; a dash where it is unknown."""
    if gain.estimate is None:
        return "–"
    size = number(gain.estimate, 4)
    return f"{size} ({interval(gain)})" if gain.closed else size


def interval(gain: Gain) -> str:
    """The interval alone for the cell of a table; a dash where it has not two ends."""
    return f"{number(gain.low, 4)} to {number(gain.high, 4)}" if gain.closed else "–"


def missed(gain: Gain) -> str:
    """The constraints that decide against one of the two; empty where they do not decide."""
    if gain.decided_by not in ("better", "worse"):
        return ""
    two = gain.limits, gain.over_limits
    better, worse = two if gain.decided_by == "better" else two[::-1]
    more = "" if all(one.met for one in better) else " by more"
    return listed([one.text for one in worse if not one.met]) + more


def limit_sentences(gain: Gain) -> Iterator[str]:
    """Whether each of the two meets the constraints there."""
    for name, limits in zip(_names(gain), (gain.limits, gain.over_limits), strict=True):
        for one in limits:
            yield _limit(name, one, where(gain))


def _limit(name: str, one: Kept, on: str) -> str:
    mean = "every run failed" if one.mean is None else f"mean {number(one.mean, 4)}"
    if one.low is not None and one.high is not None:
        mean += (
            f", {percent(one.confidence)} interval {number(one.low, 4)} to {number(one.high, 4)}"
        )
    verb = {"met": "meets", "missed": "misses"}.get(one.evidence)
    said = f"{name} {verb}" if verb else f"It is open whether {name} meets"
    return f"{said} {one.text} on {on} ({mean})."


def problems_needed(gain: Gain) -> int | None:
    """About how many observations decide, if the gain is as measured; None if it is known already.

    The half-width of its interval falls with the square root of their number; not so within groups.
    """
    if gain.of == "group":
        return None
    if gain.estimate is None or gain.estimate <= 0 or not math.isfinite(gain.low) or gain.low > 0:
        return None
    return math.ceil(gain.observations * ((gain.estimate - gain.low) / gain.estimate) ** 2)
