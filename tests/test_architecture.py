"""docs/maintain/architecture.md is true: its files exist, its recipes are short, and its code runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "maintain" / "architecture.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^### (.+?)\n(.*?)(?=^### |\Z)", TEXT, re.DOTALL | re.MULTILINE))


def code(recipe: str) -> dict[str, Any]:
    """The names that the code of a recipe defines."""
    [block] = re.findall(r"```python\n(.*?)```", RECIPES[recipe], re.DOTALL)
    names: dict[str, Any] = {"__name__": "__main__"}  # dataclasses look their module up
    exec(block, names)  # noqa: S102  (our own documentation)
    return names


def test_every_file_and_folder_that_is_named_exists() -> None:
    named = re.findall(r"`((?:agents|arcade|trainer|docs|tests)/[\w/.]*)`", TEXT)
    assert len(named) > 40
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_names_of_where_is_it_are_in_their_files() -> None:
    [section] = re.findall(r"^## Where is it\n(.*?)^## ", TEXT, re.DOTALL | re.MULTILINE)
    rows = re.findall(r"^\| [^`|]+ \| ([^|]*`[^|]*) \| ([^|]*) \|$", section, re.MULTILINE)
    assert len(rows) >= 5
    for files, names in rows:
        source = "".join((ROOT / file).read_text(encoding="utf-8") for file in re.findall(r"`([^`]+)`", files))
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"^\s*(?:class |def )?{name}\b", source, re.MULTILINE), (files, name)


def test_each_of_ten_recipes_takes_two_files_at_most() -> None:
    files = {name: re.findall(r"`([^`]+)`", line) for name, text in RECIPES.items()
             for line in re.findall(r"^Files: .*", text, re.MULTILINE)}  # fmt: skip
    assert len(files) == len(RECIPES) == 10
    news = {name: "New:" in text and len(files[name]) == 1 for name, text in RECIPES.items()}
    assert {name: len(found) + news[name] for name, found in files.items() if len(found) + news[name] > 2} == {}


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_code_of_each_recipe_runs(recipe: str) -> None:
    assert len(code(recipe)) > 2
