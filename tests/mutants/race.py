"""Errors in the race: what is due, what counts, who may leave, when it ends."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "race/test_race.py, race/test_race_units.py": {
        "a test comes an instance late": "return instances «>= → >» self.first_test and",
        "rows beyond the next test are handed out":
            "return self._next(self._last(instances)) « → + 1 »- instances",
        "looks at growing distances come later than they should":
            "return «max(look * (100 + growth) // 100, look + 1) → look * (100 + growth) // "
            "100 + 1»",
        "a rule hears of the look that is under way as of the one before":
            "instances - self._last(instances «- 1 → »)",
        "more leave than may": "out «[: max(len(place) - at_least, 0)] → »",
        "too few may leave: the best of them instead of the worst":
            "out.sort(key=lambda e: «- → »place[e.candidate])",
        "the protected may leave": "«if e.candidate not in protected → »]",
        "an instance may begin that the budget does not cover":
            "if runs > left.evaluations « → + 1 »:",
        "a row that breaks the limit of target time counts":
            "if «self._target_time < math.inf and self._seconds.value > self._target_time → "
            "False»:",
        "a row that breaks the limit of wall-clock time counts":
            "return «Stop.WALL_TIME if self._latest > self._wall_time else → » None",
        "a race of crashes goes on": "return None if «slow and → » not tested else Stop.ALL_FAILED",
        "seconds are not added up":
            "race/limits.py: target_time= «spent.target_time + → » math.fsum(o.seconds for o "
            "in outcomes)",
        "an experiment is handed out twice":
            "if «experiment.key in self._out or → » self._state.knows(experiment.key):",
        "challengers overtake those who are catching up":
            "if not ready «or self.challengers.under_way → »:",
        "a dropped challenger keeps catching up":
            "«self._ids = [id for id in self._ids if id not in ids] → pass»",
    },
    "race/test_race_units.py": {
        "who joins late counts as alive on earlier instances":
            "self._alive[step, columns] = «not late → True»",
    },
    "race/test_speculation.py": {
        "what could not be begun is speculated on":
            "if state.planned(index) is None «or state.refusal(index) → »:",
    },
    "runner/test_loop.py::test_all_that_decides_nothing_is_within_the_share": {
        "wasted evaluations do not count against the bound":
            "return allowed - decider.speculative «- decider.wasted - self.ended → »",
    },
})
