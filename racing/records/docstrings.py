"""What the docstring of a record says about each of its fields."""

from __future__ import annotations

import inspect
import textwrap


def attributes(record: type) -> dict[str, str]:
    """Field → its text in the numpydoc section "Attributes", on one line.

    Several names before one text (`low, high`) share it.
    """
    _, _, section = inspect.getdoc(record).partition("\nAttributes\n----------\n")  # type: ignore[union-attr]
    texts: dict[str, list[str]] = {}
    names: list[str] = []
    for line in section.splitlines():
        if line.startswith(" ") or not line:
            for name in names:
                texts[name].append(line.strip())
        elif set(line) == {"-"} or (not names and texts):
            break
        else:
            names = [name.strip() for name in line.partition(" : ")[0].split(",")]
            texts.update({name: [] for name in names})
    return {name: " ".join(" ".join(parts).split()) for name, parts in texts.items()}


def summary(record: type) -> str:
    """The first line of a record's docstring."""
    return textwrap.dedent(record.__doc__ or "").strip().partition("\n")[0]
