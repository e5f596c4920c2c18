"""Writes a scenario as YAML text, with the comments of the translated files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

_WIDTH = 100


@dataclass(frozen=True)
class Comments:
    """The comments beside a line and above it.

    Attributes
    ----------
    above
        Whole lines of comment directly above, without the `#`.
    beside
        The comment at the end of the line; '' if there is none.
    """

    above: tuple[str, ...] = ()
    beside: str = ""


def comments_of(text: str) -> dict[str, Comments]:
    """The comments of a parameter or scenario file of irace, by the first word of each line.

    Comments before a blank line are dropped, except the first block of the file, which has the key
    ''.
    """
    found: dict[str, Comments] = {}
    block: list[str] = []
    for row in text.splitlines():
        said, mark, comment = row.partition("#")
        comment = comment.strip().strip("#").rstrip()
        if said.strip():
            word = re.split(r"[\s=(<]", said.strip(), maxsplit=1)[0]
            found.setdefault(word, Comments(tuple(block), comment))
            block = []
        elif mark:
            block.append(comment)
        else:
            if not found and block:
                found[""] = Comments(tuple(block))
            block = []
    return found


def scenario_text(
    scenario: Mapping[str, Any],
    *,
    parameters: Mapping[str, Comments],
    options: Mapping[str, Comments],
    heading: tuple[str, ...] = (),
) -> str:
    """The YAML of a scenario in plain data.

    Parameters
    ----------
    parameters
        Comments of parameters, by name.
    options
        Comments of top-level keys, by key.
    heading
        Lines of comment at the top.
    """
    lines = [f"# {line}".rstrip() for line in heading]
    for key, value in scenario.items():
        about = options.get(key, Comments())
        lines += _above(about, "")
        if key == "space":
            lines.append("space:")
            for name, domain in value.items():
                lines += _entry(name, domain, parameters.get(name, Comments()), "  ")
        else:
            body = _flow({key: value}) if _fits({key: value}) else _block({key: value})
            lines += [*body[:1], *body[1:]]
            lines[-len(body)] += _beside(about)
    return "\n".join(lines) + "\n"


def _entry(name: str, value: Any, about: Comments, indent: str) -> list[str]:
    written = _one_line({name: value})
    return [*_above(about, indent), f"{indent}{written}{_beside(about)}"]


def _above(about: Comments, indent: str) -> list[str]:
    return [f"{indent}# {line}".rstrip() for line in about.above]


def _beside(about: Comments) -> str:
    return f"  # {about.beside}" if about.beside else ""


def _fits(data: dict[str, Any]) -> bool:
    return len(_one_line(data)) <= _WIDTH


def _flow(data: dict[str, Any]) -> list[str]:
    return [_one_line(data)]


def _one_line(data: dict[str, Any]) -> str:
    """`key: {a: 1}` on one line."""
    ((key, value),) = data.items()
    written = _dump(value, flow=True)
    return f"{_dump(key, flow=True)}: {written}"


def _block(data: dict[str, Any]) -> list[str]:
    return _dump(data, flow=False).splitlines()


def _dump(value: Any, *, flow: bool | None) -> str:
    text = yaml.dump(
        value, default_flow_style=flow, sort_keys=False, allow_unicode=True, width=10**6,
        Dumper=_Dumper,
    )  # fmt: skip
    return text.removesuffix("...\n").strip("\n")


class _Dumper(yaml.SafeDumper):
    """Quotes text that YAML 1.2 or this package's reader would not read as text."""


_AMBIGUOUS = re.compile(r"[-+.\d][\w.:+-]*|~|null|true|false|yes|no|on|off|y|n|", re.IGNORECASE)


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = '"' if _AMBIGUOUS.fullmatch(value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)
