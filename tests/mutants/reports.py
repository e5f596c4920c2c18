"""Errors in reports: the winner, by how much it is better, and what hostile text becomes."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "report/test_facts.py::test_expenses_are_of_what_counts_in_every_state_of_a_run": {
        "evaluations that decided nothing count": "«self.remove(outcome) → pass»",
    },
    "report/test_facts.py::test_a_failure_that_stopped_the_run_is_told_though_it_is_no_outcome": {
        "a run that its target stopped is over": "if «race.stopped is Stop.TARGET_FAILED → False»:",
    },
    "report/test_status.py": {
        "a run on another machine was killed":
            "not «(elsewhere or is_alive(session.pid)) → is_alive(session.pid)»",
        "a run whose instances ran out is told to spend more":
            '"--budget +N" if «stopped.by_budget → True» else "--instances FILE..."',
        "a command is advised for a function of a script":
            '"target" not in scenario or «called.startswith("__main__:") → False»',
    },
    "report/page/test_data.py": {
        "a default that is best is undecided": 'if search is not None or «kept or → »',
    },
    "space/test_bad_spaces.py": {
        "every clause that takes part in leaving nothing is named":
            "if fault is not None «and fault.path not in told → »:",
        "an inactive parameter fulfils a clause":
            "if possible(tree, probes.domains).other «or not active → »:",
    },
    "report/test_run.py": {
        "the winner's values are said of the default":
            "against=«against.values.get(name), winner=winner → winner.values.get(name), "
            "winner=against».values.get(name)",
    },
    "core/test_view.py": {
        "the first candidate is the default, whoever is called so":
            "named = «(one for one in self._state.candidates.values() if one.name == DEFAULT) "
            "→ iter(())»",
    },
    "answer/test_gain.py": {
        "a gain in favour of the default":
            "median_difference(rows«[:, 0], rows[:, 1] → [:, 1], rows[:, 0]», estimator",
        "an open gain is called one": "if «low → high» > 0:",
        "shares are shown by their interval alone": "elif «exact and p >= 1 - level → False»:",
        "failures decide nothing":
            "_, low, high = difference(«costs, kind, level=level, groups=groups → finite, "
            "kind, level=level, groups=kept»)",
        "five instances decide": "if 2.0 ** («1 → -9» - len(rows)) >",
        "a confirmed loss is told as a gain": 'word = "worse" if «gain.high < 0 → False» else',
        "a default that misses a constraint is better by its cost": 'if «found == "equal" → True»:',
    },
    "answer/test_run.py": {
        "the test on held-out instances is not the result":
            "if «tested is None → True» else headline(tested)",
        "two instances say that none of a front is better":
            "if «few_problems(gains) → False» and not any(",
        "costs of the first metric alone make a tie":
            "return results.«metrics → costs[:, :, None]»",
    },
    "cli/test_portfolio.py": {
        "a team is tested by its best single configuration":
            "if «not has_team(search) or search.single is None → True»:",
    },
    "analysis/test_unseen.py": {
        "a test on more instances runs all of them":
            "«trial = replace(trial, reuse=(*trial.reuse, os.path.abspath(record))) → pass»",
        "a test of an earlier winner counts": "«pair[0] == best_of(view) → True»",
    },
    "report/test_history.py": {
        "those that left are not behind those that stay":
            "places: Floats = «(self.ranks - 1) / most → self.relative.copy()» if",
    },
    "report/pictures/test_course.py": {
        "the lead flatters by failures": "«costs = costs[np.isfinite(costs).all(axis=1)] → pass»",
    },
    "report/test_page.py": {
        "text of a run ends the script of its page": 'text «.replace("<", "\\\\u003c") → »',
        "the name of a run is markup": 'name=«escaped(run["name"]) → run["name"]»',
        "one column stands for another": 'return {"$": «place → 0»}',
    },
    "report/pictures/test_result.py": {
        "finalists are compared however few instances they share":
            "if «both.sum() >= least and → » len(chosen) < MOST:",
        "the advantage of a finalist has the wrong sign": "0.0, «middle - costs → costs - middle»)",
    },
    "report/test_live.py::test_a_complete_request_is_answered_among_many_that_never_end": {
        "requests that never end keep their connections":
            "if «len(self._half_open) > HALF_OPEN → False»:",
    },
    "report/test_live.py::test_a_client_that_resets_leaves_no_traceback": {
        "a client that resets leaves a traceback":
            "except (OSError, «EOFError, → »asyncio.LimitOverrunError, asyncio.CancelledError):",
    },
    "report/pictures/test_several.py::test_instances_that_chose_the_winners_decide_nothing": {
        "instances that chose the winners decide between runs":
            "fair = [one for one in found if «one.held_out → True» and not one.gain.metric]",
    },
    "report/pictures/test_several.py::test_one_metric_of_several_does_not_decide_between_winners": {
        "one metric of several decides between runs":
            "fair = [one for one in found if one.held_out« and not one.gain.metric → »]",
    },
    "report/pictures/test_several.py::test_winners_chosen_by_means_are_compared_by_means": {
        "winners of two runs are compared by medians":
            "costs, mean=«all(by_mean(costs, race.objective) for race in races) → False», of=of,",
    },
    "report/test_families.py": {
        "by family the default is kept for one metric of several":
            'if row.gain.evidence == "worse" and «(failed or not row.gain.metric) → True»:',
    },
    "report/pictures/test_several.py": {
        "what two runs found counts twice":
            "found.setdefault(frozenset(«run.winner.values.items() → [id(run)]»), []).append(run)",
    },
    "report/pictures/test_several.py::test_instances_are_paired_by_their_names": {
        "winners of two runs are paired by place, not by name":
            "costs = np.array([«(own[name], other[name]) for name in shared → "
            "*zip(own.values(), other.values())»])",
    },
    "report/pictures/test_several.py::test_one_of_three_must_beat_both_others": {
        "one victory among three runs is enough": "return won «== many - 1 → > 0»",
    },
    "report/test_parameters.py": {
        "scales are those of the values that were tried":
            "np.array([*( «bounds if stated else → » levels or ()), *values], dtype=np.float64)",
        "effects are not corrected for their number":
            "«of * first.chance > 0.05 → first.chance > 1»",
    },
    "report/pictures/test_space.py": {
        "categories have the same shifts on both axes": "np.random.default_rng(«axis → 0»).uniform",
    },
    "report/test_figures.py": {
        "every choice of an axis shows the first":
            "return columns if len(columns) < 2 else (columns[«k → 0»],)",
        "an interval without an end stops at its point":
            "places = [«e → 0.0» if end is None else end",
    },
    "report/test_importance.py::test_a_model_that_explains_nothing_shows_no_shares": {
        "a poor forest shows shares": "if «found.poor → False»:",
    },
    "report/test_counts.py::test_messages_that_differ_in_numbers_and_names_are_one": {
        "failures that differ in numbers are of two kinds":
            "kinds[«pattern(message) → message»][message] = times",
    },
    "report/test_notebook.py": {
        "a picture calls an open gain one": 'colour = "winner" if ends[«0 → 1»] > 0',
    },
})
