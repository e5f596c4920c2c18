"""The search: configurations are proposed near the best, raced against them, and confirmed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import math

from racing.budget import Budget, Spent
from racing.candidate import Candidate
from racing.errors import InputError
from racing.experiment import Experiment, Instance, Outcome
from racing.instances import Instances
from racing.objective import Objective
from racing.race.arguments import check_counts, stream_of
from racing.race.stop import Stop
from racing.results import Results
from racing.rules.verdict import Verdict
from racing.search.book import Book
from racing.search.coding import Coding, Draw
from racing.search.confirm import Gain
from racing.search.decision import displaced
from racing.search.design import designed, given
from racing.search.elites import best_first, block_results
from racing.search.final import Confirmation, Finish
from racing.search.initial import Halving, initial_size
from racing.search.ledger import Ledger
from racing.search.model import Cooled, Model
from racing.search.rules import Rules
from racing.search.running import Running
from racing.search.scores import block_scores
from racing.search.settings import Settings
from racing.space import Space
from racing.space.parameter import Value
from racing.standing import Standing, ranking


class Search:
    """A search for good configurations, driven by ask and tell."""

    def __init__(
        self,
        space: Space,
        instances: Instances | Sequence[object],
        *,
        budget: Budget,
        seed: int = 1,
        window: int = 10,
        known: Iterable[Mapping[str, Value]] = (),
        objective: Objective = "mean",
        settings: Settings | None = None,
        model: Model | None = None,
        coding: Coding | None = None,
    ) -> None:
        self.space, self.budget, self.seed, self.window = space, budget, seed, window
        self.objective: Objective = objective
        self.settings = settings or Settings()
        self.instances = stream_of(instances)
        check_counts(window=window)
        self.verdicts: list[Verdict] = []
        self.stopped: Stop | None = None
        limit = min(
            (e for e in (self.instances.limit, budget.instances) if e is not None),
            default=math.inf,
        )
        self._rules = Rules(
            settings=self.settings,
            model=model or Cooled(),
            objective=objective,
            window=window,
            limit=limit,
        )
        self._book = Book(self.instances, seed)
        self._coding = coding or Coding(space)
        self._ledger = Ledger(budget, kept=self.settings.finish + self.settings.confirm)
        self.default: Candidate | None = None
        draws = given(self._coding, known)
        draws += designed(
            self._coding, initial_size(self._ledger.evaluations, self.settings) - len(draws), seed
        )
        for number, draw in enumerate(draws, start=1):
            self._book.enter(Candidate(number, draw.values), draw.point)
        steps = int(min(self.settings.first_instances, limit))
        self._halving: Halving | None = Halving(
            self._book, list(self._book.candidates), steps, objective, self.settings
        )
        self._running: Running | None = None
        self._finish: Finish | None = None
        self._confirmation: Confirmation | None = None

    def ask(self, limit: int | None = None) -> list[Experiment]:
        return self._book.queue.take(limit)

    def tell(self, outcome: Outcome) -> None:
        self._book.hear(outcome)
        if self.done:
            return
        id = outcome.candidate
        if self._halving is not None:
            self._halve()
        elif self._running is not None:
            self._running.hear(id)
            self._see_running()
        elif self._finish is not None:
            self._finish.hear(id)
            self._see_finish()
        elif self._confirmation is not None:
            self._confirmation.hear(id)
            self._see_confirmation()

    def _halve(self) -> None:
        halving = self._halving
        while halving.batch.complete:
            self._ledger.charge(self._book.outcomes(halving.ids, halving.due), halving.due.stop)
            halving.close()
            if halving.over:
                self._halving = None
                self._running = Running(
                    self._book, self._coding, self._ledger, self._rules, halving.ids, halving.seen, self.verdicts.append
                )
                self._see_running()
                return
            halving.go_on()

    def _see_running(self) -> None:
        run = self._running
        if run.over:
            self._running = None
            self.elites = run.state.elites
            self.seen = run.state.instances
            self.decisions = run.state.decisions
            self._ledger.release(1 - self.settings.confirm)
            self._finish = Finish(self._book, self._ledger, self._rules, self.elites, self.seen, self.verdicts.append)
            self._see_finish()

    def _see_finish(self) -> None:
        f = self._finish
        if f.over:
            self._finish = None
            self.elites, self.seen = f.elites, f.instances
            self._ledger.release(1.0)
            d = self.default.id if self.default else None
            self._confirmation = Confirmation(self._book, self._ledger, self.elites[0], d, seen=self.seen, limit=self._rules.limit)
            self._see_confirmation()

    def _see_confirmation(self) -> None:
        if self._confirmation.over:
            self.stopped = Stop.EVALUATIONS

    @property
    def done(self) -> bool:
        return self.stopped is not None

    @property
    def winner(self) -> Candidate | None:
        return self._book.candidates[self.elites[0]]

    @property
    def spent(self) -> Spent:
        return self._ledger.spent
