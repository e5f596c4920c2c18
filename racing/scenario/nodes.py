"""A tree of plain values, each of which knows its key and its line.

It is made from a YAML file (`compose`) or from plain Python data (`of_data`), and read by the
forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from racing.errors import ScenarioError, show
from racing.scenario.scalars import Scalar


class Bad:
    """The type of `BAD`."""


BAD = Bad()
"""Stands for a value that cannot be used and whose fault has been noted already."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its place.

    Attributes
    ----------
    value
        A scalar, a list of nodes, a dict from text to nodes, or `BAD`.
    key
        The dotted path from the top: `space.alpha.real[0]`.
    line
        From 1; 0 where there is no file.
    """

    value: Scalar | list[Node] | dict[str, Node] | Bad
    key: str = ""
    line: int = 0

    @property
    def shown(self) -> str:
        """The value for a message."""
        if isinstance(self.value, list):
            return "a list" if self.value else "an empty list"
        if isinstance(self.value, dict):
            return "a mapping" if self.value else "an empty mapping"
        return "nothing" if self.value is None else show(self.value)

    def child(self, name: str) -> str:
        """The key of a part of this mapping."""
        return f"{self.key}.{name}" if self.key else name

    def below(self) -> Iterator[Node]:
        """This node and all its parts."""
        yield self
        parts = self.value.values() if isinstance(self.value, dict) else self.value
        for part in parts if not isinstance(parts, Scalar | Bad) else ():
            yield from part.below()


class Faults:
    """What is wrong with a scenario, each fault with its place.

    `top` holds the keys of the top level, for those who write one of them elsewhere.
    """

    def __init__(self, file: str = "", top: Iterable[str] = ()) -> None:
        self.file = file
        self.top = frozenset(top)
        self._found: list[tuple[int, str]] = []

    def add(self, place: Node, message: str, *, key: str | None = None) -> None:
        """Note a fault at a node, or at the key that is named."""
        self.at(place.line, place.key if key is None else key, message)

    def at(self, line: int, key: str, message: str) -> None:
        """Note a fault at a line (0: of the whole file)."""
        place = f"{self.file}:{line}" if self.file and line else self.file
        parts = [part for part in (place, key, message) if part]
        self._found.append((line, ": ".join(parts)))

    def __bool__(self) -> bool:
        return bool(self._found)

    def raise_if_any(self) -> None:
        """Raise them all, in the order of the file.

        Raises
        ------
        ScenarioError
        """
        if self._found:
            self._found.sort(key=lambda fault: fault[0])
            raise ScenarioError(tuple(dict.fromkeys(text for _, text in self._found)))


def of_data(data: object, key: str = "") -> Node:
    """The tree of plain Python data: mappings, sequences and scalars."""
    if isinstance(data, Mapping):
        parent = Node(None, key)
        return Node({str(k): of_data(v, parent.child(str(k))) for k, v in data.items()}, key)
    if isinstance(data, list | tuple):
        return Node([of_data(item, f"{key}[{i}]") for i, item in enumerate(data)], key)
    return Node(data if isinstance(data, Scalar) else str(data), key)
