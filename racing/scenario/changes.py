"""Replaces keys of a scenario file, such as `budget` or `rule.alpha`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from racing.base.errors import InputError, show


def changed(data: Mapping[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    """The data of a scenario with other values for some keys; a dot separates keys of mappings.

    Raises
    ------
    InputError
        If a key leads into something that has no keys.
    """
    out: dict[str, Any] = dict(data)
    for path, value in changes.items():
        _put(out, path.split("."), value, path)
    return out


def _put(data: dict[str, Any], keys: list[str], value: object, path: str) -> None:
    key, *rest = keys
    if not rest:
        data[key] = value
        return
    inner = data.get(key, {})
    if not isinstance(inner, dict):
        whole = path[: -len(".".join(rest)) - 1]
        raise InputError(
            f"{path}: {whole} is {show(inner)}, which has no key {rest[0]}; give "
            f"{whole} as a whole, such as {whole}={{{rest[0]}: …}}"
        )
    data[key] = dict(inner)
    _put(data[key], rest, value, path)
