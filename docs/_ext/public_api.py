"""Writes the pages of the API reference, so that every public name has its place without upkeep.

The pages follow `__all__`: one for `racing`, one for each of its public packages, and one for each
module of the packages in `BY_MODULE`, which are large. A last page has the classes that public
names take or return without being public names themselves. They are written to docs/reference,
which git ignores.
"""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from inspect import isclass, isfunction, isroutine
from pathlib import Path
from types import ModuleType
from typing import get_args, get_type_hints

from sphinx.application import Sphinx

_ARRAY = re.compile(
    r"~?(?:numpy\.)?ndarray\[~?(?:\w+\.)*tuple\[.*?\], ~?(?:numpy\.)?dtype\[(.*?)\]\]"
)

BY_MODULE = ("racing.stats",)
EXTRA = ("racing.search", "racing.formats", "racing.plot", "racing.optuna")
"""Public packages that are not attributes of `racing`."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", _write)
    app.connect("autodoc-process-docstring", _prepare)
    app.connect("autodoc-process-signature", _shorten)
    return {"parallel_read_safe": True}


def packages() -> list[str]:
    """The public packages and modules, `racing` first."""
    root = import_module("racing")
    rooms = (f"racing.{n}" for n in root.__all__ if isinstance(getattr(root, n), ModuleType))
    return ["racing", *rooms, *EXTRA]


def names(package: str) -> list[str]:
    """The public names of a package that are no modules."""
    module = import_module(package)
    listed = getattr(module, "__all__", None) or [n for n in _own(module) if n[0] != "_"]
    top = () if package == "racing" else import_module("racing").__all__  # told once, there
    found = (n for n in listed if not n.startswith("__") and n not in top)
    return [n for n in found if not isinstance(getattr(module, n), ModuleType)]


def homes(package: str) -> dict[str, list[str]]:
    """The public names of a package by the module that defines them, both in their order."""
    module, out = import_module(package), {}
    for name in names(package):
        home = getattr(getattr(module, name), "__module__", package)
        out.setdefault(home if home.startswith(f"{package}.") else package, []).append(name)
    return dict(sorted(out.items()))


def mentioned() -> list[str]:
    """Full names of the classes that are not public, but that annotations of public names name."""
    public = [getattr(import_module(p), name) for p in packages() for name in names(p)]
    known, todo = {_full_name(value) for value in public}, list(public)
    found: set[str] = set()
    while todo:
        for value in _annotations(todo.pop()):
            name = _full_name(value)
            if name not in known and name.startswith("racing.") and "._" not in name:
                known.add(name)
                found.add(name)
                todo.append(value)
    return sorted(found)


def _full_name(value: object) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"


def _annotations(value: object) -> list[type]:
    """The classes in the annotations of a function, or of a class and its public methods."""
    parts = [value]
    if isclass(value):
        parts += [m for n, m in vars(value).items() if n == "__init__" or n[0] != "_"]
    hints: list[object] = []
    for part in parts:
        for wrapped in ("fget", "func", "__func__"):  # property, cached_property, classmethod
            part = getattr(part, wrapped, part)
        if isclass(part) or isfunction(part):
            with suppress(NameError):  # inherited from a dataclass of another module
                hints += get_type_hints(part).values()
    return _classes(hints)


def _classes(hints: list[object]) -> list[type]:
    out: list[type] = []
    for hint in hints:
        out += _classes(hint if isinstance(hint, list) else list(get_args(hint)))
        if isclass(hint):
            out.append(hint)
    return out


def _own(module: ModuleType) -> list[str]:
    return [n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__]


def _write(app: Sphinx) -> None:
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    pages = {name: text for package in packages() for name, text in _pages(package).items()}
    pages["records"] = _records(mentioned())
    pages["api"] = _index("Python API", [*packages(), "records"])
    for old in folder.glob("*.rst"):
        if old.stem not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _pages(package: str) -> dict[str, str]:
    """Name of a page → its text: one for the package, or one for each of its modules."""
    if package not in BY_MODULE:
        return {package: _heading(package) + _members(package, names(package))}
    parts = homes(package)
    whole = _heading(package) + _toctree(list(parts))
    return {package: whole} | {
        home: _heading(home) + _members(package, members) for home, members in parts.items()
    }


def _index(title: str, pages: list[str]) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{_toctree(pages)}"


def _records(classes: list[str]) -> str:
    title = "Other classes"
    text = "Classes that public functions take or return, imported from where they are defined.\n\n"
    directives = "".join(f".. autoclass:: {name}\n   :members:\n\n" for name in classes)
    return f"{title}\n{'=' * len(title)}\n\n{text}{directives}"


def _heading(module: str) -> str:
    options = "   :no-members:\n   :no-index:\n\n"  # functions may be called like their module
    return f"{module}\n{'=' * len(module)}\n\n.. automodule:: {module}\n{options}"


def _toctree(pages: list[str]) -> str:
    return ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {page}\n" for page in pages)


def _members(package: str, members: list[str]) -> str:
    module = import_module(package)
    return f".. currentmodule:: {package}\n\n" + "".join(
        _directive(name, getattr(module, name)) for name in members
    )


def _directive(name: str, value: object) -> str:
    if isclass(value):
        return f".. autoclass:: {name}\n   :members:\n\n"
    if isroutine(value):
        return f".. autofunction:: {name}\n\n"
    return f".. py:data:: {name}\n\n   {str(value).replace('typing.', '')}\n\n"


def _prepare(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Let docstrings be reStructuredText: |x| is an absolute value in them, and no substitution.

    In those of modules, which draw tables and trees, what is not a plain paragraph stays as it is.
    """
    if what != "module":
        lines[:] = [line.replace("|", r"\|") for line in lines]
        return
    out: list[str] = []
    for part in "\n".join(lines).strip().split("\n\n"):
        kept = part.splitlines()
        if any(line[:1] in " ├└" or "   " in line for line in kept):
            out += ["::", "", *(f"    {line}" for line in kept), ""]
        else:
            out += [*(line.replace("|", r"\|") for line in kept), ""]
    lines[:] = out


def _shorten(
    app: Sphinx, what: str, name: str, obj: object, options: object, *signature: str | None
):
    """Annotations as a reader would write them: int for Annotated[int, …], NDArray for ndarray."""
    return tuple(text and _ARRAY.sub(r"NDArray[\1]", _without_metadata(text)) for text in signature)


def _without_metadata(text: str) -> str:
    """Replace every Annotated[type, …] by its type."""
    head, found, tail = text.partition("Annotated[")
    if not found:
        return text
    end, comma = _closing(tail), tail.index(",")
    before = re.sub(r"~?(\w+\.)*$", "", head)  # Sphinx writes the type's module there
    return before + tail[:comma].lstrip("~") + _without_metadata(tail[end + 1 :])


def _closing(text: str) -> int:
    """Where the bracket closes that stands open before the text."""
    depth = 1
    for place, character in enumerate(text):
        depth += {"[": 1, "]": -1}.get(character, 0)
        if not depth:
            return place
    raise ValueError(f"no closing bracket in {text}")
