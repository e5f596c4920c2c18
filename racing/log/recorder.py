"""Connects a decider and its log: everything is in the log before it counts."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Generic, TypeVar

from racing.base.errors import LogError, show
from racing.core.decider import Decider, Entrant
from racing.core.experiment import Experiment, Instance, Outcome, total
from racing.core.stop import Stop
from racing.log.headers import added_to
from racing.log.log import Log
from racing.log.records import Extension, Header

D = TypeVar("D", bound=Decider)


class Recorder(Generic[D]):
    """A loop uses it in place of the decider, so that a kill at any point loses nothing::

        with SQLiteLog.create(path, header_of(race)) as log:
            recorder = Recorder(race, log)  # tells the race what the log holds: nothing yet
            for experiment in recorder.ask(8):
                recorder.tell(experiment.outcome(cost_of(experiment)))
            ...
            recorder.finish()  # ends the session, and the run if the race is over

    Candidates are logged before an experiment of them is handed out, outcomes before the decider
    receives them, verdicts after. To continue later, open the log and make a recorder with a new,
    equal decider.

    Parameters
    ----------
    decider
        A new one, with the arguments of the logged run.
    log
        Open for writing.

    Raises
    ------
    LogError
        If the log's verdicts or instances differ from the decider's: log and code disagree.
    RaceError
        If its candidates do.
    """

    def __init__(self, decider: D, log: Log) -> None:
        self.decider, self.log = decider, log
        self._instances: dict[int, Instance] = {}  # of experiments handed out, by step
        self._verdicts = 0
        log.begin_session(os.getpid(), socket.gethostname())
        try:
            self._entrants = len(retell(decider, log))
            self._write()
            self._charge_lost()
        except BaseException as error:
            self.abandon(error)
            raise

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """As `Decider.ask`; new candidates are in the log on return."""
        batch = self.decider.ask(limit, speculate=speculate)
        self._instances |= {one.instance.step: one.instance for one in batch}
        self._write()
        return batch

    def _charge_lost(self) -> None:
        """Charge paid evaluations of earlier sessions that have no outcome, at the mean price."""
        known = sum(lost.evaluations for lost in self.log.losses())
        if self.log.finished is None and (more := self.log.unanswered - known) > 0:
            made = [one for one in self.log.each_outcome() if one.reused is None]
            spent = at_mean_price(total(one.spent for one in made), len(made), more)
            self.log.note_lost(more, spent)
            self.decider.charge(spent)

    def tell(self, outcome: Outcome) -> None:
        """Commit an outcome, then tell the decider."""
        self._write()
        self.log.record(outcome, self.instance(outcome.step))
        self.decider.tell(outcome)
        self._write()

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        if step not in self._instances:
            self._instances[step] = self.decider.instance(step)
        return self._instances[step]

    def finish(self, *, elapsed: float | None = None) -> None:
        """End the session, and the run if the decider is done and the target did not fail.

        Parameters
        ----------
        elapsed
            The run's wall-clock seconds so far, over all sessions.
        """
        self._write()
        stopped, winner = self.decider.stopped, self.decider.winner
        self.log.end_session(str(stopped or "interrupted"), elapsed=elapsed)
        if stopped is not None and stopped is not Stop.TARGET_FAILED:
            self.log.finish(str(stopped), None if winner is None else winner.id)

    def abandon(self, error: BaseException, *, elapsed: float | None = None) -> None:
        """End the session by an error; ignore errors of the log."""
        why = f"{type(error).__name__}: {error}".partition("\n")[0]
        with suppress(LogError):
            self.log.end_session(why, elapsed=elapsed)

    def _write(self) -> None:
        """Log new entrants and verdicts."""
        entrants, verdicts = self.decider.entrants, self.decider.verdicts
        if len(entrants) > self._entrants:
            self.log.add(entrants[self._entrants :])
            self._entrants = len(entrants)
        for verdict in verdicts[self._verdicts :]:
            self.log.record_verdict(verdict)
            self._verdicts += 1


def retell(
    decider: D, log: Log, *, heard: Callable[[D, Outcome], None] | None = None
) -> list[Entrant]:
    """Replay a log into a new decider; returns the log's entrants.

    `heard` is called after each outcome, with the decider at that point.
    """
    entrants = log.entrants()
    decider.restore(entrants)
    extensions, losses = deque(log.extensions()), deque(log.losses())
    noted, met = {instance.step: instance for instance in log.instances()}, set[int]()
    for number, outcome in enumerate(log.each_outcome()):
        if outcome.step not in noted:
            raise LogError(f"the log of {log.header.name} has no instance {outcome.step}")
        while extensions and extensions[0].after == number:
            _extend(decider, extensions.popleft(), log.header)
        while losses and losses[0].after == number:
            decider.charge(losses.popleft().spent)
        if outcome.step not in met:
            _check_instance(decider, noted[outcome.step], log.header)
            met.add(outcome.step)
        decider.tell(outcome)
        if heard is not None:
            heard(decider, outcome)
    for extension in extensions:
        _extend(decider, extension, log.header)
    for lost in losses:
        decider.charge(lost.spent)
    if log.finished is not None:  # for example by the clock, which outcomes do not show
        decider.end(Stop(log.finished.stopped))
    return entrants


def _check_instance(decider: Decider, noted: Instance, header: Header) -> None:
    """Refuse a decider with other instances, or seeds, than the logged run."""
    own = decider.instance(noted.step)
    if (own.name, own.seed) != (noted.name, noted.seed):
        raise LogError(
            f"the log of {header.name} has instance {show(noted.name)} with seed {noted.seed} at "
            f"step {noted.step}, where this run has {show(own.name)} with seed {own.seed}; give it "
            "the instances and the seed of the logged run, or name another log"
        )


def at_mean_price(paid: Mapping[str, float], evaluations: int, more: int) -> dict[str, float]:
    """The payments for `more` evaluations, at the mean price of those that this was paid for."""
    return {name: more * amount / evaluations for name, amount in paid.items()} if more else {}


def _extend(decider: Decider, extension: Extension, header: Header) -> None:
    """End as the run had ended, and continue with the new limits, and more instances if any."""
    decider.end(Stop(extension.finish.stopped))
    decider.extend(extension.budget, added_to(header, extension.instances))
