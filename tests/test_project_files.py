"""What hosts read of the project: workflows, templates, Dockerfile, devcontainer, citation, and the README's claims."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import arcade
from arcade.games.built_in import built_in_games

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
MAKE = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
README = (ROOT / "README.md").read_text("utf-8")
PYTHONS = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", name)]


def jobs() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text("utf-8"))
        assert {"name", "jobs", "permissions"} <= set(workflow), path
        assert True in workflow or "on" in workflow, "YAML reads the key on as a truth value"
        found |= workflow["jobs"]
    return found


def test_workflows_run_the_tests_the_docs_and_wheels_on_three_systems() -> None:
    found = jobs()
    commands = {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in found.items()}
    for name, job in found.items():
        assert "runs-on" in job, name
        assert job["timeout-minutes"] <= 120, name
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), name
            assert "uses" not in step or re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]), step
    lines = [line for own in commands.values() for line in own]
    assert "sudo .ci/run" in lines
    assert (ROOT / ".ci/run").stat().st_mode & 0o111, ".ci/run can be run"
    targets = [line.split()[1] for line in lines if line.startswith("make ")]
    assert "docs" in targets
    assert set(targets) <= set(MAKE)
    matrix = found["wheel"]["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == PYTHONS == ["3.11", "3.12", "3.13"]
    assert any("pettingzoo-arcade play" in line and "--headless" in line for line in commands["wheel"])


@pytest.mark.parametrize("path", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem)
def test_issue_forms_have_what_github_asks_for(path: Path) -> None:
    form = yaml.safe_load(path.read_text("utf-8"))
    assert {"name", "description", "body"} <= set(form)
    for part in form["body"]:
        assert part["type"] in ("markdown", "textarea", "input", "dropdown", "checkboxes")
        assert part["attributes"].get("label") or part["type"] == "markdown"


def test_the_dockerfile_is_small_repeatable_and_no_root() -> None:
    lines = [line.split(maxsplit=1) for line in DOCKERFILE.splitlines() if line.strip() and not line.startswith("#")]
    found = [(word.upper(), rest) for word, rest in lines]
    assert re.fullmatch(r"python:3\.\d+-slim", found[0][1]), "an image of one version"
    runs = [rest for word, rest in found if word == "RUN"]
    apt = [rest for rest in runs if "apt-get" in rest]
    assert all("apt-get update" in rest and "--no-install-recommends" in rest for rest in apt)
    assert all("rm -rf /var/lib/apt/lists/*" in rest for rest in apt)
    [pip] = [rest for rest in runs if "pip install" in rest]
    assert "--no-cache-dir" in pip
    assert "--constraint constraints.txt" in pip
    [extras] = re.findall(r"\.\[([\w,]+)\]", pip)
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    assert [rest for word, rest in found if word == "USER"][-1] != "root"
    [workdir] = [rest for word, rest in found if word == "WORKDIR"]
    assert workdir.startswith("/")
    [entry] = [json.loads(rest) for word, rest in found if word == "ENTRYPOINT"]
    assert entry[0] in PROJECT["scripts"]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv"} <= set(ignored)


def test_the_devcontainer_installs_what_the_tests_need() -> None:
    found = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))
    assert found["image"].rpartition(":")[2] in PYTHONS
    words = shlex.split(found["onCreateCommand"])
    assert {"xvfb", "xdotool", "stockfish", "gnugo"} <= set(words)
    assert words[-2:] == ["make", "setup"]


def test_the_citation_and_the_badges_are_true() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["version"] == arcade.__version__
    assert citation["license"] == "MIT"
    badges = dict(re.findall(r"!\[([^]]+)\]\(https://img\.shields\.io/badge/([^)]+)-blue\)", README))
    assert badges == {
        f"version {arcade.__version__}": f"version-{arcade.__version__}",
        f"Python {PYTHONS[0]} to {PYTHONS[-1]}": f"python-{PYTHONS[0]}%20to%20{PYTHONS[-1]}",
        f"{len(built_in_games())} games": f"games-{len(built_in_games())}",
        "typed": "typing-strict",
        "MIT licence": "licence-MIT",
    }
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert len(README.encode()) <= 5000
    assert (ROOT / "CONTRIBUTING.md").exists()
    assert (ROOT / "CODE_OF_CONDUCT.md").exists()
    assert (ROOT / ".github/PULL_REQUEST_TEMPLATE.md").exists()
