"""Reads the key `search`: `search: true`, `search: {window: 40}` or `search: irace`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from racing.base.errors import did_you_mean
from racing.base.quantities import Count
from racing.base.records import INVALID, Errors, KeyDoc, Kind, Record, Schema
from racing.base.records.kinds import join, shown
from racing.base.records.record import Key
from racing.core.objective import Objective
from racing.rules.t_test import TTest
from racing.search.iterated.settings import IteratedSettings
from racing.search.settings import Settings, window_for

JUDGES = ("auto", "bayes", "f-test", "mean-ranks", "sign", "t-test", "wilcoxon")
"""The rules that can test challengers: those that compare candidates on a complete block; see
`racing.search.challenger`."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings(Settings):
    """The settings of the continuous search.

    Attributes
    ----------
    window
        The most challengers that run at once. The result depends on it, but for a given window not
        on the number of jobs. None for one for every worker that the run begins with, up to a tenth
        of the evaluations, or up to four, as long as that is a fortieth at most; and for 10 at
        least. The log keeps that number. Wider ones need more evaluations for the same result.
    portfolio
        The number of members of a team, 2 to 8, each found by a search of its own for what the team
        lacks; null for one configuration.

    Examples
    --------
    >>> from racing.scenario import SearchSettings
    >>> settings = SearchSettings(window=8)
    >>> settings.window, settings.portfolio
    (8, None)
    """

    window: Count | None = field(default=None, metadata={"default": "four for every worker"})
    portfolio: Count | None = None

    @property
    def settings(self) -> Settings:
        """The settings without the window and the portfolio."""
        return Settings(**{one.name: getattr(self, one.name) for one in fields(Settings)})

    def window_of(self, workers: int, evaluations: int | None) -> int:
        """The window in a run that begins with so many workers; each member has a share of it."""
        shares = 1 if self.portfolio is None else self.portfolio + 1
        return self.window or window_for(workers, evaluations and evaluations // shares)


SCHEMES: Mapping[str, type[Any]] = {"continuous": SearchSettings, "irace": IteratedSettings}
"""Scheme of the search → its settings."""

AnySearch: TypeAlias = SearchSettings | IteratedSettings


def scheme_of(search: AnySearch | None) -> str | None:
    """The scheme of a search; None without a search."""
    return next((name for name, kind in SCHEMES.items() if isinstance(search, kind)), None)


def default_objective(search: object, rule: object) -> Objective:
    """The default objective: `rank`, but `mean` for most searches.

    Parameters
    ----------
    search, rule
        As given, not read yet.
    """
    if search in (None, False):
        return "rank"
    scheme = search.get("scheme") if isinstance(search, Mapping) else search
    if scheme != "irace" and not isinstance(search, IteratedSettings):
        return "mean"
    name = rule.get("name") if isinstance(rule, Mapping) else rule
    capped = search.get("bound") if isinstance(search, Mapping) else getattr(search, "bound", None)
    tested = name == "t-test" or isinstance(rule, TTest)
    return "mean" if tested or (rule is None and capped is not None) else "rank"


@dataclass(frozen=True)
class SearchKind(Kind):
    """The settings of a search; `true` means the defaults, `false` no search.

    The name of a scheme means its defaults.
    """

    @property
    def allowed(self) -> str:  # type: ignore[override]
        names = ", ".join(key.name for key in _continuous())
        return f"true, irace, or a mapping with any of scheme, {names}"

    def read(self, value: Any, at: str, errors: Errors) -> Any:
        if value is False or value is None:
            return None
        if value is INVALID or isinstance(value, SearchSettings | IteratedSettings):
            return value
        if isinstance(value, str) and value not in SCHEMES:
            return self.refuse(value, at, errors, _meant(value))
        if value is True or isinstance(value, str):
            value = {"scheme": "continuous" if value is True else value}
        if not isinstance(value, Mapping):
            return self.refuse(value, at, errors)
        scheme = value.get("scheme", "continuous")
        if not isinstance(scheme, str) or scheme not in SCHEMES:
            names = " or ".join(SCHEMES)
            hint = did_you_mean(scheme, SCHEMES) if isinstance(scheme, str) else ""
            errors.add(join(at, "scheme"), f"must be {names}; got {shown(scheme)}{hint}")
            return INVALID
        rest = {name: part for name, part in value.items() if name != "scheme"}
        return _Fields(SCHEMES[scheme]).build(rest, at, errors)

    def write(self, value: Any) -> Any:
        fields = _Fields(type(value)).write(value)
        return {"scheme": "irace", **fields} if isinstance(value, IteratedSettings) else fields

    def schema(self) -> Schema:
        forms = []
        for name, settings in SCHEMES.items():
            form = _Fields(settings).schema()
            form["properties"] = {"scheme": {"const": name}, **form["properties"]}
            form["required"] = [] if name == "continuous" else ["scheme"]
            forms.append(form)
        return {"anyOf": [{"type": "boolean"}, {"enum": list(SCHEMES)}, *forms]}

    def key_docs(self, path: str) -> Iterator[KeyDoc]:
        meaning = (
            "The scheme: `continuous`, without iterations, or `irace`, as in irace. "
            "The name can replace the mapping."
        )
        yield KeyDoc(f"{path}.scheme", " or ".join(SCHEMES), "continuous", meaning)
        for key in _continuous():
            yield KeyDoc(f"{path}.{key.name}", key.kind.allowed, key.without, key.doc)
        yield from Record(IteratedSettings).key_docs(f"{path}(irace)")


def _meant(word: str) -> str:
    if word.lower() in ("true", "false"):
        return "remove the quotes"
    hint = did_you_mean(word, SCHEMES)
    return hint.removeprefix("; ") if "did you mean" in hint else ""


@dataclass(frozen=True)
class _Fields(Record):
    """Settings are compared with each other, so all must be numbers first."""

    def _make(self, parts: dict[str, Any], at: str, errors: Errors) -> Any:
        return INVALID if INVALID in parts.values() else super()._make(parts, at, errors)


def _continuous() -> list[Key]:
    """The keys of the continuous search, the window first."""
    return sorted(Record(SearchSettings).keys, key=lambda key: key.name != "window")
