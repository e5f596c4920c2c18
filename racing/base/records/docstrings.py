"""Reads the texts of fields from the docstring of a record."""

from __future__ import annotations

import inspect
import textwrap


def attributes(record: type) -> dict[str, str]:
    """Field → its text in the numpydoc section "Attributes", on one line; inherited ones too.

    Several names before one text (`low, high`) share it.
    """
    texts: dict[str, str] = {}
    for base in reversed(record.__mro__):
        texts |= _own_attributes(base.__doc__ or "")
    return texts


def _own_attributes(docstring: str) -> dict[str, str]:
    _, _, section = inspect.cleandoc(docstring).partition("\nAttributes\n----------\n")
    texts: dict[str, list[str]] = {}
    names: list[str] = []
    for line in section.splitlines():
        if line.startswith(" ") or not line:
            for name in names:
                texts[name].append(line.strip())
        elif set(line) == {"-"}:  # the line before it is the title of the next section
            for title in names:
                del texts[title]
            break
        else:
            names = [name.strip() for name in line.partition(" : ")[0].split(",")]
            texts.update({name: [] for name in names})
    return {name: " ".join(" ".join(parts).split()) for name, parts in texts.items()}


def summary(record: type) -> str:
    """The first line of a record's docstring."""
    return textwrap.dedent(record.__doc__ or "").strip().partition("\n")[0]
