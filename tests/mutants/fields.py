"""Errors in what rules see: results, ranks in the field, standings, instances, seeds, budgets."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "core/test_results.py": {
        "the block has instances that a survivor has not seen":
            "return np.asarray(~np.isnan(self.costs[:, self.survivors]).«any → all»(axis=1))",
    },
    "laws/test_records.py": {
        "where there is no number, a record has NaN":
            "return «None → math.nan» if number is None or math.isnan(number) else float(number)",
        "the mean cost of who always failed is NaN":
            'float(means[i]) if worked[i] else «None → float("nan")»',
        "a gain without a pair is NaN": "if not («both.any() → True» if mean else len(costs)):",
        "a statistic that a log does not have is 0":
            "return «None → 0.0» if value is None else convert(value)",
        "a record with arrays is compared by its fields":
            "core/results.py: @dataclass(frozen=True «, eq=False → »)",
    },
    "core/test_field.py": {
        "who is absent has no part in the ranks":
            "«ranks += _ahead(levels, seen, survivors, start) → pass»",
        "equal levels count whole instead of half":
            'core/field.py: for side in ("«left → right»", "right")',
        "field ranks are kept although somebody left":
            "«or self._of != _key(seen[:known], complete, survivors) → »",
    },
    "core/test_objective.py::test_only_identical_columns_are_told_apart_by_their_place": {
        "equal merits are left in the order of the columns": "if «tied.any() → False» else order",
    },
    "core/test_failures.py::test_failures_that_chance_does_not_explain_are_as_bad_as_ever": {
        "every failure is nobody's fault": "where = failed «& ~to_blame(failed, ran) → »",
    },
    "core/test_failures.py::test_a_failure_stays_the_worst_of_its_instance_and_ranks_are_as_ever": {
        "a failure that counts is as good as the worst of its instance":
            "worst «+ (usual or 1.0) → »",
    },
    "core/test_failures.py": {
        "ranks depend on what a failure counts as":
            "costs = self.costs «if self.raw is None else self.raw.costs → »",
    },
    "core/test_failures.py::test_two_failures_do_not_outweigh_a_difference_on_every_pair": {
        "means of a race take every failure as the worst":
            "core/objective.py: results = results «.judged → »",
    },
    "core/test_failures.py::test_a_block_of_a_search_is_judged_before_it_is_scored": {
        "a search takes every failure as the worst":
            "return self.«failures.judged(self.costs)[0] → costs»",
    },
    "core/test_failures.py::test_a_log_is_read_and_resumed_by_its_policy": {
        "a log does not say what failures count as": '«scenario.get("on_failure", {}) → {}»',
    },
    "core/test_failures.py::test_a_run_in_which_all_fails_ends_also_with_a_penalty": {
        "a penalty makes a run in which all fails go on":
            "return «not self.failed and → » self.cost < math.inf",
    },
    "base/test_seeds.py": {
        "a purpose has no part in the address of a draw": "spawn_key=(«int(purpose) → 1», *place)",
        "a seed for a target may be 0": "return word % (2**31 - 1) «+ 1 → »",
    },
    "core/test_instances.py": {
        "every pass has the order of the first":
            "stream(seed, Purpose.INSTANCE_ORDER, «lap → 0», *self._key)",
        "fixed seeds come again in later passes":
            "fixed«[lap] if lap < len(fixed) → [lap % len(fixed)] if fixed» else",
        "every instance of a problem has the same seed":
            "integer(seed, Purpose.INSTANCE_SEED, «step → problem»)",
    },
    "core/test_budget.py": {
        "more may be left of a budget than nothing":
            "else «max(limit - getattr(spent, field.name), 0) → limit - getattr(spent, "
            "field.name)»",
    },
})
