"""Errors in what other programs call: racing.embed, racing.sklearn, racing.optuna."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "scenario/test_changes.py": {
        "only the first of two keys is gone into":
            "«_put(data[key], rest, value, path) → data[key] = value»",
    },
    "report/test_run.py": {
        "what a configuration does not have differs from nothing":
            "one.get«(name, missing) != first.get(name, missing) → (name, first.get(name)) != "
            "first.get(name, one.get(name))»",
    },
    "runner/progress/test_state.py": {
        "the time left is told from the first evaluation on":
            "race.outcomes < «_BASIS → 1» and elapsed",
    },
    "report/test_explanation.py": {
        "shares are shown where the forest explains nothing":
            "if model «and model.r2 > 0 → » else ()",
    },
    "embed/test_result.py, base/test_quantities.py": {
        "a result tells costs where scores are maximized":
            "return cost «if cost is None else cost_of(cost, direction) → »",
    },
    "embed/test_result.py": {
        "who was dropped is a survivor of the frame":
            '«status.get(one.id, "dropped") → "survivor"»',
    },
    "embed/test_optimize.py, embed/test_wrong_use.py": {
        "a run goes on with less than it has spent":
            "if «most < → 0 >» (spent := getattr(decider.spent, limit)):",
    },
    "embed/test_optimize.py": {
        "a run that goes on is told again with its new budget":
            "return «same → scenario», Earlier()",
        "a log of another scenario is gone on with": "«check_same(same, kept, name) → »",
    },
    "optuna/test_pruner.py": {
        "the pruner's rule hears of the look before as an instance ago":
            "since=«self._schedule.since(seen) → 1»",
        "a trial is judged at every report":
            "and «self._schedule.due(seen) → seen >= self._schedule.first_test»",
        "dropped trials are rivals": "optuna/trials.py: «and not was_dropped(other) → »",
        "high values are bad in every study": "found = «cost_of(value, direction) → value»",
    },
    "embed/test_callbacks.py": {
        "whatever a callback returns stops the run":
            "|= «isinstance(answer, bool | np.bool_) and bool(answer) → answer is not None»",
        "callbacks hear of every verdict again": "«self._decided = len(race.verdicts) → »",
    },
    "sklearn/test_search.py::test_the_highest_score_wins_and_ranks_follow_the_scores": {
        "the worst score of scikit-learn wins":
            'tuple( «cost_of(score, "maximize") for score in → » scores)',
        "ranks begin at 0": "np.arange(«1, len(order) + 1 → len(order)»)",
    },
    "sklearn/test_search.py::test_means_and_deviations_are_over_the_folds_that_were_run": {
        "means are over folds that were not run":
            "n = «ran.sum(axis=1) → np.full(len(ran), ran.shape[1])»",
    },
    "sklearn/test_parts.py": {
        "folds share more than they do": "len(test) / max(len(train) «+ len(test) → », 1)",
    },
    "optuna/test_several.py": {
        "one objective in which a rival is better is enough":
            "if out is None: «return None → continue»",
        "a failed trial is as good as can be":
            "if values else «math.inf → 0.0» for values in told",
    },
    "optuna/test_confirm.py::test_a_study_that_maximizes": {
        "the worst trials are confirmed": "«cost_of(_value(trial), direction) → _value(trial)»",
    },
    "optuna/test_confirm.py": {
        "an interrupted race names a winner in the study": "if «result.done → True»:",
    },
})
