"""SMAC3, if it is there: `pip install smac` (version 2). It is no dependency of this project."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.search_live.meter import Meter
from racing.scenario.formats.config_space import to_config_space
from racing.space import Values


def available() -> bool:
    """Whether SMAC3 can be imported."""
    return find_spec("smac") is not None


def search(meter: Meter, seed: int) -> Values:
    """The incumbent of SMAC3's facade for algorithm configuration, with its defaults."""
    from smac import AlgorithmConfigurationFacade, Scenario

    space = meter.target.space
    names = [str(place) for place in range(len(meter.target.train))]

    def cost(config: Any, instance: str, seed: int) -> float:
        return meter(space.complete(_plain(config)), int(instance), seed + 1)

    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario(
            to_config_space(space),
            output_directory=Path(folder),
            n_trials=meter.budget,
            instances=names,
            instance_features={name: [float(name)] for name in names},
            seed=seed,
        )
        facade = AlgorithmConfigurationFacade(scenario, cost, overwrite=True, logging_level=50)
        found: Any = facade.optimize()
    return space.complete(_plain(found[0] if isinstance(found, list) else found))


def _plain(config: Any) -> Values:
    """Its values without NumPy's types."""
    return {
        name: value.item() if hasattr(value, "item") else value for name, value in config.items()
    }
