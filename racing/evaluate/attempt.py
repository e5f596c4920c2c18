"""One start of a target and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from racing.experiment import Status, at_bound

LINES_KEPT = 20
CHARACTERS_KEPT = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """One start of a target.

    Attributes
    ----------
    score
        What the target answered, in its own direction; None if the attempt failed. If it is
        censored, what its cost is at least.
    seconds
        What it took on the clock, or what the target itself says it took.
    status
        How it ended.
    message
        Why it failed: one line for people, then the end of what the target wrote to stderr.
    """

    score: float | None = None
    seconds: float = 0.0
    status: Status = Status.OK
    message: str = ""


def message(headline: str, detail: str = "", stderr: str = "") -> str:
    """A failure's message: a headline, which is the same for failures of a kind; what is special
    about this one; the last lines of stderr, safe to print."""
    tail = "\n".join(stderr.strip().splitlines()[-LINES_KEPT:])[-CHARACTERS_KEPT:]
    safe = "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in tail
    )
    return "\n".join(part for part in (headline, detail, safe) if part)


def within(attempt: Attempt, bound: float | None) -> Attempt:
    """An attempt whose answer is its cost: censored if that reaches the bound."""
    if attempt.score is None or at_bound(attempt.score, bound) is Status.OK:
        return attempt
    return replace(attempt, status=Status.CENSORED)
