"""The training page of one game, where the ladder, the game's page and the profile lead."""

from __future__ import annotations

import json
from pathlib import Path

from arcade.engine.ui.cards import Card
from arcade.scenes import routes


def write_run(home: Path, name: str, game: str) -> None:
    folder = home / "runs" / name
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(f'game = "{game}"\n')
    (folder / "metrics.jsonl").write_text(json.dumps({"step": 1000, "game": game}) + "\n")


def titles(sitting) -> list[str]:
    cards = [widget for widget in sitting.engine.scene.tree.walk() if isinstance(widget, Card)]
    return [card.label.partition(",")[0] for card in cards]


def test_only_the_runs_of_the_game_are_shown_until_all_are_asked_for(sit, keyboard, tmp_path) -> None:
    write_run(tmp_path, "volley-1", "house/volley")
    write_run(tmp_path, "chess-1", "classic/chess_v6")
    sitting = sit()
    sitting.engine.push(routes.Runs("classic/chess_v6"))
    sitting.until(lambda: titles(sitting), "the runs")
    assert titles(sitting) == ["Chess"]
    keyboard(sitting).choose("Chess")
    sitting.frame(2)
    assert sorted(titles(sitting)) == ["Chess", "Volley"]


def test_a_game_without_runs_says_so_although_others_have_some(sit, tmp_path) -> None:
    write_run(tmp_path, "volley-1", "house/volley")
    sitting = sit()
    sitting.engine.push(routes.Runs("classic/go_v5"))
    scene = sitting.engine.scene
    sitting.until(lambda: scene.cards, "the runs")
    sitting.frame(2)
    assert titles(sitting) == []
    assert any("No training of Go" in getattr(widget, "label", "") for widget in scene.tree.walk())
