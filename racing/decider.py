"""The protocol between who decides (a race, a search) and who runs and records experiments.

A decider proposes experiments, hears of their outcomes, and says who is best. It does no I/O, has
no clock and starts no work. `racing.loop.drive` takes any decider; `racing.race.Race` is the first.

                    restore (once, before anything is told)
                       │
                       ▼        ask: experiments go out, `pending` lists them
    ┌───────────────▶ OPEN ◀───────────────────────────────┐
    │                  │ │                                 │
    │   tell: an outcome │  lost: an experiment will not be answered; ask hands it out again
    └──────────────────┘ └─────────────────────────────────┘
                       │
                       ▼        tell completes the last step, or end(reason)
                     DONE       `stopped` says why; ask returns []; extend opens it again

Only `restore`, `ask`, `tell`, `lost`, `end` and `extend` change a decider. Everything else is a
query.

What a decider has come to is a function of its arguments, the entrants that were restored, and the
outcomes told. It is not a function of the order in which outcomes arrive, of how many experiments
were asked for at once, or of what was lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from racing.budget import Budget, Spent
from racing.candidate import Candidate
from racing.experiment import Experiment, Instance, Outcome
from racing.results import Results
from racing.rules.verdict import Verdict
from racing.standing import Standing
from racing.stop import Stop


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """A candidate, and when and why it entered.

    Attributes
    ----------
    candidate
        The candidate; its `parent` is the candidate that it was derived from, if any.
    origin
        Why it is there: `given` at the start, `joined` from outside, or a decider's own word, such
        as `sobol` or `model`.
    draw
        The address of the random stream that it was drawn from: the number of the `Purpose`, then
        the place. () for a candidate that was not drawn by the decider.
    entered
        The decider's own count of steps (closed rows of a race, decisions of a search) before which
        it may not take part. The count does not depend on the order of arrival, so it finds the
        same point again when outcomes are told anew.
    """

    candidate: Candidate
    origin: str = "given"
    draw: tuple[int, ...] = ()
    entered: int = 0


class Decider(Protocol):
    """Proposes experiments, hears of outcomes, decides. See the module for its states."""

    # --- the conversation -------------------------------------------------------------------

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Take over the entrants that a log holds, in the order in which they were logged.

        Called once, before the first `ask` and `tell`; then the log's outcomes are told. Those that
        the decider has anyway, from its arguments, must be equal. Each of the others takes part
        from its point `entered` on, with the values in the log: the decider does not draw it
        again, or checks what it draws.

        Raises
        ------
        RaceError
            If an entrant contradicts the decider's arguments, or an outcome was told before.
        """

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """Experiments to be run next; each is handed out once, unless it is lost.

        A decider that draws candidates does so here or in `tell`. A candidate is in `entrants`
        before an experiment of it is returned, so that the caller can log it first.

        Parameters
        ----------
        limit
            At most this many; None for all that can be run now.
        speculate
            So many more, within the limit, that are not certain to be needed. A decider that has
            work for any number of workers ignores it.

        Returns
        -------
        list of Experiment
            [] once the decider is done, or while everything that can be run now is out. A decider
            that is not done and has nothing out returns at least one.
        """

    def tell(self, outcome: Outcome) -> None:
        """Hear of an outcome, from this session or an earlier one, in any order.

        An outcome that no longer matters, and any outcome told once the decider is done, is counted
        and changes nothing.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        InputError
            If there is no such instance.
        """

    def lost(self, experiment: Experiment) -> None:
        """Hear that an experiment that was asked for will not be answered.

        `ask` hands it out again if its outcome can still count.

        Raises
        ------
        RaceError
            If the experiment is not out.
        """

    def end(self, reason: Stop) -> None:
        """Stop from outside, by the clock for example. A decider that is done stays as it is."""

    def extend(self, budget: Budget) -> None:
        """Go on after the end, with other limits, counted from the start.

        Raises
        ------
        RaceError
            If it is not done, or other limits do not change that it is.
        """

    # --- queries ----------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether it is over."""

    @property
    def stopped(self) -> Stop | None:
        """Why it is over; None while it is not."""

    @property
    def pending(self) -> tuple[Experiment, ...]:
        """The experiments that are out: asked for, neither told nor lost; the oldest first."""

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """Those of `pending` whose outcome can no longer count, so that they may be stopped."""

    @property
    def budget(self) -> Budget:
        """What may be spent."""

    @property
    def spent(self) -> Spent:
        """What has been spent on steps that are complete."""

    @property
    def outcomes(self) -> int:
        """How many outcomes it has heard."""

    @property
    def speculative(self) -> int:
        """Evaluations, out or told, that are not certain to be needed, and may be."""

    @property
    def wasted(self) -> int:
        """Outcomes told that can decide nothing any more, as far as that is known."""

    @property
    def instances_seen(self) -> int:
        """How many instances the best candidates have seen."""

    @property
    def entrants(self) -> Sequence[Entrant]:
        """Every candidate that entered or waits to, in that order; only ever grows."""

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates of `entrants`."""

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """Those that are in and were not dropped."""

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """What was decided, in order; only ever grows."""

    @property
    def winner(self) -> Candidate | None:
        """The best candidate so far; None while there is none."""

    @property
    def results(self) -> Results:
        """The costs that count: a row for each instance by step, a column for each candidate."""

    def ranking(self) -> tuple[Standing, ...]:
        """Where the best candidates stand, best first, on instances that all of them have seen."""

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
