"""requirements.lock: the dependencies of each Python, at the versions of constraints.txt, each with hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = ("data", "train", "games", "libraries", "docs", "dev")
LOCK = (ROOT / "requirements.lock").read_text("utf-8").replace("\\\n", " ")
LINES = [line for line in LOCK.splitlines() if line]
CONSTRAINTS = {
    canonicalize_name(one.name): one.specifier
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
    for one in [Requirement(line)]
}


def locked(python: str) -> dict[str, Requirement]:
    """What is installed with that Python on Linux, by name."""
    here = {**default_environment(), "python_version": python, "python_full_version": f"{python}.5"}
    found = [Requirement(line.partition("--hash")[0]) for line in LINES]
    return {canonicalize_name(one.name): one for one in found if one.marker is None or one.marker.evaluate(here)}


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_it_has_every_dependency_at_the_version_of_the_constraints(python: str) -> None:
    found = locked(python)
    wanted = [*PROJECT["dependencies"], *(one for extra in EXTRAS for one in PROJECT["optional-dependencies"][extra])]
    names = {canonicalize_name(one.name): one for one in map(Requirement, wanted)}
    assert set(names) <= set(found)
    for name, one in found.items():
        [pin] = one.specifier
        assert pin.operator == "=="
        assert name not in CONSTRAINTS or CONSTRAINTS[name] == one.specifier, name
        assert name not in names or pin.version in names[name].specifier, name


def test_every_file_has_a_hash() -> None:
    assert len(LINES) > 100
    for line in LINES:
        assert len(re.findall(r" --hash=sha256:[0-9a-f]{64}(?= |$)", line)) >= 1, line[:60]
