"""What the loop logs for programs that embed racing; see `racing.logs`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from racing.decider import Decider
from racing.experiment import Outcome
from racing.logs import logger
from racing.plain import printable
from racing.rules.verdict import Verdict

_LOGGER = logger("racing.loop")


def begins(decider: Decider, size: int) -> None:
    """A session begins: what is driven, and how far it is."""
    limits = {name: limit for name, limit in asdict(decider.budget).items() if limit is not None}
    budget = ", ".join(f"{name} {limit:.6g}" for name, limit in limits.items())
    _LOGGER.info(
        "%s begins: %d candidates, %d at a time, budget %s; the log holds %d outcomes",
        type(decider).__name__.lower(),
        len(decider.candidates),
        size,
        budget or "unlimited",
        decider.outcomes,
    )


def heard(outcome: Outcome) -> None:
    """An outcome is in the log: failures at INFO, others at DEBUG."""
    if outcome.failed:
        why = outcome.message.partition("\n")[0]
        _LOGGER.info(
            "candidate %d on instance %d: %s", *outcome.key, printable(why) or outcome.status
        )
    else:
        _LOGGER.debug("candidate %d on instance %d: cost %g", *outcome.key, outcome.cost)


def judged(verdicts: Iterable[Verdict]) -> None:
    """Verdicts: those that drop somebody at INFO, others at DEBUG."""
    for verdict in verdicts:
        gone = ", ".join(str(one.candidate) for one in verdict.eliminated)
        say = _LOGGER.info if gone else _LOGGER.debug
        dropped = f"candidates {gone} dropped" if gone else "nobody dropped"
        say("after %d instances: %s; %d leads", verdict.instances, dropped, verdict.leader)


def ends(decider: Decider) -> None:
    """A session ends: why, who leads, and what was spent."""
    stopped, winner, spent = decider.stopped, decider.winner, decider.spent
    _LOGGER.info(
        "%s %s: %s; %d evaluations on %d instances count",
        type(decider).__name__.lower(),
        "is interrupted" if stopped is None else f"ends, since {stopped.meaning}",
        "no winner" if winner is None else f"candidate {winner.id} leads",
        spent.evaluations,
        decider.instances_seen,
    )
