"""Writes the pages of the API reference, so that every public name has its place without upkeep.

The pages follow `__all__`: one for `racing` and for each of its public packages, one for each
module of the packages in `BY_MODULE`, which are large, and one for each class that is no exception.
Classes that public names take or return without being public names themselves have pages too. All
are written to docs/reference, which git ignores.
"""

from __future__ import annotations

import re
from contextlib import suppress
from importlib import import_module
from inspect import getdoc, isclass, isfunction, isroutine
from pathlib import Path
from types import ModuleType
from typing import get_args, get_type_hints

from sphinx.application import Sphinx
from sphinx.util.inspect import TypeAliasForwardRef

_PROTOCOL = "(*args, **kwargs)"
_ARRAY = re.compile(
    r"~?(?:numpy\.)?ndarray\[~?(?:\w+\.)*tuple\[.*?\], ~?(?:numpy\.)?dtype\[(.*?)\]\]"
)

BY_MODULE = ("racing.stats",)
EXTRA = (
    "racing.analysis.compare",
    "racing.search",
    "racing.scenario.formats",
    "racing.report.figures",
    "racing.optuna",
    "racing.sklearn",
)
"""Public packages that are not attributes of `racing`."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx; an alias of a type is shown by its name."""
    TypeAliasForwardRef.__repr__ = lambda self: self.name  # type: ignore[method-assign]
    app.connect("builder-inited", _write)
    app.connect("autodoc-process-docstring", _prepare, priority=400)  # before numpydoc
    app.connect("autodoc-process-signature", _shorten)
    return {"parallel_read_safe": True}


def packages() -> list[str]:
    """The public packages and modules, `racing` first."""
    root = import_module("racing")
    listed = (getattr(root, name) for name in root.__all__)
    rooms = (thing.__name__ for thing in listed if isinstance(thing, ModuleType))
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
        home = getattr(getattr(module, name), "__module__", package).partition("._")[0]
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
    others = [name for name in mentioned() if name not in pages]
    pages |= {name: _class(name) for name in others}
    pages["records"] = _records(others)
    pages["api"] = _index({p: [name for name in pages if _of(p, name)] for p in packages()}, others)
    for old in folder.glob("*.rst"):
        if old.stem not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _pages(package: str) -> dict[str, str]:
    """Name of a page → its text: the package, each of its modules if it is large, each class."""
    if package in BY_MODULE:
        parts = homes(package)
        own = parts.pop(package, [])
        whole = _heading(package) + _members(package, own) + _toctree(list(parts))
        return {package: whole} | {
            home: _heading(home) + _members(package, members) for home, members in parts.items()
        }
    found = names(package)
    apart = [name for name in found if _has_page(getattr(import_module(package), name))]
    errors = [name for name in found if _is_error(getattr(import_module(package), name))]
    rest = [name for name in found if name not in (*apart, *errors)]
    text = _heading(package) + _members(package, rest) + _classes_of(package, apart)
    text += f"\nErrors\n------\n\n{_members(package, errors)}" if errors else ""
    return {package: text} | {f"{package}.{name}": _class(f"{package}.{name}") for name in apart}


def _has_page(value: object) -> bool:
    return isclass(value) and not _is_error(value)


def _is_error(value: object) -> bool:
    return isclass(value) and issubclass(value, BaseException)


def _class(name: str) -> str:
    short = name.rpartition(".")[2]
    return f"{short}\n{'=' * len(short)}\n\n.. autoclass:: {name}\n   :members:\n"


def _classes_of(package: str, members: list[str]) -> str:
    """A list of the classes of a package, each with the first line of its docstring."""
    if not members:
        return ""
    module = import_module(package)
    lines = [f"- :class:`{name} <{package}.{name}>`: {_first_line(getattr(module, name))}"
             for name in members]  # fmt: skip
    pages = _toctree([f"{package}.{name}" for name in members], hidden=True)
    return "Classes\n-------\n\n" + "\n".join(lines) + f"\n\n{pages}"


def _first_line(value: object) -> str:
    text = (getdoc(value) or "").partition("\n\n")[0].replace("\n", " ").replace("|", r"\|")
    text = re.sub(":+$", ".", text)
    return re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", text)


def _index(pages: dict[str, list[str]], others: list[str]) -> str:
    """A line for every page: by package, and at last what public names take or return."""
    title = "Python API"
    text = f"{title}\n{'=' * len(title)}\n\n{_toctree([*pages, 'records'], hidden=True)}\n"
    for package, listed in {**pages, "records": others}.items():
        head = "Other classes" if package == "records" else package
        text += f"{head}\n{'-' * len(head)}\n\n"
        text += "" if package == "records" else f"{_line(package)}\n\n"
        text += "\n".join(f"- {_line(name)}" for name in listed) + "\n\n"
    return text


def _of(package: str, page: str) -> bool:
    """Whether a page is about a class or a module of this package."""
    return page.rpartition(".")[0] == package and page not in packages()


def _line(page: str) -> str:
    """A link to a page, with the first line of what it documents."""
    try:
        thing: object = import_module(page)
    except ModuleNotFoundError:
        home, _, name = page.rpartition(".")
        thing = getattr(import_module(home), name)
    label = page if page in packages() else page.rpartition(".")[2]
    return f":doc:`{label} <{page}>`: {_first_line(thing)}"


def _records(classes: list[str]) -> str:
    title = "Other classes"
    text = "Classes that public functions take or return, imported from where they are defined.\n\n"
    return f"{title}\n{'=' * len(title)}\n\n{text}{_toctree(classes)}"


def _heading(module: str) -> str:
    options = "   :no-members:\n   :no-index:\n\n"  # functions may be called like their module
    return f"{module}\n{'=' * len(module)}\n\n.. automodule:: {module}\n{options}"


def _toctree(pages: list[str], *, hidden: bool = False) -> str:
    options = "   :maxdepth: 1\n" + ("   :hidden:\n" if hidden else "")
    return f".. toctree::\n{options}\n" + "".join(f"   {page}\n" for page in pages)


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
    text = str(value).replace("typing.", "")
    return (
        f".. py:data:: {name}\n\n   {(getdoc(value) or '') if ' object at ' in text else text}\n\n"
    )


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
        if out[-2:-1] and out[-2].endswith("::"):  # a literal block already
            out += [*kept, ""]
        elif any(line[:1] in " ├└" or "   " in line for line in kept):
            out += ["::", "", *(f"    {line}" for line in kept), ""]
        else:
            out += [*(line.replace("|", r"\|") for line in kept), ""]
    lines[:] = out


def _shorten(
    app: Sphinx, what: str, name: str, obj: object, options: object, *signature: str | None
):
    """Annotations as a reader would write them: int for Annotated[int, …], NDArray for ndarray."""
    return tuple(text and _readable(text) for text in signature)


def _readable(text: str) -> str:
    if text == _PROTOCOL:  # what a protocol seems to take
        return ""
    return _ARRAY.sub(r"NDArray[\1]", _without_metadata(text)).replace("<factory>", "...")


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
