"""How a scenario asks for a search: `search: true`, or `search: {window: 40}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from racing.quantities import Count
from racing.records import INVALID, Errors, Record, Schema
from racing.records.record import Key
from racing.search.settings import Settings

JUDGES = ("auto", "bayes", "f-test", "mean-ranks", "sign", "t-test", "wilcoxon")
"""The rules that can judge challengers: those that compare candidates on a complete block. Rules
that follow a schedule go by how much of a race is over, and those for bounded costs need many
instances; see `racing.search.screening`."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings(Settings):
    """How configurations are searched for.

    Attributes
    ----------
    window
        How many challengers may be under way at once. Four for every job keep the workers busy. The
        result depends on it, but not on the number of jobs.
    """

    window: Count = 10

    @property
    def settings(self) -> Settings:
        """The settings without the window."""
        return Settings(**{key.name: getattr(self, key.name) for key in fields(Settings)})


@dataclass(frozen=True)
class SearchKind(Record):
    """The settings of a search; `true` stands for their defaults, `false` for no search."""

    record: type[Any] = SearchSettings

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys, the window first."""
        return tuple(sorted(super().keys, key=lambda key: key.name != "window"))

    @property
    def allowed(self) -> str:  # type: ignore[override]
        return f"true, or a mapping with any of {', '.join(key.name for key in self.keys)}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is True:
            return SearchSettings()
        if value is False or value is None:
            return None
        if value is INVALID or isinstance(value, SearchSettings):
            return value
        if isinstance(value, Mapping):
            return self.build(value, at, errors)
        return self.refuse(value, at, errors)

    def _make(self, parts: dict[str, Any], at: str, errors: Errors) -> Any:
        """The settings compare numbers with each other, so all must be numbers first."""
        return INVALID if INVALID in parts.values() else super()._make(parts, at, errors)

    def schema(self) -> Schema:
        return {"anyOf": [{"type": "boolean"}, super().schema()]}
