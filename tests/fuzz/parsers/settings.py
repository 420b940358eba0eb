"""Files of settings: of the arcade, its people and key bindings in TOML, of runs in both, of favourites in JSON …"""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tomlkit

from agents.errors import UserError
from agents.files import parse_json, parse_toml
from agents.files.reading import FileError
from arcade.engine.input.bindings_file import load_changes
from arcade.games import find_game
from arcade.session.people import load_people
from arcade.session.player.favourites import load_shelf
from arcade.session.settings import Settings, load_settings
from arcade.tournaments.entrants import Entrant
from arcade.tournaments.plan import PLAN_FILE, TournamentPlan, read_plan, tournament_folder
from tests.fuzz.parser import Parser
from trainer.config.reading import check_trust, make_config, read_config, with_sizes
from trainer.config.tuning import read_tune

_FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-settings-"))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)


def read(data: bytes) -> None:
    """Read the bytes as every file of their language: JSON where they begin with a brace, else TOML."""
    is_json = data[:1] == b"{"
    value = parse_json(data) if is_json else parse_toml(data)
    (_read_json if is_json else _read_toml)(data)
    if isinstance(value, dict):
        _read_run(data, suffix=".json" if is_json else ".toml")


def _read_toml(data: bytes) -> None:
    path = _FOLDER / "settings.toml"
    for load in (load_settings, load_people, load_changes):
        path.write_bytes(data)
        _, warning = load(path)
        assert isinstance(warning, str)


def _read_json(data: bytes) -> None:
    path = _FOLDER / "games.json"
    path.write_bytes(data)
    load_shelf(path)
    plan = tournament_folder("fuzzed")
    plan.mkdir(exist_ok=True)
    (plan / PLAN_FILE).write_bytes(data)
    with suppress(UserError):
        read_plan("fuzzed")


def _read_run(data: bytes, *, suffix: str) -> None:
    path = _FOLDER / f"run{suffix}"
    path.write_bytes(data)
    settings = read_config(path)
    if isinstance(tune := settings.pop("tune", None), dict):
        with suppress(UserError):
            read_tune(tune, {"steps": 1000})
    with suppress(UserError):
        check_trust(settings, typed={})
    with suppress(UserError):
        make_config(with_sizes(settings, _GAME))


def make_seeds() -> dict[str, bytes]:
    """A file of each kind, in both languages where there are two."""
    people = '[[person]]\nname = "Ada"\nrecorded = true\n\n[[person]]\nname = "Bob"\n'
    controls = (
        '[menu.keyboard]\nconfirm = ["enter"]\n\n[[layout]]\ndevice = "keyboard:wasd"\ngame = "house/volley"\n'
        'controls = {up = ["w"], down = ["s"]}\n\n[[actions]]\ngame = "atari/pong"\ncontrols = {"1" = ["up"]}\n'
    )
    sides = ("left_0", "right_0")
    entrants = tuple(Entrant(word=word, label=word, sides=sides) for word in ("random", "scripted"))
    plan = TournamentPlan(id="fuzzed", game="house/volley", entrants=entrants)
    shelf = {"favourites": ["house/volley"], "recent": ["atari/pong"], "seats": {"left_0": "keyboard"}}
    run = make_config({"game": "house/volley"}).model_dump(mode="json", exclude_none=True)
    few = {"game": "house/volley", "algorithm": "APPO", "steps": 1000, "training": {"lr": 1e-3}}
    few["opponents"] = {"fixed": ["random", "python:module:play"]}
    few["tune"] = {"samples": 4, "search": {"training.lr": {"kind": "loguniform", "low": 1e-5, "high": 1e-2}}}
    return {
        "settings.toml": _toml(asdict(Settings()) | {"hud_ticks": True}),
        "people.toml": people.encode(),
        "controls.toml": controls.encode(),
        "run.toml": _toml(run),
        "few.toml": _toml(few),
        "run.json": json.dumps(run).encode(),
        "few.json": json.dumps(few).encode(),
        "plan.json": json.dumps(asdict(plan)).encode(),
        "games.json": json.dumps(shelf).encode(),
    }


def _toml(values: dict[str, Any]) -> bytes:
    return tomlkit.dumps(values).encode()


_GAME = find_game("house/volley")

PARSER = Parser(
    "settings",
    read,
    (FileError,),
    make_seeds,
    (
        b"\n", b"[[person]]", b"[layout]", b"[[layout]]", b"[menu.keyboard]", b" = ", b"[]", b"{}", b"null", b"nan",
        b"inf",
        b"-inf", b"1e400", b"9" * 50, b"0x" + b"f" * 40, b"1979-05-27T07:32:00Z", b"07:32:00", b"true", b"{a.b=1}",
        b"[" * 70, b"{\"a\":" * 70, b'"""', b"\\u0000", b"\\ud800", b"\xff", b"NaN", b"Infinity", b"game = ",
        b"training.",
        b"training = 3\n", b"[opponents]", b"fixed = [", b'"python:x:y"', b'"level:even"', b"algorithm = ", b'"DQN"',
        b'"SAC"', b"[policies.mapping]", b"[resources]", b"[tune.search]", b"lambda = ", b"-1", b'"entrants":',
        b'"sides":',
    ),
)  # fmt: skip
