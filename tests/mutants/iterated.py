"""Errors in iterated racing: what is drawn, who may leave, what a race spends, what is capped."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "search/test_sampler.py": {
        "draws beyond the domain pile up at its ends": "share = «low + u * (high - low) → u»",
    },
    "search/iterated/test_iteration.py": {
        "an elite leaves before the others have met its instances":
            "return frozenset() «if self._safe else self._protected → »",
        "tests in which elites cannot leave end a race":
            "unchanged = len(self._alive) == before «and self._safe → »",
        "the last race lacks the evaluations for a test": "if lacks «+ each_test → » > room or",
    },
    "search/iterated/test_newcomers.py": {
        "a new elite does not inherit the model of its parent":
            "return self.models.get(id) «or self.models.get(parent or 0) → »",
        "the worst elite is the parent of most": "np.arange(«elites, 0, - → 1, elites +»1) /",
        "configurations of other categories are nearly the same":
            "np.isnan(point).tobytes() «+ np.nan_to_num(point[categories]).tobytes() → »",
        "deviations shrink as if there were one parameter":
            "(1 / max(drawn, 1)) «** (1 / self.parameters) → »",
        "probabilities are bounded in racing without elites": "if « → not »elitist: weights",
        "fixed parameters count":
            "parameters=«sum(_cells(parameter) != 1 for parameter in space.values()) → "
            "len(space)»",
        "a restart widens without limit": "«np.minimum(wider, most) → wider»",
    },
    "search/iterated/test_capping.py": {
        "a bound is that of one instance instead of all so far":
            "left = «len(elites) * → » each + self.min_time",
        "a run that reached its bound took no more than that":
            "return «np.where(reached, self.most, found) → found»",
        "a protected elite leaves since it is dominated": "«out[list(elites)] = False → pass»",
    },
    "search/iterated/test_planning.py": {
        "a race spends the share of the next one too": "max(iterations - iteration «+ 1 → », 1)",
    },
})
