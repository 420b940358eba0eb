"""Settings come back as they were; a broken file costs a warning and nothing else."""

from __future__ import annotations

import pytest

from agents.files import NewestWriter
from arcade.session.settings import (
    Settings,
    SettingsError,
    declared,
    load_settings,
    save_settings,
    settings_file,
)

EVERY_FIELD_CHANGED = Settings(
    relay="relay.example:5900",
    player_name="Ann",
    volume=0.25,
    music_volume=0.75,
    mute=True,
    fullscreen=True,
    window_width=1600,
    window_height=900,
    whole_pixels=False,
    show_hud=False,
    pause_unfocused=False,
    record_matches=False,
    hud={"scores": False, "mind": True},
    palette="daylight",
    ui_scale=2.5,
    reduce_flashing=True,
    opposites="neutral",
    record_observations="always",
    record_seats="people",
    name_recordings=True,
    replay_gigabytes=8.0,
    stick_dead_zone=0.3,
    stick_curve=2.0,
    attract=False,
    captions=True,
    language="de",
    reduce_motion=True,
    vsync=True,
    frame_limit=120,
    button_glyphs="nintendo",
    vibration=False,
    game_volume=0.5,
    menu_volume=0.0,
    narrator=True,
    countdown=False,
    picture_shape="square",
    keep_controls=True,
)


def test_no_file_means_defaults_without_a_word(tmp_path):
    assert load_settings(tmp_path / "settings.toml") == (Settings(), "")


def test_every_field_comes_back(tmp_path):
    path = tmp_path / "settings.toml"
    save_settings(EVERY_FIELD_CHANGED, path)
    assert load_settings(path) == (EVERY_FIELD_CHANGED, "")
    default = Settings()
    names = [setting.name for setting in declared(Settings)]
    assert all(getattr(default, name) != getattr(EVERY_FIELD_CHANGED, name) for name in names)
    assert [file.name for file in tmp_path.iterdir()] == ["settings.toml"]


def test_they_lie_in_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    save_settings(Settings(player_name="Bo"))
    assert load_settings()[0].player_name == "Bo"
    assert (tmp_path / "settings.toml").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("volume = = 3", "settings.toml.bad"),
        ("volume = 3.0", "volume = 3.0"),
        ('mute = "perhaps"', "mute = 'perhaps'"),
        ("\x00\x01", "settings.toml.bad"),
    ],
)
def test_a_broken_file_is_kept_aside_and_named(tmp_path, words, says):
    path = tmp_path / "settings.toml"
    path.write_text(words)
    settings, warning = load_settings(path)
    assert settings == Settings()
    assert says in warning
    assert str(path) in warning
    assert (tmp_path / "settings.toml.bad").read_text() == words
    assert load_settings(path) == (Settings(), "")


def test_bytes_that_are_no_text_are_broken_too(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_bytes(b"player_name = '\xff\xfe'")
    assert "settings.toml.bad" in load_settings(path)[1]


def test_a_file_spoilt_while_the_arcade_runs_is_not_overwritten(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("volume = 0.")
    save_settings(Settings(volume=0.25), path)
    assert load_settings(path) == (Settings(volume=0.25), "")
    assert (tmp_path / "settings.toml.bad").read_text() == "volume = 0."


def test_an_unknown_word_is_named_and_the_rest_holds(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("volum = 0.1\nmute = true\n")
    settings, warning = load_settings(path)
    assert settings.mute
    assert "got: volum " in warning


def test_hud_pieces_are_read_as_their_own_keys_and_a_misspelt_one_is_named(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("hud_clock = false\nhud_clok = true\n")
    settings, warning = load_settings(path, hud_pieces=lambda: ("clock", "scores"))
    assert settings.hud == {"clock": False}
    assert "got: hud_clok " in warning
    path.write_text("hud_clock = 1\n")
    assert "got: hud_clock = 1" in load_settings(path)[1]


def test_comments_of_the_user_stay(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("# quiet at night\nvolume = 0.1\n")
    save_settings(Settings(volume=0.2), path)
    assert path.read_text().startswith("# quiet at night\n")
    assert load_settings(path)[0].volume == 0.2


@pytest.mark.parametrize(
    "change",
    [
        {"volume": 1.1},
        {"window_width": 1},
        {"player_name": ""},
        {"mute": 1},
        {"window_height": 720.5},
        {"palette": "mauve"},
        {"ui_scale": 3.1},
        {"opposites": "both"},
        {"record_observations": "maybe"},
        {"replay_gigabytes": 0},
    ],
)
def test_a_value_out_of_range_is_refused(change):
    with pytest.raises(SettingsError, match=f"got: {next(iter(change))} = "):
        Settings().changed(**change)


def test_a_page_is_reset_alone_and_all_pages_but_the_name():
    settings = EVERY_FIELD_CHANGED.reset("Sound")
    assert (settings.volume, settings.narrator) == (Settings().volume, True)
    assert (settings.palette, settings.player_name, settings.hud) == (
        "daylight",
        "Ann",
        {"scores": False, "mind": True},
    )
    assert EVERY_FIELD_CHANGED.reset("Display").window_width == Settings().window_width
    assert EVERY_FIELD_CHANGED.reset("View").hud == {}
    assert EVERY_FIELD_CHANGED.reset() == Settings(player_name="Ann")


def test_every_choice_has_a_label():
    for setting in declared(Settings):
        assert len(setting.choice_labels) == len(setting.choices)


def open_writer(folder) -> NewestWriter[Settings]:
    return NewestWriter(lambda settings: save_settings(settings, folder / "settings.toml"), what="settings")


def test_the_writer_ends_with_the_newest(tmp_path):
    writer = open_writer(tmp_path)
    for step in range(11):
        writer.write(Settings(volume=step / 10))
    writer.flush()
    assert load_settings(tmp_path / "settings.toml")[0].volume == 1.0


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path, caplog):
    writer = open_writer(tmp_path / "missing")
    writer.write(Settings())
    writer.flush()
    assert "could not be written" in caplog.text


def test_two_windows_lose_nothing_of_each_other(tmp_path):
    path = tmp_path / "settings.toml"
    save_settings(Settings(), path)
    one, other = (settings_file(load_settings(path)[0], path) for _ in range(2))
    one.save(Settings(volume=0.25))
    other.save(Settings(player_name="Bo", hud={"clock": False}))
    one.save(Settings(volume=0.5))
    found, _ = load_settings(path)
    assert (found.volume, found.player_name, found.hud) == (0.5, "Bo", {"clock": False})


def test_a_piece_of_the_hud_that_is_reset_is_reset_in_the_file(tmp_path):
    path = tmp_path / "settings.toml"
    settings = settings_file(Settings(), path)
    settings.save(Settings(hud={"clock": False}))
    settings.save(Settings())
    assert load_settings(path)[0].hud == {}


def test_what_could_not_be_written_is_written_later(tmp_path, monkeypatch):
    path = tmp_path / "settings.toml"
    save_settings(Settings(), path)
    settings = settings_file(Settings(), path)
    with monkeypatch.context() as patch:
        patch.setattr("agents.files.changing.replace_file", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
        with pytest.raises(OSError, match="full"):
            settings.save(Settings(volume=0.25))
    settings.save(Settings(volume=0.25, mute=True))
    found, _ = load_settings(path)
    assert (found.volume, found.mute) == (0.25, True)


def test_the_pseudo_language_is_for_developers_only(monkeypatch) -> None:
    [language] = [setting for setting in declared(Settings) if setting.name == "language"]
    assert list(language.options("en").values()) == ["System", "English", "Deutsch"]
    assert "pseudo" in language.options("pseudo"), "a settings file may hold it"
    monkeypatch.setenv("ARCADE_DEVELOPER", "1")
    assert "pseudo" in language.options("en")
