"""Controls, pieces and minds in a match, by real keys, a pad and a mouse."""

from __future__ import annotations

import pygame
import pytest

from agents.seats.controller import SeatChoice
from agents.seats.kinds import parse_seat
from arcade.scenes import routes
from arcade.scenes.hud.pages import ControlLine, FunctionKeyLine


@pytest.fixture
def playing(sit):
    """A match of the house's game against a snapshot with limits, and a person on WASD."""
    from arcade.scenes.match.match_scene import MatchScene

    sitting = sit()
    sitting.settings = lambda: sitting.engine.settings
    spec = sitting.library.featured
    snapshot = parse_seat("snapshot:latest?reaction_ms=50")
    scene = MatchScene(
        sitting.services,
        routes.Match(spec, dict(zip(spec.agents, (SeatChoice("keyboard", "wasd"), snapshot), strict=True))),
    )
    sitting.engine.push(scene)
    sitting.until(lambda: scene.match is not None and scene.match.tick and scene.match.tick.index > 3, "a match")
    return sitting, scene


def keys_of_the_arcade(scene) -> set[str]:
    """What the keys on the page of the controls do."""
    return {
        one.label.split("\N{NO-BREAK SPACE}")[1].strip()
        for one in scene.tree.walk()
        if isinstance(one, FunctionKeyLine)
    }


def runs_on(sitting, scene) -> None:
    assert sitting.engine.scene is scene
    index = scene.match.tick.index
    sitting.until(lambda: scene.match.tick.index > index, "the match to go on")


def test_controls_pieces_and_minds_by_keyboard_pad_and_mouse(playing, keyboard, mouse, pad) -> None:
    sitting, scene = playing
    keys, pointer, buttons = keyboard(sitting), mouse(sitting), pad(sitting)

    keys.key(pygame.K_F1)
    assert sitting.on == "ControlsScene"
    stood = scene.match.tick.index
    lines = {one.label: one.hint for one in sitting.engine.scene.focus.widgets if isinstance(one, ControlLine)}
    assert "Keyboard: W or Space" in lines["Jump"]
    assert "AI insight" in keys_of_the_arcade(sitting.engine.scene)
    assert scene.match.tick.index <= stood + 1
    keys.key(pygame.K_F1)
    runs_on(sitting, scene)

    for hand, words, piece in (
        (keys, "Clock", "clock"),
        (pointer, "Scores", "scores"),
        (buttons, "Who", "lineup"),
    ):
        keys.key(pygame.K_F4)
        assert sitting.on == "PiecesScene"
        assert sitting.settings().hud.get(piece, True)
        hand.choose(words)
        assert not sitting.settings().hud[piece]
        hand.choose("Resume")
        runs_on(sitting, scene)

    keys.key(pygame.K_F9)
    assert sitting.settings().hud["mind"]
    sitting.frame(3)
    [told] = [content for panel in scene.hud.insight_panels if (content := panel.content()) is not None]
    label, _, rows = told
    assert label.startswith("Volley")
    assert [words for words, _ in rows] == list(scene.spec.names_of("right_0"))
    assert sum(share for _, share in rows) == pytest.approx(100, abs=3)
    keys.key(pygame.K_F9)
    assert not sitting.settings().hud["mind"]


def test_without_bars_the_whole_window_is_the_games_and_the_mouse_still_finds_the_pause(
    playing, keyboard, mouse
) -> None:
    sitting, scene = playing
    keyboard(sitting).key(pygame.K_F4)
    mouse(sitting).choose("Show the bars")
    mouse(sitting).choose("Resume")
    whole = sitting.engine.canvas.get_rect()
    assert scene.hud.arrange(sitting.engine.theme, whole, moves=0).picture == whole
    sitting.frame(2)
    assert scene.hud.foot.pause_button.size == (0, 0)  # nothing that nobody sees can be pressed
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=(600, 300), rel=(1, 0), buttons=(0, 0, 0)))
    sitting.frame(2)
    mouse(sitting).pause()
    assert sitting.on == "PauseScene"
    for words, opened, then in (("View", "PiecesScene", "PauseScene"), ("Controls", "ControlsScene", "MatchScene")):
        keyboard(sitting).choose(words)
        assert sitting.on == opened
        keyboard(sitting).press("back")
        assert sitting.on == then


def test_the_seats_page_shows_everybodys_keys_before_a_match(sit, keyboard) -> None:
    from arcade.scenes.setup.seats import SeatsScene

    sitting = sit()
    spec = sitting.library.featured
    sitting.services.setup.lineups[spec.id] = dict(
        zip(spec.agents, map(parse_seat, ("keyboard:wasd", "keyboard:ijkl")), strict=True)
    )
    sitting.engine.push(SeatsScene(sitting.services, routes.Seats(spec)))
    sitting.frame(3)
    keyboard(sitting).key(pygame.K_F1)
    assert sitting.on == "ControlsScene"
    assert "AI insight" not in keys_of_the_arcade(sitting.engine.scene), "people alone have none"
    first = sitting.engine.scene.card
    keyboard(sitting).key(pygame.K_PAGEDOWN)
    second = sitting.engine.scene.card
    assert [str(one.choice) for one in (first, second)] == ["keyboard:wasd", "keyboard:ijkl"]
    keyboard(sitting).press("back")
    assert sitting.on == "SeatsScene"
