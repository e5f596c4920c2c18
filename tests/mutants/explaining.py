"""Errors in explanations: importance, regions, the path to the winner, what it may use again."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "analysis/explain/test_regions.py": {
        "whole numbers that were tried are in a gap":
            "low, high = low «+ step * (i > 0), high - step * (i < last) → , high»",
        "a region fails with fewer failures than it has": "holm(hypergeom.sf(inside_bad «- 1 → »,",
        "regions are not corrected for their number": "alone = «holm → »(hypergeom",
        "a pair is named where one part explains it":
            "joint = holm(np.«maximum → minimum»(within, within.T)",
    },
    "analysis/explain/test_model.py": {
        "heavy tails are fitted as they are": "return «max → min»(forests, key=",
        "who met hard instances costs more": "own = means «- (instance @ met) / columns → »",
        "a forest is judged by what it was fitted to":
            "others = np.«setdiff1d(np.arange(len(points)), fold) → arange(len(points))»",
    },
    "analysis/explain/test_importance.py": {
        "a total effect is what others leave":
            "np.array([f.«var(axis=1).mean → mean(axis=1).var»() for f in found])",
        "inactive values have effects":
            "rows[:, column] = np.tile(own.ravel(), len(points))\n        rows = "
            "«self.space.encoding.activate(rows, self._rng) → rows»",
    },
    "analysis/explain/test_ablation.py": {
        "a change that changes nothing is raced":
            "if «(key := space.key(values)) != here → key := space.key(values)»:",
        "choosing a path leaves nothing to measure it":
            "left = «FOR_THE_PATH * (self.budget.evaluations or 0) - self.spent.evaluations → "
            "2 * (self.budget.evaluations or 0)»",
        "a path is measured on the instances that chose it":
            "self._affordable(ids, «first if self.independent else → » 0)",
        "a gain in a path has the wrong sign":
            "pair = [ids.index(«after), ids.index(before → before), ids.index(after»)]",
        "an earlier failure has no penalty":
            "«self.failures.heard(replace(old, candidate=id)) → replace(old, candidate=id)»",
        "a step of a path is measured where another one failed":
            "for row in rows «if all(math.isfinite(one.cost) for one in row[1]) → »]",
    },
    "cli/test_explain.py::test_a_target_that_has_changed_is_not_mixed_with_what_it_was": {
        "outcomes of a changed target are used again":
            "run_outcomes = «0 if run.changed else → » len(run.outcomes)",
    },
    ("cli/test_explain.py::test_what_was_made_is_shown_and_a_larger_budget_takes_it_over, "
     "cli/test_explain.py::test_another_start_can_be_named"): {
        "an ablation between others is shown": "if not task «or not same_ends(run, task) → »:",
    },
})
