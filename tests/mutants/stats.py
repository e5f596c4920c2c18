"""Errors in the statistics."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "analysis/compare/test_shares.py": {
        "compare: McNemar's test counts ties":
            "sign_p(wins, losses « → , c.table.n - wins - losses »), wins - losses",
        "compare: groups stay where instances are left out":
            "instances, labels = «(tuple(compress(each, row)) for each in (instances, labels)) "
            "→ tuple(compress(instances, row)), labels[: int(row.sum())]»",
    },
    "stats/test_ranks.py": {
        "ties get their lowest rank": "np.repeat(starts % m + «(sizes + 1) / 2 → 1», sizes)",
        "the first of two equals starts no group":
            "starts_group[:, 0] = «True → ordered[:, 0] > 0»",
    },
    "stats/test_friedman.py": {
        "Friedman with a degree of freedom too many": "float(chdtrc(sums.m «- 1 → », statistic))",
        "Friedman without its tie correction":
            "spread = self. «spread if tie_correction else self. → »spread_untied",
        "Iman and Davenport with n for n − 1":
            "share / (1 - share) * «df[1] → (df[1] + df[0])» / df[0]",
        "unanimous rows counted once too often":
            "math.exp(-«(self.n - 1) → self.n» * float(log_arrangements))",
    },
    "stats/test_mean_ranks.py": {
        "Conover's critical difference at a one-sided level": "stdtrit(self.df, alpha «/ 2 → »)",
        "Conover's test with one side": "«2 * → » stdtr(df, -np.abs(t)) if error",
        "Nemenyi without √2":
            "studentized_range_sf( «math.sqrt(2) * → » np.abs(z), sums.m, math.inf)",
        "mean ranks with m(m − 1)": "np.sqrt(m * (m «+ → -» 1) / (6 * n))",
    },
    "stats/test_wilcoxon.py": {
        "Wilcoxon splits an odd zero too": '"split": «zeros % 2 → 0 * zeros»,',
        "Wilcoxon's two tails are not doubled":
            "np.minimum(1.0, «2 * → » np.minimum(better, worse))",
        "Wilcoxon's exact tail without the statistic itself":
            "out[rows] = np.minimum(cdf[«targets[rows] // unit → np.maximum(targets[rows] // "
            "unit - 1, 0)»], 1.0)",
    },
    "stats/test_wilcoxon.py::TestRounding": {
        "Wilcoxon's differences are not rounded": "if «digits is None → True»:",
    },
    "stats/test_sign.py": {
        "shares: items in one group count as independent":
            "clustered = _clustered(d, «groups → range(d.size)»)",
        "shares: McNemar's test counts ties":
            "p = float(sign_p(wins, losses « → , d.size - wins - losses »))",
        "the sign test's tail without the wins themselves":
            "return np.where(w > 0, bdtrc(w «- 1.0 → », n, 0.5), 1.0)",
        "the sign test's table differs from its formula":
            "table = np.where(counts > 0, bdtrc(counts «- 1.0 → », counts[:, None], 0.5), 1.0)",
    },
    "stats/test_sign.py, core/test_field.py": {
        "wins are counted in bytes that overflow": "np.min_scalar_type(«max(rows, 1) → 1»)",
    },
    "stats/test_t_tests.py": {
        "a paired t-test with the wrong standard deviation":
            "_moments(a, b, difference, ddof=«1 → 0»)",
        "the t-test asks for the other side":
            '«-t if alternative == "better" else → t if alternative == "better" else -» t',
        "rounding noise counts as a difference": "d[np.abs(d) «<= _NOISE * size → < 0»] = 0.0",
    },
    "stats/test_corrections.py": {
        "Holm without its running maximum":
            "lambda ascending, left: «np.maximum.accumulate(left * ascending) → left * ascending»",
        "Hochberg with the misprinted maximum":
            "lambda ascending, left: «running_minimum → np.maximum.accumulate»(left * ascending)",
    },
    "stats/test_corrections.py::test_scipy_agrees_on_false_discoveries": {
        "Benjamini and Hochberg one step off":
            "running_minimum(left[0] / «left[::-1] → (left[::-1] + 1)» * ascending)",
    },
    "stats/test_pair_corrections.py": {
        "Shaffer takes the next larger number of true hypotheses":
            'np.searchsorted«(possible, left, side="right") - 1 → (possible, left, side="left")»',
    },
    "stats/test_dp_friedman.py": {
        "the Bayesian gate takes the ellipsoid where it cannot reject":
            "if n >= «minimum → 2»: b =",
        "the prior has no weight in the Bayesian Friedman test": "rest = «self.s + → » (outside",
    },
    "stats/test_t_tests.py::TestDistribution": {
        "the tail of a Poisson binomial with its own term":
            "sf = np.concatenate([«tail, np.zeros_like(pmf[..., :1]) → np.ones_like(pmf[..., "
            ":1]), tail»], axis=-1)",
    },
    "stats/test_laws.py": {
        "joint statements up to γ = 1": "gamma: «HalfLevel → float» = 0.05,",
    },
})
