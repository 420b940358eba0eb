"""Every key of every game is told: on its card, and on the page of the seats before a match."""

from __future__ import annotations

from typing import Any

import pytest

from agents.seats.controller import SeatChoice
from arcade.engine.input.key_bindings import KeyBindings
from arcade.games.built_in import built_in_games
from arcade.scenes.hud.pages import card_lines
from arcade.scenes.hud.seat_cards import presses, seat_cards
from arcade.scenes.setup.controls_panel import cap_words, control_words

SEATINGS = {"one": ("keyboard",), "two": ("keyboard:wasd", "keyboard:arrows"), "pad": ("gamepad:0",)}


@pytest.fixture
def bindings() -> KeyBindings:
    return KeyBindings({}, identify=lambda word: "", save=lambda changes: None)


@pytest.mark.parametrize("people", SEATINGS.values(), ids=SEATINGS)
@pytest.mark.parametrize("spec", built_in_games(), ids=lambda spec: spec.id)
def test_every_key_that_does_something_is_told(spec: Any, people: tuple[str, ...], bindings) -> None:
    seated = [SeatChoice(*word.split(":")) for word in people]
    lineup = dict(zip(spec.agents, seated, strict=False))
    cards = seat_cards(spec, lineup, bindings)
    assert {agent for card in cards for agent in card.agents} == set(lineup)
    for card in cards:
        on_card = {source for _, rows in card_lines(card) for way in presses(rows, card.own) for source in way}
        in_list = {name: {word for way in ways for word in way} for name, ways in control_words(card).items()}
        for name, rows in card.groups().items():
            for row in rows:
                bound = {source for control in row.controls for source in card.own.sources.get(control, ())}
                assert bound & on_card, f"no key for {row.words!r} on the card of {card.agents}"
                told = {word for source in bound for word in cap_words(card.own.kind, [source])} | {"Arrow keys"}
                assert told & in_list[name], f"no key for {row.words!r} in the list of {card.agents}"


def test_a_cursor_that_moves_in_a_row_names_both_directions_of_each_set_of_keys(bindings) -> None:
    spec = next(spec for spec in built_in_games() if spec.id == "classic/connect_four_v3")
    [card] = seat_cards(spec, {spec.agents[0]: SeatChoice("keyboard")}, bindings)
    assert next(iter(control_words(card).values())) == [["A", "D"], ["Left", "Right"]]
