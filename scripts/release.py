"""Make a release ready to be published, or say what is missing (`make release VERSION=0.1.0`).

    python -m scripts.release 0.1.0

First the repository is checked: a clean tree, the version, a dated entry in the changelog, and no
tag of that name elsewhere. Then lint, types, layers, site, chart library and workflows. Then the
source distribution and the wheel are built from the commit itself, checked by twine, installed in
empty environments and used there; and the whole suite runs in what the source distribution holds.
Everything is done in build/release. Nothing is published: at the end it says what a person does.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

from scripts import wheel

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "release"
DIST = FOLDER / "dist"
TOOLS = ("build==1.6.1", "twine==7.0.0", "readme_renderer[md]==46.0")
CHECKS = ("lint", "types", "layers", "docs", "workflows")
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
_RELATIVE = re.compile(r"""\]\((?!https?://|\#)[^)]+\)|(?:src|srcset|href)="(?!https?://)[^"]+""")


def refusals(version: str, root: Path) -> Iterator[str]:
    """Why this version cannot be released from this repository: all reasons at once."""
    if not _VERSION.fullmatch(version):
        yield f"{version!r} is no version; expected one such as 0.1.0 or 0.2.0rc1"
    source = (root / "racing" / "base" / "version.py").read_text(encoding="utf-8")
    if f'__version__ = "{version}"' not in source:
        yield f'racing/base/version.py does not say __version__ = "{version}"'
    entry = re.compile(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", re.MULTILINE)
    if not entry.search((root / "CHANGELOG.md").read_text(encoding="utf-8")):
        yield f"CHANGELOG.md has no entry `## [{version}] - YYYY-MM-DD`"
    if changed := _git(root, "status", "--porcelain"):
        yield f"the tree is not clean; commit or remove:\n{changed}"
    tagged = _git(root, "tag", "--list", f"v{version}", "--no-contains", "HEAD")
    if tagged and not _git(root, "tag", "--points-at", "HEAD", "--list", f"v{version}"):
        yield f"the tag v{version} names another commit; choose a new version"


def _git(root: Path, *arguments: str) -> str:
    """What a command of git prints."""
    command = ["git", *arguments]
    told = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True)
    return told.stdout.rstrip()


def build() -> None:
    """The source distribution and the wheel, from the files of the commit alone."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    tree = FOLDER / "tree"
    tree.mkdir(parents=True)
    _run("git", "archive", "--format=tar", f"--output={FOLDER / 'tree.tar'}", "HEAD")
    with tarfile.open(FOLDER / "tree.tar") as archive:
        archive.extractall(tree, filter="data")
    venv.create(FOLDER / "tools", with_pip=True)
    wheel.pip(str(_tool("python")), "install", *TOOLS)
    _run(_tool("python"), "-m", "build", "--outdir", DIST, tree)


def check_descriptions() -> None:
    """Both have metadata that an index takes, and a description without a relative link."""
    _run(_tool("twine"), "check", "--strict", *sorted(DIST.iterdir()))
    (built,) = DIST.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        relative = _RELATIVE.findall(archive.read(name).decode())
    if relative:
        sys.exit(f"the description has relative links, which an index cannot follow: {relative}")


def use() -> None:
    """Install each in an empty environment, and use it as a newcomer would."""
    (built,) = DIST.glob("*.whl")
    wheel.check_contents(built)
    for distribution in sorted(DIST.iterdir()):
        folder = FOLDER / distribution.name.rpartition(".")[2]
        wheel.use(wheel.install(distribution, folder), folder)


def suite() -> None:
    """`make test` in what the source distribution holds, in an environment of its own."""
    (source,) = DIST.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(FOLDER, filter="data")
    folder = FOLDER / source.name.removesuffix(".tar.gz")
    _run("make", "test", f"PYTHON={sys.executable}", where=folder)


def _tool(name: str) -> Path:
    return FOLDER / "tools" / "bin" / name


def _run(*command: str | Path, where: Path = ROOT) -> None:
    print("$", *command, flush=True)
    subprocess.run(command, cwd=where, check=True)


def main() -> None:
    """Check, build, check what was built, and say what remains."""
    parser = argparse.ArgumentParser(prog="python -m scripts.release", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("version", help="such as 0.1.0")
    version = parser.parse_args().version
    if reasons := list(refusals(version, ROOT)):
        sys.exit("\n".join([f"{version} is not ready:", *(f"- {one}" for one in reasons)]))
    try:
        _run("make", *CHECKS)
        build()
        check_descriptions()
        use()
        suite()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{version} is not ready: {error}")
    print(
        f"racing {version} is ready in {DIST.relative_to(ROOT)}. What remains:\n"
        f"  git tag v{version} && git push origin v{version}\n"
        "The workflow `release` then builds it again and publishes it, if the index trusts it: "
        "owner, repository, release.yml, environment pypi."
    )


if __name__ == "__main__":
    main()
