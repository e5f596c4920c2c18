"""The classes of the phases of a search."""

from __future__ import annotations

from dataclasses import dataclass

from racing.search.confirmation import Confirmation
from racing.search.finish import Finish
from racing.search.initial import Initial
from racing.search.main_phase import MainPhase


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """The class of each phase; a search for a front has its own."""

    initial: type[Initial] = Initial
    main: type[MainPhase] = MainPhase
    finish: type[Finish] = Finish
    confirmation: type[Confirmation] = Confirmation
