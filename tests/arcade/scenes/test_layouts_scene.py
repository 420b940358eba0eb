"""The controls page, by keyboard, pad and mouse."""

from __future__ import annotations

import pygame
import pytest
from gymnasium.spaces import Box

from agents.seats.controller import SeatChoice, SeatSpec
from arcade.engine.input.bindings_file import Scope, load_changes
from arcade.games import find_game
from arcade.games.controls import ControlRow, SeatControls
from arcade.games.spec import GameSpec
from arcade.scenes import routes
from arcade.scenes.settings.bindings_scene import ACTIONS, MENU_KEYS, BindingsScene
from tests.support.plugs import Plugs

WASD = Scope(device="keyboard:wasd")


@pytest.fixture
def page(sit):
    """Opens the page; its table has the focus."""

    def open_page(spec=None, *, device: str = "keyboard:wasd", seats=(), **engine):
        sitting = sit(engine=engine)
        scene = BindingsScene(sitting.services, routes.KeyBindings(spec, seats=seats))
        scene.device = device
        sitting.engine.push(scene)
        scene.focus.focus(scene.table)
        return sitting, scene

    return open_page


def cells(scene, name: str) -> tuple[str, ...]:
    return next(row.caps for row in scene.table.rows if row.name == name)


def test_a_key_is_changed_added_and_taken_off_and_all_of_it_is_kept(page, keyboard, tmp_path) -> None:
    sitting, scene = page()
    hand = keyboard(sitting)
    hand.press("accept")
    hand.key(pygame.K_t)
    assert cells(scene, "up") == ("T",)
    hand.press("right")
    hand.press("accept")
    hand.key(pygame.K_r)
    assert cells(scene, "up") == ("T", "R")
    assert scene.table.index == 0  # what was pressed for an answer stepped nowhere
    hand.press("left")
    hand.key(pygame.K_DELETE)
    assert cells(scene, "up") == ("R",)
    sitting.close()
    assert load_changes(tmp_path / "controls.toml")[0] == {WASD: {"up": ("r",)}}


def test_a_key_that_did_something_else_goes_over_and_that_is_said(page, keyboard) -> None:
    sitting, scene = page()
    hand = keyboard(sitting)
    hand.press("accept")
    hand.key(pygame.K_s)
    assert (cells(scene, "up"), cells(scene, "down")) == (("S",), ())
    assert "S is no longer Down" in sitting.engine.toasts.messages
    assert "Down has no key or button" in scene.page.warnings()


def test_a_key_that_is_there_already_drives_no_other_out(page, keyboard) -> None:
    sitting, scene = page()
    sitting.engine.bindings.change(WASD, {"up": ["w", "t", "g"]})
    hand = keyboard(sitting)
    for key, place, left in ((pygame.K_t, 1, ("W", "T", "G")), (pygame.K_g, 0, ("G", "T"))):
        scene.table.show_rows(scene.page.rows())
        scene.table.cell = place
        hand.press("accept")
        hand.key(key)
        assert cells(scene, "up") == left


def test_escape_leaves_it_as_it_is_and_so_does_waiting(page, keyboard, fair_clock) -> None:
    sitting, scene = page(clock=fair_clock.read, sleep=fair_clock.sleep)
    hand = keyboard(sitting)
    hand.press("accept")
    assert scene.asking
    hand.press("back")
    assert not scene.asking
    hand.press("accept")
    fair_clock.now += 9
    sitting.frame()
    assert not scene.asking
    assert cells(scene, "up") == ("W",)
    assert sitting.engine.scene is scene


def test_usual_again(page, keyboard) -> None:
    sitting, scene = page()
    sitting.engine.bindings.change(WASD, {"up": ["t"]})
    keyboard(sitting).choose("Reset to defaults")
    keyboard(sitting).choose("Reset")
    assert cells(scene, "up") == ("W",)


def test_one_game_and_one_seat_by_themselves(page, keyboard) -> None:
    sitting, scene = page(find_game("house/volley"))
    hand = keyboard(sitting)
    scene.focus.focus(sitting.widget("Seat"))
    hand.press("right")
    assert scene.agent == "left_0"
    scene.focus.focus(scene.table)
    hand.press("accept")
    hand.key(pygame.K_t)
    layouts = sitting.engine.bindings
    assert layouts.of("keyboard:wasd", game="house/volley", agent="left_0").labels("up") == ("T",)
    assert layouts.of("keyboard:wasd", game="house/volley", agent="right_0").labels("up") == ("W",)
    assert "Jump" in scene.table.rows[0].detail


def test_a_pad_changes_itself(page, pad) -> None:
    sitting, scene = page()
    hand = pad(sitting)
    scene.device = "gamepad:0"
    scene.rebuild()
    scene.focus.focus(scene.table)
    for _ in range(4):
        hand.press("down")
    hand.press("accept")
    hand.press("y")
    assert cells(scene, "a") == ("Y button",)
    assert cells(scene, "y") == ()
    hand.press("x")  # takes off, and does not count as the answer to anything
    assert cells(scene, "a") == ()
    hand.press("accept")
    hand.pad.axis("rt", 1.0)
    sitting.frame(2)
    assert cells(scene, "a") == ("Right trigger",)
    hand.press("accept")
    hand.pad.detach()
    sitting.frame(2)
    assert (sitting.engine.scene, scene.asking, scene.device) == (scene, False, "keyboard:wasd")


def test_the_mouse_picks_and_takes_off(page, mouse, keyboard) -> None:
    sitting, scene = page()
    hand = mouse(sitting)
    hand.click(scene.table.cell_rect(5, 1).center)
    keyboard(sitting).key(pygame.K_g)
    assert cells(scene, "b") == ("Left Shift", "G")
    pos = scene.table.cell_rect(5, 0).center
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=3))
    sitting.frame()
    assert cells(scene, "b") == ("G",)


def test_the_menus_keep_a_key_for_everything(page, keyboard) -> None:
    sitting, scene = page(device=MENU_KEYS)
    hand = keyboard(sitting)
    for _ in range(8):
        hand.press("down")
    assert scene.table.spoken.startswith("Pause and start")
    hand.key(pygame.K_DELETE)
    assert cells(scene, "start") == ("P",)
    assert "needs a key" in sitting.engine.toasts.messages[-1]
    hand.press("up")
    hand.press("accept")
    hand.press("back")  # Esc may be given to something else here
    assert cells(scene, "previous") == ("Esc",)
    assert cells(scene, "back") == ("Backspace",)
    hand.press("back")
    assert sitting.engine.scene is scene
    hand.key(pygame.K_BACKSPACE)
    assert sitting.engine.scene is not scene


def test_the_moves_of_a_game_get_other_controls(page, keyboard) -> None:
    sitting, scene = page(find_game("house/volley"), device=ACTIONS)
    controls = SeatControls(
        rows=(
            ControlRow(words="Honk", controls=("a",), action="honk"),
            ControlRow(words="Brake", controls=("b",), action="brake"),
        ),
        style="moves",
    )
    scene.controls_of = lambda: controls
    scene.rebuild()
    scene.focus.focus(scene.table)
    hand = keyboard(sitting)
    hand.press("accept")
    hand.key(pygame.K_LSHIFT)
    assert sitting.engine.bindings.actions("house/volley") == {"honk": ("b",)}
    assert scene.page.warnings() == ("Second action (B) does several things: Honk, Brake",)


def test_numbers_are_given_a_sticks_own_way_and_not_the_direction_that_it_is_too(page, pad) -> None:
    spec = GameSpec(
        id="my:env", title="Mine", entry="my:env", agents=("p",), teams=(("p",),), turn_based=False, fps=30
    )  # fmt: skip
    sitting, scene = page(
        spec,
        device=ACTIONS,
        seats=[SeatSpec(game="my:env", agent="p", observation_space=None, action_space=Box(-1.0, 1.0, (2,)))],
    )
    hand = pad(sitting)
    assert cells(scene, "0+") == ("Right", "Stick right")
    hand.press("right")
    hand.press("accept")
    hand.pad.axis("ry", 1.0)
    sitting.frame(2)
    assert cells(scene, "0+") == ("Right", "Right stick down")
    assert sitting.engine.bindings.actions("my:env", "p") == {"0+": ("right", "ry+")}


def test_two_keyboards_are_offered_where_they_are_told_apart(page, tmp_path) -> None:
    sitting, scene = page()
    assert not [choice for choice in sitting.services.devices.seats if choice.argument.isdecimal()]
    plugs = Plugs(tmp_path)
    plugs.plug("event3", name="Large", phys="usb-1")
    plugs.plug("event4", name="Small", phys="usb-2")
    sitting.engine.devices.keyboards = plugs.keyboards
    assert {"keyboard:1", "keyboard:2"} <= {str(choice) for choice in sitting.services.devices.seats}
    plugs.keyboards.wanted.add(1)
    sitting.frame()
    plugs.key("event4", 17, 1)
    sitting.frame()
    assert scene.notes[1] == "Keyboard 2 was pressed last."
    plugs.close()


def test_a_keyboard_pulled_out_of_a_match_pauses_and_its_return_goes_on(sit, mouse, tmp_path) -> None:
    from arcade.scenes.match.match_scene import MatchScene

    sitting = sit()
    plugs = Plugs(tmp_path)
    plugs.plug("event3", name="Large", phys="usb-1")
    plugs.plug("event4", name="Small", phys="usb-2")
    sitting.engine.devices.keyboards = plugs.keyboards
    lineup = {"left_0": SeatChoice("keyboard", "1"), "right_0": SeatChoice("keyboard", "2")}
    match = MatchScene(sitting.services, routes.Match(sitting.library.featured, lineup))
    sitting.engine.push(match)
    sitting.until(lambda: match.match is not None, "a match")
    sitting.frame(2)
    plugs.unplug("event4")
    sitting.until(lambda: sitting.on == "PauseScene", "a pause")
    assert "Small" in sitting.engine.scene.why
    mouse(sitting).choose("Restart")
    mouse(sitting).choose("Restart")  # the answer to the question
    sitting.until(lambda: sitting.on == "PauseScene", "to be asked again")
    assert sitting.engine.scene.why.endswith("is disconnected")
    match = sitting.engine.scenes[-2]
    plugs.plug("event9", name="Small", phys="usb-2")
    plugs.now += 3
    sitting.until(lambda: sitting.engine.scene is match, "the match to go on")
    plugs.key("event9", 103, 1)
    sitting.until(lambda: match.session.last_actions.get("right_0") == 3, "a jump")
    plugs.close()


def test_the_page_of_a_match_is_about_its_game_and_holds_at_once(sit, keyboard) -> None:
    from arcade.scenes.match.match_scene import MatchScene

    sitting = sit()
    spec = sitting.library.featured
    lineup = {"left_0": SeatChoice("keyboard", "arrows"), "right_0": SeatChoice("idle")}
    match = MatchScene(sitting.services, routes.Match(spec, lineup))
    sitting.engine.push(match)
    sitting.until(lambda: match.match is not None, "a match")
    hand = keyboard(sitting)
    hand.pause()
    hand.choose("Settings")
    hand.choose("Controls")
    hand.choose("Keys and buttons")
    scene = sitting.engine.scene
    assert (scene.spec, scene.device) == (spec, "keyboard:arrows")
    scene.focus.focus(scene.table)
    hand.press("accept")
    hand.key(pygame.K_t)
    for _ in range(3):
        hand.press("back")
    assert sitting.engine.scene is match
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_t, mod=0, unicode="t", scancode=0))
    sitting.until(lambda: match.session.last_actions.get("left_0") == 3, "a jump")
