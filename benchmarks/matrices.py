"""Performance matrices between configurations of one solver, for the racing laboratory.

    python -m benchmarks.matrices tsp      # 200 configurations x 100 instances, some 30 minutes
    python -m benchmarks.matrices clasp    # of one processor each

Costs are deterministic (tour length after a fixed amount of work; conflicts), so the files can be
made again bit by bit. Rows of `cost` are configurations: the default, then samples of the space of
configs/NAME.yaml; columns are instances that the examples do not use. A command that was stopped
goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

import racing

HERE = Path(__file__).parent
STREAM = 77
"""Seeds the instances: another stream than those of the examples."""


def tsp(folder: Path, index: int) -> Callable[[dict[str, object]], float]:
    """A TSP instance: the length of the tour, per city and relative to the side of the square."""
    from examples.tsp.instances import SIDE, Problem, generate
    from examples.tsp.solve import Search, Settings

    kind = "uniform" if index % 3 == 0 else "clustered"
    problem = Problem(f"{kind}-{index}", generate(kind, index, STREAM))

    def cost(values: dict[str, object]) -> float:
        length = Search(problem, Settings(**values), index + 1).run(100_000)
        return float(length / (SIDE * np.sqrt(problem.n)))

    return cost


def clasp(folder: Path, index: int) -> Callable[[dict[str, object]], float]:
    """Is there a clique of 6: conflicts until it is decided, at most 5,000, then ten times that."""
    import cnfgen

    from examples.clasp import run
    from examples.clasp.instances import random_graph

    rng = random.Random(f"{STREAM}/{index}")
    graph = random_graph(rng.randint(20, 27), rng.uniform(0.42, 0.52), rng)
    file = folder / f"{index}.cnf"
    file.write_text(cnfgen.CliqueFormula(graph, 6, symbreak=False).to_dimacs(), encoding="utf-8")

    def cost(values: dict[str, object]) -> float:
        options = [f"--{name}={value}" for name, value in values.items()]
        arguments = [str(file), f"--seed={index + 1}", "--limit=5000", *options]
        own, rest = run.parse(arguments)
        return float(run.cost(run.clasp(own.formula, own.seed, own.limit, rest), own))

    return cost


SOLVERS = {"tsp": tsp, "clasp": clasp}


def column(solver: str, index: int, configurations: list[dict[str, object]], part: Path) -> None:
    """One instance's costs, kept in a file of its own until all are there."""
    if part.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        cost = SOLVERS[solver](Path(folder), index)
        costs = np.array([cost(values) for values in configurations], dtype=np.float32)
    np.save(part.with_suffix(".tmp.npy"), costs)
    part.with_suffix(".tmp.npy").rename(part)


def main() -> None:
    """Compute one matrix."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("solver", choices=sorted(SOLVERS))
    parser.add_argument("--configurations", type=int, default=200)
    parser.add_argument("--instances", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--parts", type=Path, default=None, help="where unfinished work is kept")
    args = parser.parse_args()
    space = racing.read(HERE.parent / "configs" / f"{args.solver}.yaml").space
    assert space is not None
    samples = space.sample(np.random.default_rng(STREAM), args.configurations - 1)
    configurations = [dict(space.default()), *map(dict, samples)]
    parts = args.parts or Path(tempfile.gettempdir(), f"racing-matrix-{args.solver}")
    parts.mkdir(parents=True, exist_ok=True)
    files = [parts / f"{index}.npy" for index in range(args.instances)]
    Parallel(n_jobs=args.jobs)(
        delayed(column)(args.solver, index, configurations, file)
        for index, file in enumerate(files)
    )
    np.savez_compressed(
        HERE / "data" / f"{args.solver}.npz",
        cost=np.column_stack([np.load(file) for file in files])[:, :, None],
        algorithms=np.array([json.dumps(values) for values in configurations]),
        instances=np.array([f"{args.solver}-{index}" for index in range(args.instances)]),
        measure=args.solver,
    )


if __name__ == "__main__":
    main()
