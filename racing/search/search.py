"""The search: configurations are proposed near the best, raced against them, and confirmed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from racing.ask_tell import AskTell
from racing.budget import Budget, Spent
from racing.candidate import Candidate
from racing.decider import Entrant
from racing.errors import RaceError
from racing.experiment import Experiment, Instance, Outcome
from racing.instances import Instances
from racing.markup import paragraph
from racing.objective import Objective
from racing.quantities import Direction
from racing.race.arguments import whole
from racing.results import Results
from racing.rules.rule import Rule
from racing.rules.verdict import Verdict
from racing.search import arguments
from racing.search.book import Book
from racing.search.coding import Coding
from racing.search.confirmation import Confirmation
from racing.search.design import Design
from racing.search.elites import block_results
from racing.search.finish import Finish
from racing.search.gain import Gain
from racing.search.history import History
from racing.search.initial import Initial, initial_size
from racing.search.ledger import Ledger
from racing.search.model import MODELS, Model
from racing.search.phase import Desk, Phase
from racing.search.plain import Plain, race_instead, race_size
from racing.search.rules import Rules
from racing.search.running import Running
from racing.search.settings import Settings
from racing.seeds import Purpose
from racing.space import Configuration, Parameter, Space
from racing.standing import Standing, ranking, ranking_table
from racing.stop import Stop


class Search(AskTell):
    """A search for a good configuration, driven by ask and tell like a race::

        search = Search(space, instances, budget=1000)
        while not search.done:
            for experiment in search.ask():
                search.tell(experiment, cost_of(experiment))
        search.winner, search.gain

    There are no iterations. The *elites* are the best configurations known, and have all seen the
    same instances. *Challengers* are drawn near an elite, one after the other, and race it on
    instances that it has seen; who gets through becomes an elite. After every few decisions the
    elites meet one new instance. At the end the best is held to the default on instances that
    chose nobody, and the default wins if it is ahead by all that both have met.

    It goes through four parts: known configurations, the default and a Sobol sequence are halved
    over the first instances (`initial`); challengers race the elites (`running`); the best two race
    on with what is left (`finish`); the best is confirmed (`confirmation`). With fewer than 60
    evaluations, or with fewer configurations than the initial ones would be, all this is replaced
    by one race; `notes` says so.

    What it comes to is a function of the arguments and of the outcomes told, not of their order.
    Challenger c is drawn from what decisions 1 … c − window have shown, and decisions are applied
    in the order of their numbers; so up to `window` challengers are under way at once. The window
    is therefore part of the scenario, and not of the machine.

    Parameters
    ----------
    space
        The configurations to choose from: a `Space`, or parameters as in a file,
        `{"x": {"real": [0, 1]}}`. Its known configurations and its default take part.
    instances
        `Instances`, or a sequence of problems, to be met in shuffled order and, after the last,
        again with new seeds.
    budget
        What may be spent: a number of evaluations, a mapping of limits, or a `Budget`. Evaluations,
        target time or wall-clock time must be limited.
    seed
        Keys every random draw.
    window
        How many challengers may be under way: four for every worker keep all of them busy.
    known
        Configurations, or candidates with names, that enter first; what they leave out takes its
        default.
    objective
        What "best" means among the elites: `mean`, the lowest mean cost, or `rank`, the best mean
        rank, which no single cost can upset.
    direction
        Whether scores told are to be small (`minimize`) or large (`maximize`). Inside, and in every
        `Outcome`, there are costs, and lower is better.
    rule
        Judges challengers in place of the screening rule; see `racing.search.screening` for which
        rules make sense.
    settings
        How the budget is spent.
    model
        Draws the challengers; by default what `settings` name.

    Raises
    ------
    InputError
        If something is not what it should be, or there is no limit that would end the search.
    """

    def __init__(
        self,
        space: Space | Mapping[str, Parameter | Mapping[str, object]],
        instances: Instances | Sequence[object],
        *,
        budget: Budget | int | Mapping[str, float],
        seed: int = 1,
        window: int = 10,
        known: Iterable[Configuration | Candidate] = (),
        objective: Objective = "mean",
        direction: Direction = "minimize",
        rule: Rule | str | Mapping[str, object] | None = None,
        settings: Settings | None = None,
        model: Model | None = None,
    ) -> None:
        space = arguments.space_of(space)
        arguments.check(objective, direction)
        self.space, self.objective = space, objective
        self.budget = arguments.limited(budget)
        self.seed = whole("seed", seed, least=0)
        self.window = whole("window", window)
        self.settings = settings or Settings()
        self.instances = arguments.stream_of(instances)
        self.verdicts: list[Verdict] = []
        self.stopped: Stop | None = None
        limit = arguments.limit_of(self.instances, self.budget)
        rules = Rules(
            settings=self.settings,
            model=model or MODELS[self.settings.model](),
            objective=objective,
            window=self.window,
            limit=limit,
            rule=arguments.judging(rule),
            budgeted=limit == self.budget.instances,
        )
        self._book = Book(Coding(space), self.instances, self.seed)
        super().__init__(direction, self._book.queue)
        self._design = Design(self._book.coding, known, self.seed)
        share = self.settings.confirmed_share(self.budget)
        self._confirm = share if self._design.given else 0.0
        self._ledger = Ledger(self.budget, kept=self.settings.finish + self._confirm)
        coding = self._book.coding
        history = History(coding.dimension, objective, coding.rows)
        self._desk = Desk(self._book, self._ledger, rules, self.verdicts.append, history)
        arguments.check_first(self.budget, max(len(self._design.given), 2))
        self.notes: tuple[str, ...] = ()
        self._phase: Phase | None = None
        self._reasons: list[Stop] = []

    # --- the conversation -------------------------------------------------------------------

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Take over the candidates that a log holds.

        They are drawn again when their turn comes, and take the logged values if these are the same
        but for rounding.

        Raises
        ------
        RaceError
            If the search has begun, or an entrant is not what this search begins with.
        """
        if self._phase is not None:
            raise RaceError("restore must come before the first ask and tell")
        self._book.logged = {entrant.candidate.id: entrant for entrant in entrants}

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """Experiments to be run next, each handed out once unless it is lost.

        Parameters
        ----------
        limit
            At most this many; None for all that can be run now.
        speculate
            Ignored: the window says how much is under way.
        """
        self._begin()
        return self._book.queue.take(limit)

    def _hear(self, outcome: Outcome) -> None:
        self._begin()
        self._book.hear(outcome)
        if not self.done:
            self._now.hear(outcome.candidate)
            self._go_on()

    def end(self, reason: Stop) -> None:
        """Stop from outside: time is up, or the target must not fail."""
        if not self.done:
            self.stopped = reason
            self._book.queue.clear()

    def extend(self, budget: Budget | int | Mapping[str, float]) -> None:
        """Go on after the end, with other limits: challengers race the elites again.

        Parameters
        ----------
        budget
            The limits, counted from the start of the search.

        Raises
        ------
        InputError
            If there is no limit that would end the search.
        RaceError
            If the search is not over, or has no elites to go on from.
        """
        if not self.done:
            raise RaceError("the search is not over yet; extend it when it is")
        limits, phase = arguments.limited(budget), self._phase
        if self.stopped is Stop.ALL_FAILED or phase is None or not phase.elites:
            raise RaceError("the search has found nothing to go on from; begin a new one")
        self.budget, limit = limits, arguments.limit_of(self.instances, limits)
        rules = replace(self._desk.rules, limit=limit, budgeted=limit == limits.instances)
        self._desk = replace(self._desk, rules=rules)
        self._ledger.extend(limits, kept=self.settings.finish + self._confirm)
        self._book.queue.clear()
        self.stopped, self._reasons, self.notes = None, [], ()
        self._phase = self._extension(phase)
        self._go_on()

    def _extension(self, phase: Phase) -> Phase:
        """The first part of an extension, from the part that was the last."""
        elites, instances = phase.elites, phase.instances
        if isinstance(phase, Confirmation):  # it may have made one winner that met other instances
            elites, instances = phase.racing, phase.raced
        elites = elites[: self.settings.elites]
        return Running(self._desk, elites, instances, begun=self._numbered)

    @property
    def _numbered(self) -> int:
        """The number for the first challenger of an extension: the next multiple of K."""
        drawn = sum(one.draw[:1] == (int(Purpose.CHALLENGER),) for one in self.entrants)
        return -(-drawn // self.settings.every) * self.settings.every

    # --- queries ----------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the search is over; `stopped` says why."""
        return self.stopped is not None

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """Those of `pending` whose outcome can no longer count."""
        return self._book.queue.unwanted

    @property
    def phase(self) -> str:
        """Which part it is in: `initial`, `running`, `finish`, `confirmation` or `plain`."""
        return type(self._phase).__name__.lower() if self._phase else "initial"

    @property
    def spent(self) -> Spent:
        """What was spent on decisions that are made."""
        return self._ledger.spent

    @property
    def expected_evaluations(self) -> float:
        """What the budget allows beyond those told; inf if it does not limit evaluations."""
        under_way = self.outcomes - self.spent.evaluations
        left = self.budget.left(self.spent).evaluations
        return 0.0 if self.done else max(left - under_way, 0.0)

    @property
    def speculative(self) -> int:
        """None: the window, and not the number of workers, says how much is under way."""
        return 0

    @property
    def uncounted(self) -> Sequence[Outcome]:
        """None: every outcome was asked for by somebody who waited for it."""
        return ()

    @property
    def wasted(self) -> int:
        """Outcomes that decided nothing, once the search is done; 0 before."""
        return self.outcomes - self.spent.evaluations if self.done else 0

    @property
    def progress(self) -> float:
        """The largest share of a limit that is spent, from 0 to 1, not counting what is kept."""
        return self._ledger.progress

    @property
    def outcomes(self) -> int:
        """How many outcomes it has heard."""
        return len(self._book.told)

    @property
    def instances_seen(self) -> int:
        """How many instances the elites have all seen."""
        return self._phase.instances if self._phase else 0

    @property
    def entrants(self) -> Sequence[Entrant]:
        """Every candidate that entered, in that order."""
        return self._book.entrants

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every candidate that entered, in that order."""
        return tuple(entrant.candidate for entrant in self._book.entrants)

    @property
    def baseline(self) -> Candidate | None:
        """What the winner is held to: the default, or else the first known configuration."""
        place = self._design.baseline
        return None if place is None else self._book.candidates.get(place + 1)

    @property
    def elites(self) -> tuple[Candidate, ...]:
        """The best so far, the best first."""
        ids = self._phase.elites if self._phase else ()
        return tuple(self._book.candidates[id] for id in ids)

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """The elites."""
        return self.elites

    @property
    def winner(self) -> Candidate | None:
        """The best elite; None while nothing is known, or nothing ever worked."""
        if self.stopped is Stop.ALL_FAILED or not self.elites:
            return None
        return self.elites[0]

    @property
    def results(self) -> Results:
        """All costs: a row for each instance by step, a column for each candidate.

        The elites are the survivors.
        """
        return self._book.results([one.id for one in self.elites])

    def ranking(self) -> tuple[Standing, ...]:
        """Where the elites stand among each other, the best first."""
        ids = [one.id for one in self.elites]
        if not ids:
            return ()
        costs = self._book.costs(ids, self._met)
        return ranking(block_results(costs, ids), self._book.candidates, self.objective)

    @property
    def found(self) -> Candidate | None:
        """The best configuration that is not the default itself; `gain` is its.

        It is the winner unless the default is ahead by all that both have met.
        """
        if isinstance(self._phase, Confirmation):
            id = self._phase.found
        else:
            base = self.baseline
            ids = (one.id for one in self.elites)
            id = next((id for id in ids if base is None or id != base.id), None)
        return None if id is None else self._book.candidates[id]

    @property
    def gain(self) -> Gain | None:
        """The gain of `found` over the default on instances that chose nobody; None if unknown."""
        return self._phase.gain() if isinstance(self._phase, Confirmation) else None

    @property
    def unconfirmed(self) -> str:
        """Why there is no `gain`; empty if there is one, or the search is not there yet."""
        return self._phase.skipped if isinstance(self._phase, Confirmation) else ""

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        return self._book.instance(step)

    def __repr__(self) -> str:
        parts = [
            self.phase,
            f"{len(self.entrants)} configurations",
            f"{self.instances_seen} instances",
            f"{self.outcomes} evaluations",
            f"over: {self.stopped}" if self.stopped else f"{len(self.pending)} out",
        ]
        if self.winner is not None:
            parts.append(f"best {self.winner}")
        return f"<Search: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        from racing.sketches import sketches

        ranking = ranking_table(self.ranking(), self.direction)
        return paragraph(repr(self)[1:-1]) + sketches(self) + ranking

    # --- from part to part ------------------------------------------------------------------

    @property
    def _met(self) -> Sequence[int]:
        """The steps that all elites have met."""
        if isinstance(self._phase, Confirmation):
            return self._phase.steps
        return range(self.instances_seen)

    @property
    def _now(self) -> Phase:
        assert self._phase is not None
        return self._phase

    def _begin(self) -> None:
        """Begin the first part, once."""
        if self._phase is not None or self.done:
            return
        size = initial_size(self._ledger.evaluations, self.settings)
        why = race_instead(self.budget, self.space.size, size)
        self._phase = self._race_instead(why, size) if why else Initial(self._desk, self._design)
        self._go_on()

    def _race_instead(self, why: str, size: int) -> Plain:
        """A plain race: of all configurations, where there are no more than `size`."""
        self._ledger.release(1.0)
        if self.space.size <= size:
            draws = self._design.given + self._design.all()
        else:
            wanted = race_size(self.budget)
            draws = self._design.given + self._design.take(wanted - len(self._design.given))
        self.notes = (why.format(n=len(draws)),)
        return Plain(self._desk, draws)

    def _go_on(self) -> None:
        """Pass from part to part while one is over."""
        while not self.done and self._now.over:
            phase = self._now
            if phase.why is not None:
                self._reasons.append(phase.why)
            if phase.why is Stop.ALL_FAILED or not phase.elites:
                self.end(phase.why or Stop.ALL_FAILED)
            elif isinstance(phase, Confirmation):
                self.end(self._reasons[0] if self._reasons else Stop.SURVIVORS)
            else:
                self._phase = self._next(phase)

    def _next(self, phase: Phase) -> Phase:
        """The part after one that is over."""
        self._book.queue.clear()
        elites, instances = phase.elites, phase.instances
        if isinstance(phase, Initial) and phase.why is None:
            return Running(self._desk, elites, instances)
        if isinstance(phase, Initial | Running):
            self._ledger.release(1 - self._confirm)
            return Finish(self._desk, elites, instances)
        self._ledger.release(1.0)
        return Confirmation(self._desk, elites, instances, self.baseline)
