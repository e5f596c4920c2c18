"""Whether the winner and another candidate meet the constraints, in words."""

from __future__ import annotations

from collections.abc import Iterator

from racing.base.words import listed, number, percent
from racing.core.constraints import Kept
from racing.report.gain import WinnerGain
from racing.report.names import refer


def missed(gain: WinnerGain) -> str:
    """The constraints that decide against one of the two; empty where they do not decide."""
    if gain.decided_by not in ("better", "worse"):
        return ""
    two = gain.limits, gain.other_limits
    better, worse = two if gain.decided_by == "better" else two[::-1]
    more = "" if all(one.met for one in better) else " by more"
    return listed([one.text for one in worse if not one.met]) + more


def limit_sentences(gain: WinnerGain) -> Iterator[str]:
    """Whether each of the two meets the constraints on held-out instances."""
    for one, limits in ((gain.winner, gain.limits), (gain.against, gain.other_limits)):
        for limit in limits:
            yield limit_sentence(refer(one), limit, "held-out instances")


def limit_sentence(name: str, one: Kept, where: str) -> str:
    """Whether a candidate meets a constraint, on instances that had no part in the choice."""
    mean = "every run failed" if one.mean is None else f"mean {number(one.mean, 4)}"
    if one.low is not None and one.high is not None:
        ends = f"{number(one.low, 4)} to {number(one.high, 4)}"
        mean += f", {percent(one.confidence)} interval {ends}"
    match one.evidence:
        case "met":
            return f"{name} meets {one.text} on {where} ({mean})."
        case "missed":
            return f"{name} misses {one.text} on {where} ({mean})."
    return f"{where.capitalize()} do not decide whether {name} meets {one.text} ({mean})."
