"""Errors in the elimination rules."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "rules/test_f_test.py": {
        "f-test: of two, whoever differs leaves, the better one too":
            "bool(test. «z > 0 and test. → »pvalue < self.alpha)",
        "f-test: of two, the second stays though it was never better":
            "if not «(never_better or worse) → worse»:",
        "f-test: compares though its gate did not reject":
            "passed = gate is None or «gate.passed → True»",
        "f-test: whoever is ahead by the critical difference leaves too":
            "np.flatnonzero(«behind → np.abs(behind)» > critical)",
    },
    "rules/test_auto_budget.py": {
        "auto: weighs no evidence where looks are far apart":
            "not weighs_evidence(n «, seen.outlook.since → »)",
    },
    "rules/test_t_test.py": {
        "t-test: whoever differs leaves, the better one too":
            "np.flatnonzero(«(p < self.alpha) & (behind > 0) → p < self.alpha»)",
        "t-test: equal means count as different":
            "«p[np.abs(mean - mean[leader]) <= _EQUAL * abs(mean[leader])] = 1.0 → pass»",
        "t-test: one that was always worse is tested like the others":
            "«p[(block[:, [leader]] < block).all(axis=0)] = 0.0 → pass»",
        "t-test: never better, with ties, counts as certain":
            "p[«(block[:, [leader]] < block).all → ~(block < block[:, [leader]]).any»(axis=0)] "
            "= 0.0",
    },
    "core/test_means.py": {
        "means: of three values the middle one is lost sight of":
            "return bool((~there | (costs «== → >=» low) | (costs == high)).all())",
        "means: a second hump is taken for wild costs":
            "if «_second_hump(above[wild], usual) → False»:",
        "means: a hump of millions counts as costs": "«and farthest < _FARTHEST * usual → »",
    },
    "rules/test_wilcoxon.py": {
        "wilcoxon: asks for the other side":
            'stats.wilcoxon(best, columns[rest], alternative="«better → worse»")',
        "wilcoxon: two-sided":
            'stats.wilcoxon(best, columns[rest], alternative="«better → two-sided»")',
    },
    "rules/test_sign.py": {
        "sign: the gate also guards two survivors":
            'self.gate «if len(results.survivors) > 2 else "none" → »',
        "sign: losses count as wins": "np.«negative → positive»(wins[part], dtype=signed",
        "sign: the leader can be dropped":
            "gone = [i for i in order«[1:] → ».tolist() if p_of[i] < alpha]",
        "sign: of equal winners the one with the worst standing is named":
            "rivals[start + at] = equally[place[equally].«argmin → argmax»()]",
    },
    "rules/test_f_race.py": {
        "mean-ranks: the leader can be dropped": "for i in order «[1:] → » if p[i] < alpha",
        "a loss is recorded against the least clear winner":
            "order[best_first.«argmin → argmax»(axis=1)]",
    },
    "rules/test_schedules.py": {
        "halving drops the better half": "results, order[«kept: → : len(order) - kept»],",
        "a race by the clock alone is not refused":
            "if «math.isinf(outlook.instances) and math.isinf(outlook.evaluations) → False»:",
        "schedules: the statistic is always the mean rank":
            'by_rank = «outlook.objective == "rank" → True»',
    },
    "rules/test_bets.py": {
        "bets: the level is spent twice": "np.flatnonzero(most >= -math.log( « → 2 * »self.alpha))",
        "bets: weights look at the instance that they bet on":
            "focused(np.cumsum(lost, axis=0) «- lost → », field, focus)",
        "bets: who joined later is asked about instances before": "«results.alive & → » seen",
    },
    "rules/test_bounded.py": {
        "bounded: the level is not divided over rivals":
            "rules/bounded.py: «max(len(results.candidates) - 1, 1) → 1»",
        "bounded: the level is not divided over looks": "rivals * «n * (n + 1.0) → 1.0» / self",
        "bernstein: a variance over n": "spread = np.sqrt(2 * d.var(axis=0 «, ddof=1 → »)",
    },
    "rules/test_bayes.py": {
        "bayes: twins may both leave": "«stays.append(i) → pass» continue",
        "bayes: ties count as losses in practical equality": "ties = «n - w - losses → 0 * w»",
        "bayes: a leader that a statement calls worse leaves":
            "if worse not in rivals «and worse != leader → »:",
    },
    "rules/test_equals.py": {
        "equals: others with the same cost are no matter": "«(alike + 1) → 1» / (others + 1)",
        "equals: the group itself is among the others":
            "(shared == cost).sum(axis=1) - «len(group) → 1»",
        "equals: shared timeouts are evidence":
            "«np.isfinite(cost[:, 0]) & (ran & (shared > cost)) → ran».any(axis=1)",
        "equals: one instance can prove it": "_MOST = «2.0 → 99.0»",
        "equals: survivors who agree need no different costs":
            "«len(np.unique(costs[np.isfinite(costs)])) → int(np.isfinite(costs).sum())»",
        "equals: those who agree on different costs leave beside others":
            "if «len(group) == block.shape[1] → True»:",
        "equals: instances with one cost tell as much as others":
            "«int(n - (counts * counts).sum() / n) → n»",
        "equals: few costs that come again are enough": "LEVELS = «10 → 2»",
        "equals: a cost that comes again counts each time":
            "«np.minimum(by_cost, _MOST) → by_cost».sum()",
        "equals: what a survivor that joined late did not see is forgotten":
            "both = «~np.isnan(columns) & ~np.isnan(columns[:, :1]) → np.zeros(columns.shape, "
            "dtype=bool)»",
        "equals: the last to enter stays":
            "why, gone = Reason.INDISTINGUISHABLE, group[«:0:-1 → :-1»]",
        "repeated: any instances that go alike end a race":
            "«not outlook.recurring or → » len(block) < AGREED",
        "repeated: a race ends before as many have gone alike": "if times < «AGREED → 1»:",
        "repeated: the leader leaves, and the last stays":
            "rules/equals.py: out, why, measure = order[: «0: → »-1]",
        "recurring: a race does not tell its rule": "recurring=«self.instances.recurring → False»,",
    },
    "rules/test_plan.py": {
        "plan: half an instance is paid for": "«np.floor(evaluations / LAST) → evaluations / LAST»",
        "plan: one that costs the budget to the last digit is not paid for":
            "np.searchsorted(most, evaluations «+ _ROUNDING → »",
    },
    "core/test_instances.py": {
        "recurring: several problems are one": "«len(self.problems) > 1 or → » self.repeat or not",
        "recurring: seeds that are drawn later are the same":
            "len(self.problems) > 1 or «self.repeat or → » not",
    },
})
