"""Each built-in game says how it is played, in both languages."""

from __future__ import annotations

import pytest

from arcade import language
from arcade.games.built_in import built_in_games
from arcade.games.spec import GameSpec

LONGEST = 800
"""Characters of all parts: about eight sentences, which fill two thirds of the page's column."""


@pytest.fixture
def german():
    language.use("de")
    yield
    language.use("en")


@pytest.mark.parametrize("spec", built_in_games(), ids=lambda spec: spec.id)
def test_a_game_tells_its_aim_its_moves_its_score_and_its_end(spec: GameSpec) -> None:
    rules = spec.rules
    assert rules is not None, f"{spec.id} has no rules: add them in arcade/games/rules"
    assert all(text.endswith(".") for text in rules.texts)
    assert "end" in rules.end or "win" in rules.end or "after" in rules.end
    assert len(" ".join(rules.lines())) <= LONGEST


def test_all_rules_are_written_in_german(german) -> None:
    for spec in built_in_games():
        english, shown = spec.rules.texts, list(spec.rules.lines())
        assert [line.partition(":")[0] for line in shown] == ["Ziel", "Ablauf", "Punkte", "Ende"]
        assert not any(text in line for text, line in zip(english, shown, strict=True)), spec.id
        assert len(" ".join(shown)) <= LONGEST
