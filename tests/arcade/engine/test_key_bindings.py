"""Which key or button does what: the widest scope first, kept on disk, told where it clashes."""

from __future__ import annotations

import pytest

from arcade.engine.input.bindings_file import Changes, KeyBindingsError, Scope, changes_file, load_changes, save_changes
from arcade.engine.input.key_bindings import KeyBindings, conflicts

PAD = "030000005e0400008e02000010010000"
PAD_MENU = Scope(device="gamepad", section="menu")


def test_a_seat_says_more_than_its_game_and_a_game_more_than_the_device():
    layouts = KeyBindings()
    layouts.change(Scope(device="keyboard:wasd"), {"a": ["f"], "b": ["g"], "x": ["1"]})
    layouts.change(Scope("house/volley", device="keyboard:wasd"), {"a": ["r"], "b": ["t"]})
    layouts.change(Scope("house/volley", "left_0", "keyboard:wasd"), {"a": ["v"]})
    here = layouts.of("keyboard:wasd", game="house/volley", agent="left_0")
    assert [here.labels(control) for control in ("a", "b", "x", "up")] == [("V",), ("T",), ("1",), ("W",)]
    assert layouts.of("keyboard:wasd", game="house/volley", agent="right_0").labels("a") == ("R",)
    assert layouts.of("keyboard:wasd", game="atari/pong_v3").labels("a") == ("F",)
    assert layouts.of("keyboard:arrows").labels("a") == ("Enter", "Keypad Enter", "Right Ctrl")


def test_a_gamepad_says_more_than_its_model_and_that_more_than_any_gamepad():
    layouts = KeyBindings()
    for device, button in (("gamepad", "x"), (f"gamepad:{PAD}", "y"), (f"gamepad:{PAD}#2", "b")):
        layouts.change(Scope(device=device), {"a": [button]})
    first, second, other = (
        layouts.of("gamepad:0", guid=guid).labels("a") for guid in (f"{PAD}#1", f"{PAD}#2", "0300ff#1")
    )
    assert (first, second, other) == (("Y button",), ("B button",), ("X button",))


def test_the_keyboard_as_a_whole_is_its_halves():
    layouts = KeyBindings()
    layouts.change(Scope(device="keyboard:ijkl"), {"up": ["t"]})
    assert layouts.of("keyboard").labels("up") == ("W", "Up", "T")


def test_what_was_changed_is_forgotten_again():
    layouts = KeyBindings()
    layouts.change(Scope("house/volley", device="keyboard:wasd"), {"a": ["r"]})
    layouts.reset(Scope("house/volley", device="keyboard:wasd"))
    assert layouts.of("keyboard:wasd", game="house/volley").labels("a") == ("Space",)


@pytest.mark.parametrize(
    ("scope", "changes"),
    [
        (Scope(device="keyboard:wasd"), {"fly": ["w"]}),
        (Scope(device="keyboard:wasd"), {"up": ["double u"]}),
        (Scope(device="gamepad"), {"up": ["space"]}),
        (Scope(), {"up": ["w"]}),
    ],
)
def test_what_is_no_control_key_or_device_is_refused(scope, changes):
    layouts = KeyBindings()
    with pytest.raises(KeyBindingsError, match=r"expected .*, got: "):
        layouts.change(scope, changes)
    assert layouts.version == 0


def test_a_menu_cannot_be_left_without_a_way_out():
    with pytest.raises(KeyBindingsError, match="back"):
        KeyBindings().change(Scope(device="keyboard", section="menu"), {"back": []})


def test_everything_comes_back_from_disk_beside_what_is_not_ours(tmp_path):
    path = tmp_path / "controls.toml"
    path.write_text("# mine\n[other]\nkept = true\n")
    layouts = KeyBindings(save=lambda changes: save_changes(changes, path))
    layouts.change(Scope("house/volley", "left_0", f"gamepad:{PAD}#2"), {"a": ["button 11", "rt+"], "left": ["x-"]})
    layouts.change(PAD_MENU, {"accept": ["b"], "back": ["a"]})
    layouts.change(Scope("my_game:env", "driver", section="actions"), {"honk twice": ["l", "r"]})
    changes, warning = load_changes(path)
    assert "other" in warning
    assert "# mine" in path.read_text()
    again = KeyBindings(changes)
    assert again.of("gamepad:3", game="house/volley", agent="left_0", guid=f"{PAD}#2").sources["a"] == (
        "button 11",
        "rt+",
    )
    assert again.menu("gamepad").labels("accept") == ("B button",)
    assert again.actions("my_game:env", "driver") == {"honk twice": ("l", "r")}
    assert again.actions("my_game:env", "passenger") == {}


def test_a_change_never_goes_back_into_what_is_being_written():
    written: list[Changes] = []
    layouts = KeyBindings(save=written.append)
    layouts.change(Scope(device="keyboard:wasd"), {"a": ["f"]})
    layouts.change(Scope(device="keyboard:wasd"), {"a": ["g"]})
    assert [changes[Scope(device="keyboard:wasd")]["a"] for changes in written] == [("f",), ("g",)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[layout]", "controls"),
        ('[[layout]]\ndevice = "piano"\n', "piano"),
        ('[[layout]]\ndevice = "keyboard:wasd"\ncontrols = {up = "w"}\n', "up = "),
        ('[[layout]]\ndevice = "keyboard:wasd"\nseat = "left_0"\n', "left_0"),
        ('[[layout]]\ndevice = "keyboard:wasd"\nkeys = {}\n', "keys"),
        ("[menu.keyboard]\nback = []\n", "back"),
        ("[menu.piano]\n", "piano"),
        ("[menu.keyboard]\nback = ['return']\n", "one menu action for return, got: accept, back"),
        ("layout = " + 2000 * "[", "more than 64"),
        ("layout = 3\n", "layout"),
        ("[[actions]]\ncontrols = {jump = ['a']}\n", "game"),
        ("[[actions]]\ngame = 'my_game:env'\ncontrols = {jump = ['a', 'space']}\n", "got: space"),
        (b"\xff\xfe", "controls"),
    ],
)
def test_a_file_that_cannot_be_used_is_kept_and_told_of(tmp_path, text, says):
    path = tmp_path / "controls.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    changes, warning = load_changes(path)
    assert changes == {}
    assert "expected" in warning
    assert says in warning
    assert (tmp_path / "controls.toml.bad").exists()
    assert not path.exists()


def test_a_file_spoilt_while_the_arcade_runs_is_not_overwritten(tmp_path):
    path = tmp_path / "controls.toml"
    path.write_text("[[lay")
    save_changes({PAD_MENU: {"accept": ("y",)}}, path)
    assert load_changes(path)[0] == {PAD_MENU: {"accept": ("y",)}}
    assert (tmp_path / "controls.toml.bad").read_text() == "[[lay"


def test_nothing_clashes_as_it_comes():
    layouts = KeyBindings()
    for word in ("keyboard:wasd", "keyboard:arrows", "keyboard:ijkl", "keyboard:1", "gamepad"):
        assert conflicts(layouts, word) == ()


def test_a_key_that_does_two_things_is_told_of():
    layouts = KeyBindings()
    layouts.change(
        Scope("house/volley", device="keyboard:wasd"), {"up": ["up"], "a": ["p", "f5"], "b": ["d"], "left": []}
    )
    told = conflicts(layouts, "keyboard:wasd", game="house/volley")
    assert set(told) == {
        "Left has no key or button",
        "Key D does several things: Right, Second action (B)",
        "Key Up: Up, and Up of Arrows",
        "Key P: Main action (A), and pauses the match",
        "Key F5: Main action (A), and a key of the arcade in a match",
    }
    assert conflicts(layouts, "keyboard:wasd", game="atari/pong_v3") == ()


def test_a_button_that_does_two_things_is_told_of_and_a_stick_that_is_a_cross_is_not():
    layouts = KeyBindings()
    layouts.change(Scope(device="gamepad"), {"a": ["a", "start"], "b": ["rt+", "select"], "x": ["rt+"]})
    assert set(conflicts(layouts, "gamepad:0", guid=f"{PAD}#1")) == {
        "Start: Main action (A), and pauses the match",
        "Select: Second action (B), and takes or gives a seat",
        "Right trigger does several things: Second action (B), Third action (X)",
    }


def test_two_windows_lose_no_bindings_of_each_other(tmp_path):
    path = tmp_path / "controls.toml"
    one, other = Scope(device="keyboard:wasd"), Scope("house/volley", device="gamepad")
    save_changes({PAD_MENU: {"accept": ("y",)}}, path)
    first, second = (changes_file(load_changes(path)[0], path) for _ in range(2))
    first.save({PAD_MENU: {"accept": ("y",)}, one: {"up": ("r",)}})
    second.save({other: {"up": ("y",)}})  # it resets the menu
    assert load_changes(path)[0] == {one: {"up": ("r",)}, other: {"up": ("y",)}}
