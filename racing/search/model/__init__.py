"""Models: where the next challenger is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from racing.search.model.cooled import Cooled
from racing.search.model.forest import Forest
from racing.search.model.model import Model, Proposal

__all__ = ["MODELS", "Cooled", "Forest", "Model", "Proposal"]

MODELS: Mapping[str, Callable[[], Model]] = {"cooled": Cooled, "forest": Forest}
"""The models that `Settings` can name."""
