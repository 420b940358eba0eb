"""Snapshots as files: show, export, import, rename, delete, compare."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agents.snapshots.store import BUNDLED, open_store
from arcade.commands.cli import app

ONE, TWO = "volley-1", "volley-7"


@pytest.fixture
def snapshots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "home"))
    return lambda *words: CliRunner().invoke(app, ["snapshots", *words])


def data(done: Result) -> Any:
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_show_has_the_card(snapshots: Callable[..., Result]) -> None:
    shown = data(snapshots("show", ONE, "--json"))
    assert (shown["name"], shown["game"], shown["trusted"]) == (ONE, "house/volley", True)
    assert "game: house/volley" in snapshots("show", ONE).stdout


def test_a_snapshot_goes_to_another_home_and_is_not_trusted_there(
    snapshots: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = data(snapshots("export", ONE, str(tmp_path / "shared"), "--json"))["path"]
    assert {file.name for file in Path(path).iterdir()} == {"card.json", "policy.onnx"}
    changed = json.loads((Path(path) / "card.json").read_text())
    assert changed["sha256"] == json.loads((BUNDLED / ONE / "card.json").read_text())["sha256"]
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "other"))
    assert data(snapshots("import", path, "--name", "from-ann", "--json")) == {"imported": "from-ann"}
    assert open_store().get("from-ann").trusted is False
    assert snapshots("trust", "from-ann").exit_code == 0
    assert open_store().get("from-ann").trusted is True


def test_a_link_that_leads_in_a_circle_is_no_snapshot(snapshots: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    done = snapshots("import", str(tmp_path / "loop"))
    assert done.exit_code == 3
    assert "expected the folder of a snapshot" in done.stderr


def test_own_snapshots_are_renamed_and_deleted_and_bundled_ones_stay(
    snapshots: Callable[..., Result], tmp_path: Path
) -> None:
    data(snapshots("import", str(BUNDLED / ONE), "--name", "mine", "--json"))
    data(snapshots("import", str(BUNDLED / TWO), "--name", "taken", "--json"))
    assert snapshots("rename", "mine", "taken").exit_code == 2
    assert snapshots("rename", "mine", "../up").exit_code == 2
    assert data(snapshots("rename", "mine", "newer", "--json")) == {"renamed": "mine", "to": "newer"}
    assert snapshots("show", "mine").exit_code == 3
    assert snapshots("delete", "newer").exit_code == 1, "nothing was answered"
    assert data(snapshots("delete", "newer", "--yes", "--json")) == {"deleted": "newer"}
    assert {path.name for path in (tmp_path / "home" / "snapshots").iterdir()} == {"taken"}
    for words in (("delete", ONE, "--yes"), ("rename", ONE, "other")):
        assert snapshots(*words).exit_code == 2
    assert (BUNDLED / ONE).is_dir()


def test_two_are_compared_by_cards_and_matches(snapshots: Callable[..., Result]) -> None:
    compared = data(snapshots("compare", ONE, TWO, "--episodes", "4", "--json"))
    assert [one["name"] for one in compared["snapshots"]] == [ONE, TWO]
    assert compared["played"] == 4
    said = snapshots("compare", ONE, TWO, "--episodes", "4")
    assert f"snapshot:{TWO}: " in said.stdout
    other = next(card.name for card in open_store().list() if card.game != "house/volley")
    refused = snapshots("compare", ONE, other)
    assert refused.exit_code == 2
