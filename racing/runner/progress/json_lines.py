"""Writes the progress of a run as lines of JSON, for programs that collect logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from racing.base.plain import json_text, talk

if TYPE_CHECKING:
    from racing.core.experiment import Outcome
    from racing.core.view import Watched


class JsonLines:
    """Like `Terminal`, but each line on stderr is one JSON object.

    Every line has `time` (UTC, ISO 8601) and `event`: `outcome`, `verdict`, or `message`. Costs are
    those of the log: lower is better, and a failure, whose cost is infinite, has null.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._verdicts: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, Exception):
            self._write("message", text=f"{type(error).__name__}: {error}")

    def __call__(self, race: Watched, outcome: Outcome) -> None:
        """Write an outcome, and the new verdicts."""
        if self._quiet:
            return
        self._write(
            "outcome",
            candidate=outcome.candidate,
            step=outcome.step,
            instance=race.instance(outcome.step).name,
            cost=None if outcome.failed else outcome.cost,
            seconds=outcome.seconds,
            status=str(outcome.status),
            message=outcome.message,
            worker=outcome.worker,
            attempts=outcome.attempts,
            elapsed=outcome.elapsed,
        )
        if self._verdicts is None:  # skip those of earlier sessions
            self._verdicts = len(race.verdicts)
        for verdict in race.verdicts[self._verdicts :]:
            self._write(
                "verdict",
                instances=verdict.instances,
                leader=verdict.leader,
                dropped=[one.candidate for one in verdict.eliminated],
                left=len(race.survivors),
            )
        self._verdicts = len(race.verdicts)

    def say(self, line: str) -> None:
        """Write a message."""
        self._write("message", text=line)

    def _write(self, event: str, **what: Any) -> None:
        from racing.log.records import now  # imports SQLite, which `--help` does not need

        talk(json_text({"time": now(), "event": event, **what}, indent=None))
