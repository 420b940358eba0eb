"""Every key of every game is told: on its card, and on the page of the seats before a match."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.ui import theme
from arcade.games.built_in import built_in_games
from arcade.scenes.hud import controls_lines
from arcade.scenes.hud.controls_lines import ControlsList
from arcade.scenes.hud.pages import card_lines
from arcade.scenes.hud.seat_cards import presses, seat_cards
from arcade.scenes.setup.seats import FEW, SIDES

HEAD = 120
"""Pixels of the page of the seats above its list of keys."""

SEATINGS = {"one": ("keyboard",), "two": ("keyboard:wasd", "keyboard:arrows"), "pad": ("gamepad:0",)}


@pytest.fixture
def bindings() -> KeyBindings:
    return KeyBindings({}, identify=lambda word: "", save=lambda changes: None)


@pytest.mark.parametrize("people", SEATINGS.values(), ids=SEATINGS)
@pytest.mark.parametrize("spec", built_in_games(), ids=lambda spec: spec.id)
def test_every_key_that_does_something_is_told(spec: Any, people: tuple[str, ...], bindings, monkeypatch) -> None:
    seated = [SeatChoice(*word.split(":")) for word in people]
    lineup = dict(zip(spec.agents, seated, strict=False))
    drawn: list[tuple[str, tuple[Any, ...]]] = []
    line = controls_lines._line

    def note(words: str, ways: Any, *rest: Any) -> pygame.Surface:
        drawn.append((words, ways))
        return line(words, ways, *rest)

    monkeypatch.setattr(controls_lines, "_line", note)
    cards = seat_cards(spec, lineup, bindings)
    assert {agent for card in cards for agent in card.agents} == set(lineup)
    side = SIDES[spec.seats <= FEW]
    room = pygame.Rect(0, 0, side.w, side.h - HEAD)
    pictures = ControlsList(spec, bindings).fitted(room, lineup)
    assert len(pictures) == len(cards)
    height = sum(picture.get_height() for picture in pictures) + theme.GAP * (len(pictures) - 1)
    if spec.seats <= FEW or len(people) == 1:
        assert height <= room.h, f"{height} pixels of keys in a room of {room.h}"
    for card in cards:
        on_card = {source for _, rows in card_lines(card) for way in presses(rows, card.own) for source in way}
        in_list: dict[str, set[str]] = {}
        for words, ways in drawn:
            in_list.setdefault(words, set()).update(source for way in ways for source in way)
        for name, rows in card.groups().items():
            for row in rows:
                bound = {source for control in row.controls for source in card.own.sources.get(control, ())}
                assert bound & on_card, f"no key for {row.words!r} on the card of {card.agents}"
                assert bound & in_list[name], f"no key for {row.words!r} in the list of {card.agents}"
