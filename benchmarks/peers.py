"""`racing.stats` and `racing compare` beside their peers: do they agree, and who is faster?

    pip install 'racing[peers]'
    python -m benchmarks.peers

Every task is run by all in this process, in turns, and the shortest of several times counts. A peer
whose numbers differ on purpose says so; docs/evidence/differences.md says why. Ends with 1 if a
number differs that should not, or a peer is faster where that is `promised`. The Bayesian tests
follow in more detail (`benchmarks.peers_bayes`).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks import peers_bayes, peers_unpaired
from benchmarks.peers_task import Peer, Task, installed, run

DRAWS = 50_000  # baycomp's default for its signed-rank test
FEWER = 1_000  # what is drawn here; its time is scaled up


def friedman(have: dict[str, Any], rng: np.random.Generator) -> Task:
    from racing.stats import friedman as ours

    X = rng.random((300, 200))
    peers = []
    if "scipy" in have:
        stats = have["scipy"]
        peers.append(Peer("scipy", lambda: stats.friedmanchisquare(*X.T).pvalue))
    if "scikit-posthocs" in have:
        posthocs = have["scikit-posthocs"]
        if hasattr(posthocs, "test_friedman"):
            peers.append(Peer("scikit-posthocs", lambda: posthocs.test_friedman(X)[1]))
    return Task("Friedman, 300 × 200", lambda: ours(X).pvalue, peers, 10)


def wilcoxon(have: dict[str, Any], rng: np.random.Generator) -> Task:
    from racing.stats import wilcoxon as ours

    X = rng.random((100, 100))
    upper = np.triu_indices(100, 1)
    peers = []
    if "scipy" in have:
        stats = have["scipy"]
        peers.append(
            Peer(
                "scipy, vectorised",
                lambda: stats.wilcoxon(X[:, upper[0]], X[:, upper[1]], method="asymptotic").pvalue,
            )
        )
        peers.append(
            Peer(
                "scipy, in a loop",
                lambda: [
                    stats.wilcoxon(X[:, i], X[:, j], method="asymptotic").pvalue
                    for i, j in zip(*upper, strict=True)
                ],
            )
        )
    if "aeon" in have:
        aeon = have["aeon"]
        labels = [str(j) for j in range(100)]
        peers.append(
            Peer(
                "aeon",
                lambda: aeon.wilcoxon_test(X, labels, lower_better=True)[upper],
                differs="one-sided",
            )
        )
    return Task(
        "Wilcoxon, all pairs of 100, n = 100, normal",
        lambda: ours(X.T[upper[0]], X.T[upper[1]], method="normal").pvalue,
        peers,
        3,
    )


def nemenyi(have: dict[str, Any], rng: np.random.Generator) -> Task:
    from racing.stats import nemenyi as ours

    X = rng.random((50, 200)) + np.linspace(0, 1, 200)
    peers = []
    if "scikit-posthocs" in have:
        posthocs = have["scikit-posthocs"]
        peers.append(
            Peer(
                "scikit-posthocs",
                lambda: posthocs.posthoc_nemenyi_friedman(X).to_numpy(),
                tolerance=1e-6,
            )
        )
    return Task("Nemenyi, all pairs of 200, n = 50", lambda: ours(X).pvalues, peers, 3)


def nemenyi_critical(have: dict[str, Any], rng: np.random.Generator) -> Task:
    from racing.stats import nemenyi_q

    peers = []
    if "aeon" in have and hasattr(have["aeon"], "_get_qalpha"):
        table = have["aeon"]._get_qalpha
        peers.append(
            Peer(
                "aeon",
                lambda: [table(0.05)[k] for k in range(2, 21)],
                tolerance=1e-3,
                differs="its table is one row off",
            )
        )
    return Task(
        "Nemenyi's q, m = 2..20",
        lambda: [nemenyi_q(k) for k in range(2, 21)],
        peers,
        timed=False,
    )


def corrections(have: dict[str, Any], rng: np.random.Generator) -> list[Task]:
    from racing.stats import adjust

    p = rng.random(2000) ** 3
    names = {
        "holm": "holm",
        "hochberg": "simes-hochberg",
        "hommel": "hommel",
        "benjamini-hochberg": "fdr_bh",
    }
    tasks = []
    for name, theirs in names.items():
        peers = []
        if "statsmodels" in have:
            module = have["statsmodels"]
            peers.append(
                Peer("statsmodels", lambda m=module, t=theirs: m.multipletests(p, method=t)[1])
            )
        tasks.append(
            Task(f"{name}, 2000 p-values", lambda n=name: adjust(p, n), peers, 20, promised=False)
        )
    return tasks


def poisson_binomial(have: dict[str, Any], rng: np.random.Generator) -> Task:
    from racing.stats import poisson_binomial_sf

    p = rng.random(1000)
    peers = []
    if "scipy" in have and hasattr(have["scipy"], "poisson_binom"):
        stats = have["scipy"]
        at = np.arange(1001)
        peers.append(Peer("scipy", lambda: stats.poisson_binom(p).sf(at)))
    draw = np.random.default_rng(1)

    def drawn() -> Any:  # the paper's way
        totals = np.zeros(100_000, dtype=np.int64)
        for each in p:
            totals += draw.random(100_000) < each
        return 1.0 - np.cumsum(np.bincount(totals, minlength=1001)) / 100_000

    peers.append(Peer("100,000 draws", drawn, tolerance=0.01, differs="it draws"))
    return Task("Poisson-binomial, q = 1000", lambda: poisson_binomial_sf(p), peers)


def signed_rank(have: dict[str, Any], rng: np.random.Generator) -> Task:
    from racing.stats import dp_signed_rank

    x = rng.random(300)
    y = x + rng.normal(0.02, 0.3, 300)

    def ours() -> Any:
        found = dp_signed_rank(x, y, rng=np.random.default_rng(1), rope=0.01)
        return found.p_left, found.p_rope, found.p_right

    peers = []
    if "baycomp" in have:
        baycomp = have["baycomp"]
        peers.append(
            Peer(
                "baycomp",
                lambda: baycomp.SignedRankTest.probs(-x, -y, 0.01, nsamples=FEWER, random_state=1),
                tolerance=4 * 0.5 / FEWER**0.5,
                scale=DRAWS / FEWER,
            )
        )
    return Task("Bayesian signed ranks, n = 300", ours, peers, 3)


def report(have: dict[str, Any], rng: np.random.Generator) -> Task:
    from racing.analysis.compare import as_table, compare
    from racing.analysis.compare.report import document
    from racing.answer.text import text

    X = rng.gamma(1.0, size=(30, 20)) + 0.05 * np.arange(20)
    table = as_table(X)

    def ours() -> Any:
        found = compare(table)
        text(document(found))
        return np.sort(found.mean_ranks)

    peers = []
    if "autorank" in have:
        import pandas

        autorank = have["autorank"]
        frame = pandas.DataFrame(X, columns=[f"A{k + 1}" for k in range(20)])

        def theirs() -> Any:
            found = autorank.autorank(frame, order="ascending")
            autorank.create_report(found)
            return np.sort(found.rankdf["meanrank"])

        peers.append(Peer("autorank", theirs))
    return Task("whole report, k = 20, n = 30", ours, peers, 3)


def main() -> int:
    have = installed()
    rng = np.random.default_rng(0)
    tasks = [
        friedman(have, rng),
        wilcoxon(have, rng),
        nemenyi(have, rng),
        nemenyi_critical(have, rng),
        *corrections(have, rng),
        poisson_binomial(have, rng),
        signed_rank(have, rng),
        *peers_unpaired.tasks(have, rng),
        report(have, rng),
    ]
    fine = [run(task) for task in tasks]
    print(
        f"\n{sum(fine)} of {len(fine)} tasks: numbers agree or differ as documented, "
        "no peer is faster where that is promised"
    )
    if "baycomp" in have:
        print("\nThe Bayesian tests beside baycomp")
        fine.append(peers_bayes.main() == 0)
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
