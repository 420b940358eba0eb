"""Card tables at the user's scale: words grow, none is cut or lies over another, and clicks land where they are."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from dataclasses import replace
from types import SimpleNamespace

import pygame
import pytest

from agents.seats.controller import SeatSpec, Turn
from arcade import language
from arcade.controls.cursor_controller import CursorController
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Theme
from arcade.games import find_game
from arcade.match.stage.local import LocalStage
from arcade.scenes.match.picture import GamePicture
from arcade.scenes.tables import hanabi_cards

AREAS = {1.0: (72, 608), 1.5: (96, 573), 2.0: (120, 538), 3.0: (139, 510)}
"""Scale → top and height of what a match's bars leave at 1280x720."""

TABLES = (
    ("classic/leduc_holdem_v4", 2, ""), ("classic/rps_v2", 2, ""),
    *(("classic/texas_holdem_no_limit_v6", count, "num_players") for count in (2, 6, 10)),
    *(("classic/hanabi_v5", count, "players") for count in (2, 3, 4, 5)),
)  # fmt: skip


class Writing:
    """Every line that is drawn: its words, where it lies, its size; and those that were cut."""

    def __init__(self, monkeypatch) -> None:
        self.lines: list[tuple[str, pygame.Rect, int]] = []
        self.cut: list[str] = []
        draw = Theme.draw_text

        def spy(theme, canvas, words, at, *, width=None, **look):
            where = draw(theme, canvas, words, at, width=width, **look)
            size, bold = look.get("size", themes.BODY), look.get("bold", False)
            self.lines.append((words, where, size))
            if width is not None and theme.font(size, bold=bold).size(words)[0] > width:
                self.cut.append(words)
            return where

        monkeypatch.setattr(Theme, "draw_text", spy)

    def overlaps(self) -> list[tuple[str, str]]:
        """Pairs of lines one of which lies over the other, their letters, not the space around them."""
        inner = [(words, where.inflate(-4, -where.h // 3)) for words, where, _ in self.lines]
        return [(a, b) for i, (a, at) in enumerate(inner) for b, other in inner[i + 1 :] if at.colliderect(other)]


@pytest.mark.parametrize(("game", "count", "kwarg"), TABLES)
def test_words_grow_with_the_scale_and_clicks_find_every_action(game, count, kwarg, monkeypatch) -> None:
    spec = find_game(game)
    agents = tuple(f"player_{place}" for place in range(count))
    teams = (agents,) if len(spec.teams) == 1 else tuple((agent,) for agent in agents)
    spec = replace(spec, agents=agents, teams=teams, kwargs={kwarg: count} if kwarg else {})
    stage = LocalStage(spec, render=True)
    stage.reset(3)
    tick = stage.wait()
    writing, named = Writing(monkeypatch), {}
    for scale, (top, high) in AREAS.items():
        writing.lines.clear()
        picture, chooser = GamePicture(spec), _chooser(stage, tick)
        picture.table.people = [tick.acting[0]]
        area = pygame.Rect(0, top, 1280, high)
        canvas, theme = pygame.Surface((1280, 720)), Theme(scale=scale)
        picture.draw(canvas, theme, area, tick, viewer=tick.acting[0], chooser=chooser)
        assert not writing.cut
        assert not writing.overlaps()
        assert not [words for words, where, _ in writing.lines if not area.contains(where)]
        assert min(size for _, _, size in writing.lines) >= themes.SMALLEST
        named[scale] = max(size for words, _, size in writing.lines if words.endswith(spec.seat_title(agents[-1])))
        assert len(picture.table.hits) == len(chooser.options)
        for rect, index in picture.table.hits:
            click = PointerInput("press", rect.center, button=1)
            picture.pointer(click, fresh := _chooser(stage, tick))
            assert fresh.act() == chooser.options[index].action
    stage.close()
    if count == 2:
        assert named[1.0] < named[1.5] < named[2.0]
        assert named[3.0] >= 1.2 * named[1.0]
    assert named[3.0] >= named[1.0]


def test_the_colours_of_hanabi_are_told_apart_by_their_german_letters(monkeypatch) -> None:
    writing, pips, write = Writing(monkeypatch), set(), hanabi_cards._write

    def spy(picture, theme, words, *look):
        pips.add(words)
        write(picture, theme, words, *look)

    monkeypatch.setattr(hanabi_cards, "_write", spy)
    hanabi_cards._pip.cache_clear()
    stage = LocalStage(find_game("classic/hanabi_v5"), render=True)
    stage.reset(3)
    tick = stage.wait()
    language.use("de")
    try:
        picture = GamePicture(stage.spec)
        picture.draw(pygame.Surface((1280, 720)), Theme(), pygame.Rect(0, 72, 1280, 608), tick, viewer=tick.acting[0])
    finally:
        language.use("en")
        stage.close()
    shorts = {"R", "Ge", "Gr", "W", "B"}
    assert shorts <= pips, "what a card may be"
    assert "G" not in pips
    discarded = {words for words, _, _ in writing.lines if words.endswith(" –")}
    assert discarded == {f"{short} –" for short in shorts}


def _chooser(stage: LocalStage, tick) -> CursorController:
    """A person whose turn is due."""
    agent = tick.acting[0]
    hub = SimpleNamespace(subscribe=lambda *who: None, unsubscribe=lambda *who: None)
    chooser = CursorController(hub, "keyboard", label="Ann", names=stage.spec.names_of(agent))
    seen, action = stage.spaces[agent]
    chooser.reset(SeatSpec(game=stage.spec.id, agent=agent, observation_space=seen, action_space=action), seed=0)
    chooser.observe(Turn(agent, 0, tick.observations[agent], tick.action_masks.get(agent)))
    return chooser
