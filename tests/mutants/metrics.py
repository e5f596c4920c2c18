"""Errors in what is made of several metrics."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "search/test_front.py": {
        "intervals of a front hold one by one":
            'np.quantile(t «.max(axis=1) → », level, method="higher")',
        "the best compromise of a front is the parent of most":
            "ranked=«not block.of_front → True»",
    },
    "search/test_elites.py::test_failures_come_first": {
        "a challenger for a front may fail": "if «not seen.reliable[-1] → False»:",
    },
    "search/test_elites.py": {
        "an elite that is better in one metric drops a challenger":
            "np.clip(z.«min → max»(axis=1), -_MOST, _MOST)",
        "the ends of a front leave":
            "inner = «[place for place in places if place not in ends] → []»",
    },
    "analysis/test_unseen_front.py": {
        "a held-out front is compared with its first member":
            "order = [«*others, task.entrants.index(default) → task.entrants.index(default), "
            "*others»]",
    },
    "rules/test_front_bets.py": {
        "one metric suffices to bet against a candidate":
            "found[place] = «np.minimum(found[place], wealth) → wealth»",
        "the best of the rivals' bets counts":
            ".«sum(axis=1) / max(logs.shape[1] - 1, 1) → max(axis=1)»",
        "one leaves for what has left": "«own[:, place] = -np.inf → pass»",
    },
    "search/test_block.py": {
        "a search compares costs although a limit is missed":
            "if «abs(float(d.mean().round(12))) > best.tolerance → rest == 1»:",
        "an elite meets a limit without a margin":
            "more = «margin * math.sqrt(self.spread / len(self.values)) → 0.0»",
        "what is better than a limit counts":
            "return «np.where(self.means <= self.floor, self.floor, known) → known»",
        "one bad instance drops a challenger": "«_UNKNOWN * float((d * d).mean()) → 0.0»",
        "a failure that the best shares drops a challenger":
            "np.«where(np.isfinite(d), d, 0.0) → clip(np.nan_to_num(d), -1e9, 1e9)»",
    },
    "laws/test_goal_searches.py": {
        "the ranking of a search forgets the margin of its elites":
            "if «not context.trials.limited → True»:",
        "the constraints of the default are those of the winner":
            "tuple(kept(goal, results, «place → 0»)) for place in range(2)",
    },
    "core/test_goal.py": {
        "a constraint is weighed behind the cost":
            "[failures(results), «worst, results.mean_costs → results.mean_costs, worst»]",
        "only the first constraint counts":
            "self.violations(results, margin=margin)«.max(axis=0) → [0]»",
        "failures do not come before constraints":
            "[ «failures(results), → » worst, results.mean_costs]",
        "a metric to be maximized is constrained as a cost":
            "np.where(ran, «score_of(costs[..., place], metric.direction) → costs[..., "
            "place]», np.nan)",
        "an order is by distances from each other": "equal &= own <= «best → own» + tolerance",
        "the second metric of an order is compared among all": "best = own «[equal] → ».min()",
        "a formula is of costs in place of scores":
            "self._formula(«self.scores(costs) → dict(zip(self.names, costs, strict=True))»)",
    },
    "core/test_formula.py": {
        "a violation is no share of the number": "/ «(abs(bound) or 1.0) → 1.0»",
        "a limit from the other side is turned round":
            '«(node.operator in (">=", ">")) == left → node.operator in (">=", ">")»',
    },
    "core/test_goal.py, laws/test_metrics.py": {
        "results of a metric have the ranks of the cost":
            "«field=self.fields[place] if self.fields else Field(), → »",
    },
    "core/test_constraints.py": {
        "half of an interval shows that a constraint is met":
            '"met" if «most == 0 else "missed" if least > 0 else "open → least == 0 else '
            '"missed»"',
        "all of few successes show that there are no others":
            "if «n and np.isin(values, (0.0, 1.0)).all() → False»:",
        "a mean that misses a constraint by chance decides":
            '"better" if «high < least else "worse" if most < low else "open → low < most else '
            '"worse»"',
    },
    "evaluate/test_metrics.py": {
        "a value may be missing": "if «missing → False»:",
        "an infinite value is taken": "«-MOST_COST, MOST_COST, → » truth=True",
        "a metric of a failed formula is kept": '«object.__setattr__(self, "metrics", ()) → pass»',
        "the judge's time is measured in place of the command's":
            "«answer = replace(answer, seconds=first.seconds + answer.seconds) → first = "
            "replace(first, seconds=first.seconds + answer.seconds)»",
    },
    "log/test_metric_costs.py": {
        "rows of metrics are not checked": "if «kept != checksum(row[:-1]) → False»:",
        "a metric may be missing in a log": "if «places != tuple(range(several)) → False»:",
        "all metrics of an outcome may be missing in a log":
            "elif «math.isfinite(outcome.cost) → False»:",
        "directions of metrics are not sealed": "if table in there « → - {'metric'} »",
    },
    "scenario/test_bad_scenarios.py": {
        "a rule of one cost judges an order": "if «outlook.goal not in serves(rule) → False»:",
    },
    "core/test_fronts.py": {
        "whoever is better in one metric dominates":
            "return np.asarray(«(worse & ~better) → worse».any(axis=-1))",
        "what is open is called likely": '"likely" if chance >= «LIKELY → UNLIKELY»',
        "equals dominate each other": "worse |= d «> → >= -» equal",
        "a gap is by the metric that differs most":
            "least = np.«minimum(least, np.where(ties, left_out[metric], d / noise[metric])) → "
            "maximum(np.where(np.isinf(least), -np.inf, least), np.where(ties, "
            "-left_out[metric], d / noise[metric]))»",
        "a gap knows no rope": "ties = np.abs(d) <= «equal[metric] → 0»",
        "dominance knows no rope":
            "tolerance = «ropes + → » _tolerance(means.reshape(-1, means.shape[-1]))",
        "a circle of ropes leaves nobody on the front":
            "return ~ «dominated(means, np.zeros_like(ropes)) if out.all() else ~ → »out",
        "the knee is measured in units of the metrics":
            "(own - best) / «np.where(wide, width, 1.0) → 1.0»",
        "the knee is at an end of the front":
            "np.column_stack([shares.«max → min»(axis=1), shares.sum(axis=1).round(9)])",
        "equal means stay equal in spite of noise":
            "np.«where((noise == 0) | (ropes > 0), np.inf, 0.0) → full(len(noise), np.inf)»",
    },
    "rules/test_front.py": {
        "the front has places for today's members only":
            "seen.«reliable & ((seen.gaps < reach) | seen.front) → front»",
        "without a budget a front is judged as with a scarce one":
            "_LIKELY «if scarce else _SURE → »",
        "a sign test of one metric suffices on a front":
            "np.«maximum(p_values, _p_of_margins(n)[wins.T - wins]) → minimum(p_values + "
            "(p_values == 0), _p_of_margins(n)[wins.T - wins])»",
        "failures do not count for a front":
            "np.asarray(self.failed «== self.failed.min() → >= 0»)",
    },
    "stats/test_dominance.py": {
        "each metric has draws of its own":
            'np.«einsum("dn,nmk->dmk", weights, costs) → stack([np.einsum("dn,nm->dm", '
            "np.roll(weights, k, 0), costs[:, :, k]) for k in range(costs.shape[2])], axis=2)»",
        "statements are accepted one by one":
            "«np.logical_and.accumulate(held, axis=1) → held».sum(axis=0)",
        "few instances are taken at their word":
            "«np.sqrt((r + 1) / (r - 1) * (1 + _CAUTION / r)) → 1.0»",
        "who fails more may dominate":
            "better, worse = d < -«_EQUAL_SHARES, d > _EQUAL_SHARES → 2.0, d > 2.0»",
        "two are compared where only one ran": "both = ran «& also → »",
    },
    "report/page/test_metrics.py": {
        "a page calls all failures more than others": "if found.failed[i] «> → >=» least else None",
    },
    "analysis/compare/test_front.py": {
        "a run fails in one metric only":
            "failed = np.asarray(np.isinf(scores).«any → all»(axis=2))",
        "rows of several metrics go by their place":
            "[*«map(table.instances.index, instances) → range(len(instances))»]",
    },
    "laws/test_front_searches.py::test_a_default_that_none_dominates_joins_the_front": {
        "a default that none dominates stays off the front": "self._meet(self.«_compared → shown»)",
    },
})
