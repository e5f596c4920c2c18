"""Make the CNF formulas of the clasp example from their seeds, with cnfgen.

    python -m examples.clasp.instances          # examples/clasp/train and test: 7 MB, a few seconds

Each asks whether a random graph has a clique of 7, in the encoding that one writes first, without
any breaking of symmetries. Most are unsatisfiable.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SETS = {"train": 1, "test": 2}
COUNT = 30


def random_graph(n: int, probability: float, rng: random.Random) -> Any:
    """A graph on n vertices that has each edge with the same probability."""
    import cnfgen

    graph = cnfgen.Graph(n)
    for a in range(1, n + 1):
        for b in range(a + 1, n + 1):
            if rng.random() < probability:
                graph.add_edge(a, b)
    return graph


def formula(index: int, stream: int) -> Any:
    """Is there a clique of 7? (`stream`, `index`) is the seed."""
    import cnfgen

    rng = random.Random(f"{stream}/{index}")
    graph = random_graph(rng.randint(24, 30), rng.uniform(0.42, 0.5), rng)
    return cnfgen.CliqueFormula(graph, 7, symbreak=False)


def generate(name: str, count: int = COUNT) -> dict[str, str]:
    """File name → DIMACS text for the set `train` or `test`."""
    return {
        f"clique-{index:02}.cnf": formula(index, SETS[name]).to_dimacs() for index in range(count)
    }


def write(folder: Path, count: int = COUNT) -> None:
    """Write both sets below `folder`."""
    for name in SETS:
        (folder / name).mkdir(parents=True, exist_ok=True)
        for file, text in generate(name, count).items():
            (folder / name / file).write_text(text, encoding="utf-8")


def main() -> None:
    """Write all formulas."""
    parser = argparse.ArgumentParser(description="Make the CNF formulas from their seeds.")
    parser.add_argument("--folder", type=Path, default=HERE, help="where train/ and test/ go")
    parser.add_argument("--count", type=int, default=COUNT, help="formulas in each set")
    options = parser.parse_args()
    write(options.folder, options.count)


if __name__ == "__main__":
    main()
