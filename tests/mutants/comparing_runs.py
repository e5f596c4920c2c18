"""Errors in comparisons of unpaired runs, and in profiles."""

from __future__ import annotations

from tests.mutants.mutation import mutations

# fmt: off
TABLE = mutations({
    "analysis/compare/test_unpaired.py": {
        "expected ranks are off by a half": "table.m * (1 - relative.effects) + «0.5 → 1.0»",
        "effects over problems are compared as costs": 'effects, "«maximize → minimize»"',
        "one run of each is compared": "np.argwhere(sizes < «2 → 1»)",
        "Dunn's statistic has the wrong sign": "dunn(c.runs), _EACH «, -1 → »)",
        "a posterior of runs ignores what all priors grant":
            '" «lower": lowest, " → »upper": highest',
        "higher scores are worse":
            "[«cost_of(own, self.direction) → own» for own in self.runs[problem]]",
    },
    "analysis/compare/test_report.py": {
        "the pairs have no say where the omnibus test is silent":
            "if c.significant.«any → all»() else",
        "U is not turned with its row": "«self.wins + self.ties + self.losses → » - self.statistic",
        "an interval of A is turned without its ends":
            "(1 - a[0], 1 - a«[2], 1 - a[1] → [1], 1 - a[2]»)",
    },
    "analysis/compare/test_frames.py": {
        "cells with fewer repetitions are averaged unasked": "| (uneven & «(not few) → few»)",
        "a frame with a row for each score is read as wide": "(len(words) > 1 and «not → » named)",
    },
    "report/page/test_runs.py": {
        "a title says of the worst what was shown of the best":
            "names = [name for («name, other → other, name»), k in times.items() if k == many "
            "and other == worse]",
    },
    "analysis/compare/test_profiles.py": {
        "all problems together are told by their best runs":
            "np.«median → min»(each[a]) for each in costs",
        "a median between two is that of the later":
            "np.sort(costs)[«(costs.size - 1) → costs.size» // 2]",
    },
    "analysis/compare/test_read.py": {
        "an empty cell within a column is not counted":
            "np.«logical_and → logical_or».accumulate(ended[::-1])[::-1]",
    },
    "analysis/compare/test_notes.py": {
        "ten runs are few": "if n «< → <=» FEW)",
        "algorithms are taken for places where pairs are looked for":
            "friedman(np.stack(costs) « → .T »,",
        "medians that differ look like spreads": "np.abs(vector «- np.median(vector) → »)",
    },
    "analysis/compare/test_result_table.py": {
        "a run that reached the cutoff has ended": "np.where(table.scores «>= → >» cutoff,",
    },
    "stats/test_brunner_munzel.py": {
        "the mean over problems has the error of one":
            "error = np.sqrt(total) «/ len(problems) → »",
        "samples without overlap have no error over problems":
            "«width = (one.high - one.low) / 2 / ndtri(0.5 + one.level / 2) → 0.0 * one.high»",
    },
    "report/pictures/test_runs.py": {
        "curves go on beyond the cutoff": "panels, end=«found.cutoff → None»",
    },
})
