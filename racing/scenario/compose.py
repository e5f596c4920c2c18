"""From YAML text to nodes.

What a scenario has no use for (anchors, aliases, tags, merge keys, several documents) is refused,
so nothing in a file can grow beyond the file itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from racing.scenario.nodes import BAD, Bad, Faults, Node
from racing.scenario.scalars import Scalar, Trap, resolve

if TYPE_CHECKING:
    import yaml

_DEEPEST = 20


def compose(text: str, faults: Faults) -> Node:
    """The tree of a YAML document; `BAD` with the fault noted if it cannot be read."""
    import yaml

    try:
        return _Composer(yaml.parse(text, Loader=yaml.SafeLoader), faults).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        faults.at(mark.line + 1 if mark else 0, "", _problem(error))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        faults.at(line, "", f"the character U+{error.character:04X} is not allowed")
    except _Stop:
        pass
    return Node(BAD)


def _problem(error: yaml.MarkedYAMLError) -> str:
    """A syntax error in words."""
    if "'\\t'" in str(error.problem):
        return "a tab is used for indentation; use spaces"
    context = f" {error.context}" if error.context else ""
    return f"cannot be read as YAML:{context}: {error.problem}".replace("YAML:  ", "YAML: ")


class _Stop(Exception):
    """Nothing more can be learnt from this file."""


class _Composer:
    """Builds nodes from the parser's events, one at a time."""

    def __init__(self, events: Iterator[Any], faults: Faults) -> None:
        self._events = events
        self._faults = faults

    def document(self) -> Node:
        """The root of the only document."""
        import yaml

        next(self._events)  # the start of the stream
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            self._stop(0, "the file is empty; a scenario needs at least target, candidates and "
                          "instances")  # fmt: skip
        root = self._node(next(self._events), "", depth=0)
        next(self._events)  # the end of the document
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            self._stop(_line(event), "a second document starts here; a scenario is one document")
        return root

    def _stop(self, line: int, message: str) -> None:
        self._faults.at(line, "", message)
        raise _Stop

    def _node(self, event: Any, key: str, *, depth: int, line: int = 0) -> Node:
        """The node that starts with this event; `line` is that of its key."""
        import yaml

        line = line or _line(event)
        if depth > _DEEPEST:
            self._stop(line, f"nested more than {_DEEPEST} levels deep")
        refused = self._refused(event)
        if refused:
            self._faults.at(line, key, refused)
        if isinstance(event, yaml.MappingStartEvent):
            node = self._mapping(key, depth, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self._sequence(key, depth, line)
        else:
            node = Node(BAD if refused else self._scalar(event, key, line), key, line)
        return replace(node, value=BAD) if refused else node

    def _refused(self, event: Any) -> str | None:
        """Why a node's decorations are not allowed, if they are not."""
        import yaml

        if isinstance(event, yaml.AliasEvent):
            return f"the alias *{event.anchor} is not allowed; write the value out"
        if event.anchor:
            return f"the anchor &{event.anchor} is not allowed; write the value where it is needed"
        if event.tag:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            return f"the tag {tag} is not allowed; a scenario holds plain values only"
        return None

    def _scalar(self, event: Any, key: str, line: int) -> Scalar | Bad:
        if event.style:  # quoted, or a block of text
            return str(event.value)
        try:
            return resolve(event.value)
        except Trap as trap:
            self._faults.at(line, key, str(trap))
            return BAD

    def _sequence(self, key: str, depth: int, line: int) -> Node:
        import yaml

        items: list[Node] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._node(event, f"{key}[{len(items)}]", depth=depth + 1))
        return Node(items, key, line)

    def _mapping(self, key: str, depth: int, line: int) -> Node:
        import yaml

        parts: dict[str, Node] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            name, place = self._key(event, key, depth), _line(event)
            path = Node(None, key).child(name)
            node = self._node(next(self._events), path, depth=depth + 1, line=place)
            if name in parts:
                first = parts[name].line
                self._faults.at(place, path, f"given twice (the first time on line {first})")
            elif name == "<<":
                self._faults.at(place, path, "merge keys are not allowed; write the keys out")
            else:
                parts[name] = node
        return Node(parts, key, line)

    def _key(self, event: Any, key: str, depth: int) -> str:
        """A key is always text, whatever it looks like."""
        import yaml

        if not isinstance(event, yaml.ScalarEvent):
            self._stop(_line(event), "a key must be a word, not a list or a mapping")
        if refused := self._refused(event):
            self._faults.at(_line(event), key, refused)
        return str(event.value)


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
