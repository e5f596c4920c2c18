"""Models: where the next challenger is drawn."""

from racing.search.model.cooled import Cooled
from racing.search.model.model import Model, Proposal

__all__ = ["Cooled", "Model", "Proposal"]
