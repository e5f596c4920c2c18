"""One start of a target and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from racing.core.experiment import Status, at_bound
from racing.evaluate.answers import Answer
from racing.evaluate.retry import Retry

LINES_KEPT = 20
CHARACTERS_KEPT = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One start of a target.

    Attributes
    ----------
    score
        The target's answer, in its own direction; None if the attempt failed; a lower bound of the
        cost if it is censored. Of several metrics, any of them.
    seconds
        The wall-clock time, or the time that the target reports.
    status
        How it ended.
    message
        Why it failed: one line, then the end of the target's stderr. If it did not fail, a note
        about its answer.
    spent
        The payments by name, such as `usd`.
    retry
        Set if the target's service was busy and the target must be called again.
    refused
        The number of earlier calls that found it busy.
    metrics
        The value of each of several metrics, in its own direction.
    """

    score: float | None = None
    seconds: float = 0.0
    status: Status = Status.OK
    message: str = ""
    spent: Mapping[str, float] = field(default_factory=dict, hash=False)
    retry: Retry | None = None
    refused: int = 0
    metrics: Mapping[str, float] = field(default_factory=dict, hash=False)


def message(headline: str, detail: str = "", stderr: str = "") -> str:
    """The message of a failure: a headline for its kind, details, and the end of stderr."""
    tail = "\n".join(stderr.strip().splitlines()[-LINES_KEPT:])[-CHARACTERS_KEPT:]
    safe = "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in tail
    )
    return "\n".join(part for part in (headline, detail, safe) if part)


def answered(found: Answer, seconds: float, own: Mapping[str, float] | None = None) -> Attempt:
    """An attempt that ended well.

    Parameters
    ----------
    found
        The target's answer.
    seconds
        The duration if the target does not report one.
    own
        The metrics measured by racing.
    """
    metrics = {**found.metrics, **(own or {})}
    return Attempt(
        score=next(iter(metrics.values()), 0.0),
        seconds=seconds if found.seconds is None else found.seconds,
        spent=dict(found.spent),
        metrics=metrics,
    )


def within(attempt: Attempt, bound: float | None) -> Attempt:
    """An attempt with its answer as cost, censored if that reaches the bound."""
    if attempt.score is None or at_bound(attempt.score, bound) is Status.OK:
        return attempt
    return replace(attempt, status=Status.CENSORED)
