"""Errors in gains by family, and in portfolios."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "search/test_team.py": {
        "a search beside a team is for the worst of all members":
            "np.«minimum → maximum»(own, team)",
        "a team counts with its worst member while others are sought":
            "self.own_costs(self.team, rows).«min → max»(",
        "the runs of a team are not charged":
            "search/team.py: self. «_charged(self.instances) self. → »over = True",
        "what a probe costs is not taken from the shares":
            "until= «part + (1 - part) * → » turn.until",
        "runs that are not charged choose who is promising":
            "step in steps «and not account.unpaid([(id, step)]) → »",
        "groups are told by what found them": "«np.delete(costs, half, axis=1) → costs[:, half]»",
    },
    "answer/test_gain.py": {
        "the interval of a team's gain is wide on the wrong side":
            "skewness = « → - »_skewness(apart) if skewed else 0.0",
        "the interval between bests of several runs is too narrow":
            'if skewed == "perhaps"« →  and False»:',
        "a loss is told with the ends of its interval exchanged":
            "low, high = (-gain.«high, -gain.low → low, -gain.high») if gain.high < 0 else",
    },
    "report/test_families.py::test_each_family_is_compared_by_itself_at_a_level_for_all": {
        "intervals of families hold one by one":
            "level = «1 - (1 - _LEVEL) / len(families) → _LEVEL»",
        "every family has all instances": "found = gain(costs«[own] → », problems=problems",
    },
    "report/test_families.py::test_a_candidate_that_left_early_is_not_ahead": {
        "a candidate that left early is best of a family": "ran[rows].«all → any»(axis=0)",
    },
    "report/test_families.py::test_a_search_tells_the_mean_gain_on_unseen_instances": {
        "a search tells families by instances that chose its winner":
            "if step « → not »in search.unseen",
    },
    "report/test_families.py::test_too_few_instances_of_a_family_are_said_to_be_few": {
        "few instances are enough at any level":
            "«2.0 ** (1 - len(rows)) > 1 - level + 1e-12 → len(rows) < FEW»",
    },
    "scenario/test_families.py": {
        "a family is all that an expression matches": "one[«one.re.groups and 1 → 0»]",
    },
    "scenario/test_families.py::test_a_source_fills_in_what_instances_do_not_name": {
        "a named family is overruled": "family=«one.family or next(told) → next(told, one.family)»",
    },
    "scenario/test_families.py::test_a_group_is_the_family_where_no_other_is_named": {
        "the group is the family though another is named":
            "self.«families if len(self.families) else self.groups → groups if "
            "len(self.groups) else self.families»",
    },
    "report/test_families.py::test_a_test_on_held_out_instances_comes_first": {
        "held-out instances have no families":
            "told = «replace(source, family=scenario.instances.family) → source»",
    },
    "stats/test_teams.py": {
        "a team counts with its worst member": "scores[:, list(team)].«min → max»(axis=1)",
        "not all sets are looked at": "begin = first[-1] + «1 → 2» if first else 0",
        "a member is never exchanged": "now, better = value(scores, team), «True → False»",
    },
    "analysis/portfolio/test_team.py::test_a_member_adds_what_is_lost_without_it": {
        "a member adds what it has with itself": "«if i != j → »]) - whole",
    },
    "analysis/portfolio/test_team.py": {
        "a cell that was not run is the best known":
            "np.where«(ran, scores, -np.inf).max → (ran, scores, np.inf).min»(axis=1, "
            "keepdims=True)",
    },
    "analysis/portfolio/test_crossfit.py": {
        "a team is told on the instances that chose it":
            "choose(scores «[~own] → », np.flatnonzero(own))",
        "runs on one problem are in several folds":
            "return «numbered(problems) → np.arange(len(problems))» % FOLDS",
        "the choice of two costs the interval nothing": "«1 + k / (k - 1) → 1.0») * spread",
        "further seeds of a problem are further problems":
            "«np.bincount(problems, values - mean) → (values - mean)»",
        "the knee is the first team": "if «all → any»(gain.low <= 0 for gain in larger)",
    },
    "stats/test_intervals.py, analysis/portfolio/test_crossfit.py": {
        "what is rare is not in the interval of a score":
            "seen + added * «most → values.mean()») / all_, 1 - tail",
    },
    "analysis/portfolio/test_table.py, analysis/portfolio/test_fill.py": {
        "the last log wins": "«np.where(np.isnan(one.costs), costs[cells], one.costs) → one.costs»",
    },
    "analysis/portfolio/test_choice.py": {
        "a member is best where it did not run":
            "best_on=int((«ran[:, k] & (scores[:, k] == best) → scores[:, k] == best»).sum())",
        "a family chooses by the instance that it is told on":
            "_best(«rest, others → scores, labels» == labels[row])",
    },
    "report/test_portfolio.py": {
        "a member that is better nowhere is needed":
            "scores[:, k] «< → <=» best_of(scores, team[:k])",
        "a team that is not shown is told to be used": "if «not found.shown → False»:",
    },
    "analysis/test_batches.py": {
        "a filling goes on before all of its cells are there":
            "while not self.done and self._batch.«complete → missing < 2»:",
    },
    "analysis/portfolio/test_fill.py": {
        "doubt counts against a candidate": "gains.mean() «+ → -» OPTIMISM",
        "a filling runs what is known": "np.flatnonzero( « → ~ »np.isnan(costs[:, column]))",
        "a filling is not charged": "evaluations=self.spent.evaluations + len(outcomes) « → - 1 »",
        "a filling of another target goes on":
            "if changed := «changed_target(scenario, [*files, *book.target_files()]) → []»:",
    },
    "analysis/test_unseen_team.py": {
        "the team is held to its worst member": "best = np.«min → max»([costs[:, 0] for costs",
        "members keep their seeds": "np.isfinite(best + other), «(best + other) / 2 → best», best",
        "members share a seed": "(lap + 1) * had)[«lap * had : → : had»]",
        "what a team is held to counts with its last run":
            "np.column_stack([best, «costs[:, :most].min(axis=1) → costs[:, -1]»])",
        "a team is told from runs of two tests": "trial.seed, name, seeds, «lap → 0»)",
    },
    "laws/test_portfolio_searches.py": {
        "a team of one that the clock ended keeps no default":
            "self._members = «[found.elites[0]] → self._members[:1]»",
        "a search for a team that the clock ends at a turn's first run is not decided":
            "if self._phase and self.«elites → _phase.elites» and reason",
    },
})
