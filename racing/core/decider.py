"""The protocol between a race or search, which decides, and the loop that runs and records.

A decider proposes experiments, receives their outcomes, and says which candidate is best. It does
no I/O, has no clock and starts no work. `racing.runner.loop.drive` takes any decider.

                    restore (once, before the first tell)
                       │
                       ▼        ask: experiments go out
    ┌───────────────▶ OPEN ◀───────────────────────────────┐
    │                  │ │                                 │
    │   tell: an outcome │  lost: an experiment has no outcome; ask returns it again
    └──────────────────┘ └─────────────────────────────────┘
                       │
                       ▼        tell completes the last step, or end(reason)
                     DONE       `stopped` says why; ask returns []; extend opens it again

Only `restore`, `ask`, `tell`, `lost`, `end`, `extend` and `charge` change a decider. All other
members are queries.

The state of a decider is a function of its arguments, the restored entrants, and the outcomes. It
does not depend on the order of outcomes, on how many experiments were asked for at once, or on lost
experiments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from racing.core.budget import Budget, Spent
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.core.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """A candidate, and when and why it entered.

    Attributes
    ----------
    candidate
        The candidate; its `parent` is the candidate that it was derived from, if any.
    origin
        Its source: `given` at the start, `joined` later, or a word of the decider, such as `sobol`
        or `model`.
    draw
        The key of the random stream that it was drawn from: the number of the `Purpose`, then the
        place. () for a candidate that the decider did not draw.
    entered
        The decider's own count of steps (closed rows of a race, decisions of a search) before which
        it may not take part. The count does not depend on the order of arrival, so a replay finds
        the same point.

    Examples
    --------
    >>> import racing
    >>> race = racing.Race([{"x": 0.1}, {"x": 0.2}], range(10))
    >>> [(entrant.candidate.id, entrant.origin) for entrant in race.entrants]
    [(1, 'given'), (2, 'given')]
    """

    candidate: Candidate
    origin: str = "given"
    draw: tuple[int, ...] = ()
    entered: int = 0


class Decided(Protocol):
    """What a race or a search has decided so far: what the loop and all who watch it need."""

    @property
    def stopped(self) -> Stop | None:
        """The reason for its end; None before."""

    @property
    def budget(self) -> Budget:
        """The limits."""

    @property
    def spent(self) -> Spent:
        """The spending on complete steps."""

    @property
    def outcomes(self) -> int:
        """The number of outcomes received."""

    @property
    def instances_seen(self) -> int:
        """The number of instances that the best candidates have seen."""

    @property
    def wasted(self) -> int:
        """The number of outcomes that can no longer have an effect, as far as known."""

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """All verdicts, in order; entries are never removed."""

    @property
    def winner(self) -> Candidate | None:
        """The best candidate so far; None while there is none."""

    def instance(self, step: int) -> Instance:
        """The instance at a step."""


class Decider(Decided, Protocol):
    """Proposes experiments, receives outcomes, decides: the members that the loop and the log need.

    The module shows its states. `racing.core.view` has the members for progress and reports.
    """

    # --- ask and tell -----------------------------------------------------------------------

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Take the entrants of a log, in their order.

        Called once, before the first `ask` and `tell`; then the log's outcomes are told. Entrants
        from the decider's arguments must be equal. Each other one takes part from its point
        `entered` on, with the values in the log: the decider does not draw it again, or checks its
        draw.

        Raises
        ------
        RaceError
            If an entrant contradicts the decider's arguments, or an outcome was told before.
        """

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """The experiments to run next; each is returned once, unless it is lost.

        A decider that draws candidates does so here or in `tell`. A candidate is in `entrants`
        before an experiment of it is returned, so that the caller can log it first.

        Parameters
        ----------
        limit
            At most this many; None for all that can be run now.
        speculate
            So many more, within the limit, that may be needed later. A decider that has work for
            any number of workers ignores it.

        Returns
        -------
        list of Experiment
            [] when the decider is done, or while all that can run now is out. A decider that is not
            done and has nothing out returns at least one.
        """

    def tell(self, outcome: Outcome) -> None:
        """Receive an outcome, from this session or an earlier one, in any order.

        An outcome that no longer matters, and any outcome after the end, is counted and has no
        effect.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        InputError
            If there is no such instance.
        """

    def lost(self, experiment: Experiment) -> None:
        """Note that an experiment will have no outcome.

        `ask` returns it again if its outcome can still count.

        Raises
        ------
        RaceError
            If the experiment is not out.
        """

    def spare(self, experiment: Experiment) -> bool:
        """Whether the budget of money, if any, covers a second attempt; notes it."""

    def end(self, reason: Stop) -> None:
        """Stop, for example because time is up. A decider that is done does not change."""

    def extend(self, budget: Budget, more: Instances | None = None) -> None:
        """Continue after the end, with other limits, counted from the start.

        Parameters
        ----------
        more
            Instances to add, which come next; see `Instances.grown`.

        Raises
        ------
        RaceError
            If it is not over, or other limits cannot continue it.
        """

    def charge(self, spent: Mapping[str, float]) -> None:
        """Note payments, by name, for evaluations that have no outcome: their session was killed.

        The budget counts them from here on.
        """

    # --- queries ----------------------------------------------------------------------------

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """The experiments that are out and can no longer count: they may be stopped."""

    @property
    def speculative(self) -> int:
        """The number of evaluations, out or told, that may be needed but need not be."""

    @property
    def entrants(self) -> Sequence[Entrant]:
        """All candidates that entered or wait to, in that order; entries are never removed."""
