"""Errors in scenarios and searches: who is raced, what is refused, whom a search drops."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "search/test_challenger.py": {
        "a challenger that was dropped keeps its room":
            "len(self.steps «if self.verdict is None else self.verdict.steps or () → »)",
        "a challenger is held before it has used what is prepaid":
            "self._next_end «> → >=» self.prepaid",
        "a challenger that is refused keeps what it did beyond what is prepaid":
            "for standing in self.tested «if standing.n <= self.prepaid → »]",
        "a challenger may change from any state to any other": "if «not possible → False»: raise",
        "a challenger that is likely better than the best elite is dropped":
            "if duel.probability «> → <» drop:",
        "a challenger is resumed without room for those before it":
            "so_many = «number - self.challengers[0].number + → » 1",
    },
    "search/test_block.py": {
        "levels of instances count as disagreement":
            "scores - scores.mean( «axis=1, keepdims=True → ») - means",
    },
    "search/test_division.py::test_no_choice_meets_a_problem_that_is_set_aside": {
        "a set-aside problem is used in the finish":
            "self._new = range(«self.instances, self.instances + rows → -1, -1 - rows, -1»)",
    },
    "search/test_division.py": {
        "an extension forgets what was set aside":
            "context.trials.«queue.clear → division.aside = frozenset»() "
            "context.limits_reached.clear()",
    },
    "search/test_evidence.py": {
        "whoever is probably better wins over the default":
            "ahead = pair[int(self.worse > «risk → 0.5»)]",
    },
    "stats/test_additive.py": {
        "neighbours share their luck, and nothing is taken off for it":
            "if «not self.group.any() → True»:",
        "where no problem repeats nothing is luck":
            "«max(self.ratio, _LUCK) → self.ratio» * float(",
        "problems that chose nobody are lucky too":
            "math.sqrt(variance * «chosen.sum() → len(chosen)»)",
        "folds of one data set are independent": "@ unit) «+ shared → », _FLOOR",
        "a base that was dropped after bad luck is no equal": "np.array([1.0, «alike → 0.0»])",
        "of few candidates the differences are taken to be none":
            "«_WEIGHT * _GUESS * self.pooled * (1 + self.ratio) → self.pooled / 500»",
    },
    "sklearn/test_search.py": {
        "nothing is known of folds": "len(judged.costs)), «instances.shared → 0.0»",
    },
    "race/test_answer.py": {
        "the only instance shows a probability":
            "return None if «self._setup.instances.limit == 1 → False» else self._chance",
        "a race keeps no default":
            "return self. «baseline if self._keeps_default else self. → »found",
        "one instance of many tells a gain":
            "if not known «or (len(results.costs) == 1 and instances.limit != 1) → »:",
        "several seeds of the only problem are one observation":
            "np.arange(n) if «not numbers.any() → False» else numbers",
    },
    "core/test_evidence.py": {
        "instances have one scale": "spread / (spread + error) * «(log - middle) → 0.0»",
        "the cost decides where a constraint is missed": "if «missed.any() → False»:",
        "an order decides by its last metric":
            "first = «next((one for one in steps if apart[one.metric] > one.tolerance), "
            "steps[-1]) → steps[-1]»",
        "a front may be lucky in any of its metrics":
            "return min(«len(chances) * min(chances), 1.0 → chances»)",
    },
    "laws/test_front_searches.py": {
        "a front wins over the default, whatever is known":
            "if «self.worse > self._settings.risk and self.elites[0] != self._baseline → False»:",
    },
    "search/test_search.py::"
    "test_a_decision_that_breaks_a_limit_of_time_does_not_count_and_is_the_last": {
        "a search goes on after a broken limit": "if «self.broken → False»: return 0",
    },
    "core/test_evidence.py::test_by_ranks_rounding_is_no_deviation": {
        "rounding is a deviation": "«_ROUNDING → 0.0» * np.nanmax",
    },
    "answer/test_gain.py::test_the_interval_covers_at_its_level_on_folds_of_known_data": {
        "folds of known data are independent": 'if «of == "group" → False»: sizes',
    },
    "laws/test_unseen.py": {
        "what is confirmed on known problems is called unseen":
            "if «set(measured).isdisjoint(chosen) → True»:",
    },
    "scenario/test_scenario_reading.py, scenario/test_plan.py": {
        "a configuration given twice in a scenario counts twice":
            "if «identity in self._known → False»:",
        "samples repeat what is there": "stream(seed, Purpose.SAMPLE), n «, exclude=known → »)",
    },
    "scenario/test_scenario_reading.py, scenario/test_plan.py, scenario/test_bad_scenarios.py": {
        "true and 1 are one configuration":
            "frozenset((n, «isinstance(v, bool), → » v) for n, v in values.items())",
    },
    "scenario/test_bad_scenarios.py": {
        "two sources of instances are taken": "if «len(sources) != 1 → not sources»:",
    },
    ("runner/test_preflight.py::"
     "test_a_log_of_python_objects_that_lacks_newer_keys_is_of_the_same_scenario"): {
        "a changed key counts as one that an older log did not know":
            "if key not in kept «and defaults.get(key) == value → »",
    },
    "search/test_tasks.py": {
        "what a search has lost is not handed out again":
            "«if experiment.key in self._waiting: self._push(experiment) → pass»",
    },
    "search/test_initial.py": {
        "the first elites meet more instances where these agree":
            "self._block(self._ids, range(due.stop)).agreement() «>= → <» _AGREED",
        "a stage that may not come is begun": "«or self._may_end → »:",
    },
    "search/test_account.py": {
        "time that challengers take is not charged":
            "search/account.py: target_time=spent.target_time «+ math.fsum(o.seconds for o in "
            "outcomes) → »",
    },
    "race/test_race.py, search/test_search.py::test_scores_may_be_maximized": {
        "a score to be maximized is told as a cost":
            "told.outcome(«cost_of(number, direction) → number», seconds",
    },
    ("race/test_race.py, "
     "search/test_search.py::test_an_iterated_search_wants_an_answer_before_it_goes_on"): {
        "an experiment may be left unanswered in a loop": "if «self.pending → False»: raise",
    },
    "race/test_race.py": {
        "a newcomer may join a race that nothing can revive":
            "if «reason is not None → False»: raise",
    },
})
