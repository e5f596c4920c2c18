"""The search: proposes configurations near the best, races them, and confirms the winner."""

from __future__ import annotations

from racing.base.seeds import Purpose
from racing.search.base import SearchBase
from racing.search.confirmation import Confirmation
from racing.search.initial import Initial, initial_size
from racing.search.main_phase import Finish, MainPhase
from racing.search.phase import Phase
from racing.search.settings import Settings
from racing.search.single_race import race_instead, why_no_search


class Search(SearchBase):
    """A search for a good configuration, driven by ask and tell like a race::

        search = Search(space, instances, budget=1000)
        while not search.done:
            for experiment in search.ask():
                search.tell(experiment, cost_of(experiment))
        search.winner, search.gain

    There are no iterations. The *elites* are the best configurations known, and have all seen the
    same instances. *Challengers* are drawn near an elite, one after the other, and race it on
    instances that it has seen; the best of those that pass all tests become elites. After every few
    decisions the elites meet one new instance. At the end the best is compared with the default on
    fresh instances, and the default is kept unless something is shown to be better.

    It has four phases: known configurations, the default and a Sobol sequence are halved over the
    first instances (`initial`); challengers race the elites (`running`); the best two race on with
    the rest of the budget (`finish`); the best is confirmed (`confirmation`). With fewer than 10
    evaluations, or with fewer configurations than the initial phase needs, one race replaces all
    this; `notes` says so.

    Its result is a function of the arguments and of the outcomes, not of their order. Challenger c
    depends on decisions 1 … c − window only, and decisions are applied in the order of their
    numbers; so up to `window` challengers run at once. The window is part of the scenario, not of
    the machine.

    Parameters
    ----------
    space
        The space of configurations: a `Space`, or parameters as in a file,
        `{"x": {"real": [0, 1]}}`. Its known configurations and its default take part.
    instances
        `Instances`, or a sequence of problems, to be met in shuffled order and, after the last,
        again with new seeds.
    budget
        The limits: a number of evaluations, a mapping of limits, or a `Budget`. Evaluations,
        target time or wall-clock time must be limited.
    seed
        Keys every random draw.
    window
        The most challengers that run at once: four for every worker keep all workers busy.
    known
        Configurations, or candidates with names, that enter first; missing values take their
        defaults.
    objective
        What "best" means among the elites: `mean`, the lowest mean cost, which is the default, or
        `rank`, the best mean rank, which is robust to single costs.
    direction
        `minimize` or `maximize` the values that are told. Inside, and in every `Outcome`, they are
        costs, and lower is better.
    rule
        Tests challengers instead of the screening test; see `racing.search.challenger` for suitable
        rules.
    settings
        How the budget is spent.
    sampler
        Draws the challengers; see `racing.search.sampler`.
    metrics
        As of `Race`; what is asked of them is the `objective`.
    on_failure
        As of `Race`.

    Raises
    ------
    InputError
        If an argument is invalid, or no limit ends the search.

    Examples
    --------
    >>> import racing
    >>> space = {"x": {"real": [0, 1], "default": 0.9}}
    >>> search = racing.Search(space, range(50), budget=300)
    >>> while not search.done:
    ...     for experiment in search.ask():
    ...         search.tell(experiment, abs(experiment.candidate.values["x"] - 0.3))
    >>> abs(search.winner.values["x"] - 0.3) < 0.05
    True
    """

    @property
    def settings(self) -> Settings:
        """How the budget is spent."""
        return self._context.settings

    # --- phases -----------------------------------------------------------------------------

    _initial: type[Initial] = Initial
    _main: type[MainPhase] = MainPhase

    def _first(self) -> Phase:
        """The initial phase; a single race if the budget or the space is too small for a search."""
        account, context = self._context.account, self._context
        size = initial_size(account.evaluations, self.settings)
        why = why_no_search(account.budget, self.space.size, size)
        return race_instead(context, why, size) if why else self._initial(context)

    def _after(self, phase: Phase) -> Phase:
        """Initial, main, finish, confirmation; a reached limit skips the main phase."""
        context, elites, instances = self._context, phase.elites, phase.instances
        if isinstance(phase, Initial) and phase.why is None:
            context.release(instances)
            return self._main(context, elites, instances)
        if isinstance(phase, Initial | MainPhase):
            context.account.release(1 - context.confirm)
            return Finish(context, elites, instances)
        context.account.release(1.0)
        return self._confirmation_class(context, elites, instances)

    @property
    def _confirmation_class(self) -> type[Confirmation]:
        if self.goal is None or self.goal.kind != "front":
            return Confirmation
        from racing.search.front import FrontConfirmation

        return FrontConfirmation

    def _extension(self, phase: Phase) -> Phase:
        """The main phase, with the current elites."""
        elites, instances = phase.elites, phase.instances
        if isinstance(phase, Confirmation):  # it may have chosen a winner that met other instances
            elites, instances = phase.racing, phase.raced
        elites = elites[: self.settings.elites]
        self._context.release(instances)
        return self._main(self._context, elites, instances, begun=self._begun)

    @property
    def _begun(self) -> int:
        """The number for the first challenger of an extension: the next multiple of K."""
        drawn = sum(one.draw[:1] == (int(Purpose.CHALLENGER),) for one in self.entrants)
        return -(-drawn // self.settings.every) * self.settings.every
