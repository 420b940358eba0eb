"""What people are told of their controls: on every device, for every game, with the keys that hold now."""

from __future__ import annotations

from itertools import combinations

import pygame
import pytest

from agents.seats.controller import SeatChoice
from agents.seats.kinds import SEAT_KINDS, parse_seat
from arcade.engine.input.bindings_file import Scope
from arcade.engine.input.key_bindings import KeyBindings
from arcade.engine.ui.theme import Theme
from arcade.games import find_game, games
from arcade.games.controls import BUTTONS, ControlRow, SeatControls
from arcade.scenes.hud.controls_lines import ControlsStrip
from arcade.scenes.hud.gamepad_picture import pad_words
from arcade.scenes.hud.pages import ControlLine, card_lines, widest
from arcade.scenes.hud.seat_cards import SeatCard, presses, seat_cards, whose
from arcade.scenes.pictograms import icon

DEVICES = ("keyboard", "keyboard:wasd", "keyboard:arrows", "keyboard:ijkl", "gamepad:0")
THEME, ROOM = Theme(), 170  # pixels for the caps of one device, on the page beside the picture
WORDS = {"fire": ("a",), "turn": ("left", "right")}


@pytest.fixture(autouse=True)
def _fonts(sit) -> None:
    sit()  # an engine, whose fonts these are drawn with


def card(*rows: ControlRow, choice: str = "keyboard:wasd", layouts: KeyBindings | None = None) -> SeatCard:
    layouts = layouts or KeyBindings()
    controls = SeatControls(rows=rows, style="moves")
    keyboard = choice if choice.startswith("keyboard") else "keyboard"
    return SeatCard(("ann",), parse_seat(choice), controls, layouts.of(keyboard), layouts.of("gamepad"))


def row(words: str, *controls: str, group: str = "") -> ControlRow:
    return ControlRow(words=words, controls=controls, action=words, group=group)


def test_every_game_tells_every_device_how_to_do_everything() -> None:
    layouts = KeyBindings()
    for spec in games():
        for word in DEVICES:
            people = [{agent: parse_seat(word)} for agent in spec.agents]
            for one in (card for lineup in people for card in seat_cards(spec, lineup, layouts)):
                told = [row for _, rows in card_lines(one) for row in rows]
                assert set(told) == set(one.controls.rows), f"{spec.id} tells all"
                for words, rows in card_lines(one):
                    ways = presses(rows, one.own)
                    assert ways, f"{spec.id}: {words} with {word}"
                    picture = widest(THEME, ways, one.own.kind, room=ROOM)
                    assert picture.get_width() <= ROOM, f"{spec.id}: {words} with {word}"


def test_the_strip_says_which_figure_is_whose(sit) -> None:
    spec = find_game("atari/quadrapong_v4")
    lineup = dict(zip(spec.agents, map(parse_seat, ("keyboard:wasd", "random", "gamepad:0", "random")), strict=True))
    told, look = [], Theme(scale=2.0)
    look.text = lambda words, text=look.text, **how: told.append(words) or text(words, **how)
    strip = ControlsStrip(spec, sit().engine.bindings, lineup)
    assert max(line.get_width() for line in strip.lines(look, 1200)) <= 1200
    seats = {*spec.seat_titles.values(), *spec.seat_notes.values()}
    shown = [word for word in told if word in seats]
    assert list(zip(shown[::2], shown[1::2], strict=True))[-1] == ("Right", "purple")
    assert ("Bottom", "purple") in zip(shown[::2], shown[1::2], strict=True)


def test_notes_of_several_seats_in_one_hand_are_told_once_each() -> None:
    spec, layouts = find_game("mpe/simple_tag_v3"), KeyBindings()
    (one,) = seat_cards(spec, dict.fromkeys(spec.agents, parse_seat("keyboard:wasd")), layouts)
    assert whose(spec, one, most=2) == ("Red chaser 1, Red chaser 2 …", "F1 marks it …")
    assert whose(spec, one, most=4)[1] == "F1 marks it"


def test_keys_that_belong_together_are_told_together_and_others_as_a_choice() -> None:
    moves = tuple(row(way.capitalize(), way, group="Move") for way in ("left", "right", "down", "up"))
    layouts = KeyBindings()
    assert presses(moves, layouts.of("keyboard:wasd")) == (("w", "a", "s", "d"),)
    assert presses(moves, layouts.of("keyboard"))[:2] == (("w", "a", "s", "d"), ("up", "left", "down", "right"))
    assert presses(moves, layouts.of("gamepad"))[1] == ("y-", "x-", "y+", "x+")
    assert presses((row("Jump", "up", "a"),), layouts.of("keyboard:wasd")) == (("w",), ("space",))
    assert presses((row("Cursor", "up", "down", "left", "right"),), layouts.of("keyboard:ijkl")) == (
        ("i", "j", "k", "l"),
    )


def test_a_key_that_was_given_something_else_to_do_is_the_one_that_is_shown() -> None:
    layouts = KeyBindings()
    layouts.change(Scope(game="", device="keyboard:wasd"), {"a": ("t",)})
    shown = card(row("Fire", "a"), layouts=layouts)
    assert presses(shown.controls.rows, shown.own) == (("t",),)
    assert ControlLine(card_lines(shown)[0], shown).hint.startswith("Keyboard: T ")


def test_the_drawn_pad_tells_each_thing_once_with_its_parts() -> None:
    lines = card_lines(card(row("Up", "up", group="Move"), row("Left", "left", group="Move"), row("Fire", "a", "rt+")))
    assert pad_words(lines, KeyBindings().of("gamepad")) == {"Move": ["up", "stick", "left"], "Fire": ["a", "rt"]}


def test_a_crowd_of_rows_is_told_by_groups_on_one_card() -> None:
    rows = tuple(row(f"Thing {control}", control, group=f"Group {place % 4}") for place, control in enumerate(BUTTONS))
    assert [words for words, _ in card_lines(card(*rows))] == ["Group 0", "Group 1", "Group 2", "Group 3"]


def test_people_who_play_alike_have_one_card_and_others_their_own() -> None:
    spec = next(spec for spec in games() if spec.id == "atari/quadrapong_v4")
    words = ("keyboard:wasd", "keyboard:wasd", "gamepad:0", "random")
    cards = seat_cards(spec, dict(zip(spec.agents, map(parse_seat, words), strict=True)), KeyBindings())
    assert [(one.agents, str(one.choice), one.own.kind) for one in cards] == [
        (spec.agents[:2], "keyboard:wasd", "keyboard"),
        (spec.agents[2:3], "gamepad:0", "gamepad"),
    ]
    nobody = seat_cards(spec, dict.fromkeys(spec.agents, SeatChoice("random")), KeyBindings())
    assert [str(one.choice) for one in nobody] == ["keyboard"]


def test_a_card_tells_the_keys_that_are_left_for_the_keyboard_as_a_whole() -> None:
    spec = next(spec for spec in games() if spec.id == "house/volley")

    def jumps(*words: str) -> list[list[str]]:
        cards = seat_cards(spec, dict(zip(spec.agents, map(parse_seat, words), strict=True)), KeyBindings())
        return [[" ".join(way) for way in presses(card.groups()["Jump"], card.own)] for card in cards]

    (alone,) = jumps("keyboard", "random")
    assert alone[:2] == ["w", "up"]
    whole, half = jumps("keyboard", "keyboard:wasd")
    assert whole[0] == "up"
    assert "w" not in whole
    assert "w" in half
    assert [ways[0] for ways in jumps("keyboard", "keyboard")] == ["w", "up"], "one for each of two"
    assert jumps("keyboard:wasd", "keyboard:arrows")[1][0] == "up"
    four = next(spec for spec in games() if spec.id == "atari/quadrapong_v4")
    last = seat_cards(four, dict.fromkeys(four.agents, SeatChoice("keyboard")), KeyBindings())[-1]
    assert not presses(last.controls.rows[:1], last.own), "three halves for four"


def test_every_kind_of_seat_has_a_picture_of_its_own() -> None:
    words = ["keyboard", "keyboard:wasd", "keyboard:arrows", "keyboard:ijkl", "gamepad:0", "gamepad:1", "level:easy"]
    words += [form.replace("[:N]", "") for form in ("random", "idle", "scripted", "pool", "snapshot:latest")]
    words += ["remote:tcp://127.0.0.1:5555", "python:a:b", "replay:x", "level:expert", "uci:a", "gtp:a", "search:mcts"]
    choices = {word: SeatChoice(*word.split(":", 1)) for word in words}
    assert set(SEAT_KINDS) <= {choice.kind for choice in choices.values()}
    icons = {word: icon(THEME, one, size=24, colour=THEME.colours.ink) for word, one in choices.items()}
    drawn = {word: pygame.image.tobytes(picture, "RGBA") for word, picture in icons.items()}
    assert not [pair for pair in combinations(drawn, 2) if drawn[pair[0]] == drawn[pair[1]]]
