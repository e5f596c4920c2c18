"""The log messages of the loop, for programs that embed racing; see `racing.base.logs`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from racing.base.logs import logger
from racing.base.plain import printable
from racing.core.decider import Decider
from racing.core.experiment import Outcome
from racing.core.verdict import Verdict

_LOGGER = logger("racing.runner.loop")


def begins(decider: Decider, size: int) -> None:
    """Log the beginning of a session, with its state."""
    limits = {name: limit for name, limit in asdict(decider.budget).items() if limit is not None}
    budget = ", ".join(f"{name} {limit:.6g}" for name, limit in limits.items())
    _LOGGER.info(
        "%s begins: %d candidates, %d at a time, budget %s; the log holds %d outcomes",
        type(decider).__name__.lower(),
        len(decider.entrants),
        size,
        budget or "unlimited",
        decider.outcomes,
    )


def heard(outcome: Outcome) -> None:
    """Log an outcome: failures at INFO, others at DEBUG."""
    if outcome.failed:
        why = outcome.message.partition("\n")[0]
        _LOGGER.info(
            "candidate %d on instance %d: %s", *outcome.key, printable(why) or outcome.status
        )
    else:
        _LOGGER.debug("candidate %d on instance %d: cost %g", *outcome.key, outcome.cost)


def judged(verdicts: Iterable[Verdict]) -> None:
    """Log a verdict: at INFO if it drops a candidate, else at DEBUG."""
    for verdict in verdicts:
        gone = ", ".join(str(one.candidate) for one in verdict.eliminated)
        say = _LOGGER.info if gone else _LOGGER.debug
        dropped = f"candidates {gone} dropped" if gone else "none dropped"
        say("after %d instances: %s; %d leads", verdict.instances, dropped, verdict.leader)


def ends(decider: Decider) -> None:
    """Log the end of a session: the reason, the leader, and the spending."""
    stopped, winner, spent = decider.stopped, decider.winner, decider.spent
    search = getattr(decider, "as_search", None) is not None
    _LOGGER.info(
        "%s %s: %s; %d evaluations on %d instances count",
        type(decider).__name__.lower(),
        "is interrupted" if stopped is None else f"ends, since {stopped.why(search=search)}",
        "no winner" if winner is None else f"candidate {winner.id} leads",
        spent.evaluations,
        decider.instances_seen,
    )
