"""The arcade command, run as a user runs it: a process of its own, its own home."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import zstandard

from agents.errors import EXIT_CODES

LIMIT = 300.0


@pytest.fixture
def arcade(tmp_path: Path) -> Any:
    """Runs ``arcade WORDS`` with no display and an empty home; returns the finished process."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    env = {key: value for key, value in os.environ.items() if key not in hidden} | {
        "ARCADE_HOME": str(tmp_path / "home")
    }

    def run(*words: str, output: int = subprocess.PIPE, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "arcade", *words]
        return subprocess.run(
            command, stdout=output, stderr=output, text=True, timeout=LIMIT, env=env | more, check=False
        )

    return run


def test_games_as_data_and_as_text(arcade: Any) -> None:
    rows = json.loads(arcade("games", "--json").stdout)
    volley = next(row for row in rows if row["id"] == "house/volley")
    assert {"id", "family", "seats", "turn_based", "fps"} <= volley.keys()
    assert (volley["family"], volley["seats"], volley["turn_based"], volley["fps"]) == ("house", 2, False, 60.0)
    families = {
        family: sum(row["family"] == family for row in rows) for family in ("butterfly", "classic", "sisl", "atari")
    }
    assert families == {"butterfly": 3, "classic": 10, "sisl": 2, "atari": 24}
    text = arcade("games").stdout
    assert all(row["id"] in text for row in rows)


def test_a_headless_match_recorded_rated_and_verified(arcade: Any) -> None:
    words = ("play", "house/volley", "--headless", "--seat", "left_0=random", "--seat", "right_0=scripted")
    done = arcade(*words, "--episodes", "2", "--seed", "3", "--record", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [match["seed"] for match in data["matches"]] == [3, 4]
    assert data["ticks"] == sum(match["ticks"] for match in data["matches"])
    assert data["ticks_per_second"] > 0
    assert data["late"] == {"left_0": 0, "right_0": 0}
    assert {(match["rated"], "--ladder" in match["unrated"]) for match in data["matches"]} == {(False, True)}
    again = json.loads(arcade(*words, "--episodes", "2", "--seed", "3", "--ladder", "--json").stdout)
    assert {(match["rated"], match["unrated"]) for match in again["matches"]} == {(True, "")}
    assert [match["returns"] for match in again["matches"]] == [match["returns"] for match in data["matches"]]
    short = (*words, "--ladder", "--max-ticks", "3")
    [cut] = json.loads(arcade(*short, "--json").stdout)["matches"]
    assert (cut["ended"], cut["rated"], cut["unrated"]) == ("max_ticks", False, "it was cut short")
    assert "not rated: it was cut short" in arcade(*short).stdout

    ladder = json.loads(arcade("ladder", "show", "house/volley", "--json").stdout)
    assert {rating["name"]: rating["games"] for rating in ladder["ratings"]} == {"random": 2, "scripted": 2}

    verified = arcade("replay", data["replays"][0], "--verify", "--json")
    assert verified.returncode == 0
    assert json.loads(verified.stdout)["ok"] is True
    shown = arcade("replay", data["replays"][0])
    assert shown.returncode == 0
    assert "no display" in shown.stderr
    magic, _, frame = Path(data["replays"][0]).read_bytes().partition(b"\n")
    records = zstandard.ZstdDecompressor().decompressobj().decompress(frame)
    torn = zstandard.ZstdCompressor().compress(records[: len(records) // 2])
    Path(data["replays"][0]).write_bytes(magic + b"\n" + torn)
    assert arcade("replay", data["replays"][0], "--verify").returncode == 1


def test_an_evaluation_repeats_itself_and_keeps_off_the_ladder_unless_told(arcade: Any) -> None:
    words = ("--seat", "left_0=snapshot:volley-7", "--seat", "right_0=scripted", "--max-ticks", "3000")
    first = arcade("evaluate", "house/volley", *words, "--episodes", "5", "--seed", "100", "--json")
    assert first.returncode == 0, first.stderr
    data = json.loads(first.stdout)
    assert data.pop("timing")["ticks_per_second"] > 0
    assert [(match["seed"], match["swapped"]) for match in data["matches"]] == [
        (100, False), (100, True), (101, False), (101, True), (102, False),
    ]  # fmt: skip
    assert data["snapshots"].keys() == {"volley-7"}
    won = [match["returns"]["right_0" if match["swapped"] else "left_0"] > 0 for match in data["matches"]]
    outcomes = {name: rate["count"] for name, rate in data["seats"][0]["outcomes"].items()}
    assert outcomes["win"] == sum(won) > outcomes["loss"]
    assert [side["seats"] for side in data["teams"][0]["sides"]] == [["left_0"], ["right_0"]]
    assert [seat["late"] for seat in data["seats"]] == [0, 0]
    assert json.loads(arcade("ladder", "show", "house/volley", "--json").stdout)["ratings"] == []

    program, *repeat = shlex.split(data["command"])
    assert program == "arcade"
    again = json.loads(arcade(*repeat, "--workers", "2", "--ladder", "--json").stdout)
    again.pop("timing")
    assert again == data
    ratings = json.loads(arcade("ladder", "show", "house/volley", "--json").stdout)["ratings"]
    assert {rating["name"]: (rating["games"], rating["wins"]) for rating in ratings} == {
        "volley-7": (5, outcomes["win"]), "scripted": (5, outcomes["loss"]),
    }  # fmt: skip
    short = arcade(*repeat, "--max-ticks", "3", "--episodes", "2", "--ladder")
    assert "2 of 2 matches are not rated: --max-ticks cut them short" in short.stderr
    text = arcade(*repeat).stdout
    assert f"{sum(won)}: {20 * sum(won)}% (" in text
    assert data["command"] in text


def test_an_evaluation_goes_on_behind_a_player_that_fails(arcade: Any) -> None:
    words = ("evaluate", "house/volley", "--seat", "left_0=python:tests.support.small_players:stumbles")
    done = arcade(*words, "--seat", "right_0=idle", "--max-ticks", "30", "--episodes", "8", "--seed", "2", "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert data["played"] + len(data["failures"]) == 8
    assert data["played"] > 0
    failure = data["failures"][0]
    assert f"episode {failure['episode']} (seed {failure['seed']}" in done.stderr
    assert done.stderr.count("RuntimeError: stumbled") == len(data["failures"])
    assert "Traceback" not in done.stderr


def test_a_game_that_pays_in_numpy_is_rated_and_printed_as_json(arcade: Any) -> None:
    seats = ("--seat", "player_0=idle", "--seat", "player_1=random")
    done = arcade("play", "classic/leduc_holdem_v4", "--headless", *seats, "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert sorted(json.loads(done.stdout)["matches"][0]["placements"].values()) == [1, 2]


def test_a_recorded_seat_can_be_played_against_and_stays_off_the_ladder(arcade: Any) -> None:
    first = json.loads(arcade("play", "house/volley", "--headless", "--max-ticks", "200", "--record", "--json").stdout)
    seats = ("--seat", f"left_0=replay:{first['replays'][0]}", "--seat", "right_0=random")
    again = arcade("play", "house/volley", "--headless", "--max-ticks", "100", *seats, "--json")
    assert json.loads(again.stdout)["matches"][0]["rated"] is False
    games = json.loads(arcade("ladder", "show", "house/volley", "--json").stdout)["ratings"]
    assert sum(rating["games"] for rating in games) <= 2


@pytest.mark.parametrize("named", [{}, {"DISPLAY": ":4099"}], ids=["none named", "none there"])
def test_without_a_display_ai_plays_and_a_picture_is_left(arcade: Any, tmp_path: Path, named: dict[str, str]) -> None:
    done = arcade("play", "house/volley", "--max-ticks", "120", "--seed", "1", **named)
    assert done.returncode == 0, done.stderr
    assert "no display" in done.stderr
    assert "match 1 of 1" in done.stderr
    assert "match 1" in done.stdout
    picture = tmp_path / "home" / "screenshots" / "offscreen.png"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_speed_paces_a_headless_match(arcade: Any) -> None:
    words = ("play", "house/volley", "--headless", "--max-ticks", "120", "--json")
    [paced] = json.loads(arcade(*words, "--speed", "4").stdout)["matches"]
    [unpaced] = json.loads(arcade(*words).stdout)["matches"]
    assert (paced["settings"]["speed"], unpaced["settings"]["speed"]) == (4.0, None)
    assert paced["seconds"] > 119 / (4 * 60)  # a floor that a slow machine cannot break: the clock holds it back


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "house/voley", "--headless"), "did you mean house/volley"),
        (("play", "house/volley", "--headless", "--seat", "left_0=joystick"), "gamepad[:N]"),
        (("play", "house/volley", "--headless", "--seat", "left=random"), "left_0, right_0"),
        (("play", "house/volley", "--headless", "--seat", "left_0=keyboard"), "expected a window"),
        (("play", "house/volley", "--seat", "left_0=keyboard"), "expected a display"),
        (("play", "house/volley", "--headless", "--seat", "left_0=snapshot:nobody"), "nobody"),
        (("play", "house/volley", "--headless", "--seat", "left_0=python:no_such_players:play"), "no_such_players"),
        (("play", "house/volley", "--headless", "--speed", "-1"), "--speed"),
        (("play", "--headless"), "arcade games"),
        (("play", "--seat", "left_0=random"), "expected a game"),
        (("evaluate", "house/volley", "--seat", "left_0=keyboard"), "expected AI players"),
        (("evaluate", "house/volley", "--seat", "left=random"), "left_0, right_0"),
        (("evaluate", "house/volley", "--seat", "left_0=snapshot:nobody"), "nobody"),
        (("evaluate", "mpe/simple_tag_v3", "--swap"), "3 against 1"),
        (("evaluate", "house/volley", "--swap", "--episodes", "1"), "one match has one side"),
        (("evaluate", "house/volley", "--seed", str(2**32)), "--seed"),
        (("ladder", "show", "no/game"), "no/game"),
        (("serve", "--endpoint", "tcp://nowhere"), "expected a free endpoint"),
    ],
)
def test_what_cannot_be_done_is_one_line_that_says_what_can(arcade: Any, words: tuple[str, ...], said: str) -> None:
    done = arcade(*words)
    assert done.returncode in EXIT_CODES.values()
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_spoiled_snapshot_is_listed_with_what_is_wrong_with_it(arcade: Any, tmp_path: Path) -> None:
    from agents.snapshots.store import BUNDLED

    shipped = BUNDLED / "volley-1"
    own = tmp_path / "home" / "snapshots" / shipped.name  # stands before the shipped one of that name
    shutil.copytree(shipped, own)
    data = bytearray((own / "policy.onnx").read_bytes())
    data[len(data) // 2] ^= 1
    (own / "policy.onnx").write_bytes(data)
    listed = json.loads(arcade("snapshots", "list", "house/volley", "--json").stdout)
    assert "sha256" in listed["refused"][shipped.name]
    assert shipped.name not in {card["name"] for card in listed["snapshots"]}
    assert len(listed["snapshots"]) >= 4


def test_a_replay_that_is_none_is_refused_by_name(arcade: Any, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a replay")
    done = arcade("replay", str(path), "--verify")
    assert done.returncode == 2
    assert "notes.txt" in done.stderr


@pytest.mark.parametrize("words", [("play", "house/volley", "--headless"), ("evaluate", "house/volley")])
def test_the_arcade_never_loads_ray_or_torch(tmp_path: Path, words: tuple[str, ...]) -> None:
    code = (
        "import sys, runpy\n"
        f"sys.argv = {['arcade', *words, '--episodes', '1', '--max-ticks', '60', '--json']}\n"
        "try: runpy.run_module('arcade', run_name='__main__')\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "print([name for name in ('ray', 'torch', 'tensorboardX') if name in sys.modules], file=sys.stderr)"
    )
    env = os.environ | {"ARCADE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, env=env, check=False
    )
    assert done.stderr.strip().splitlines()[-1] == "[]", done.stderr


def test_a_window_plays_no_series(tmp_path: Path) -> None:
    env = os.environ | {"ARCADE_HOME": str(tmp_path), "SDL_VIDEODRIVER": "dummy"}
    command = [sys.executable, "-m", "arcade", "play", "house/volley", "--episodes", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=env, check=False)
    assert done.returncode == 2
    assert "--headless" in done.stderr


@pytest.mark.parametrize("words", [[], ["play"]])
def test_the_title_waits_for_no_heavy_library(tmp_path: Path, words: list[str]) -> None:
    code = (
        "import sys\n"
        "from arcade.__main__ import main\n"
        "from arcade.scenes import app as window\n"
        "def run_window(*given, **more):\n"
        "    print(given, [name for name in ('numpy', 'pydantic', 'typer') if name in sys.modules])\n"
        "    sys.exit()\n"
        "window.run_window = run_window\n"
        f"sys.argv = {['arcade', *words]}\n"
        "main()\n"
    )
    env = os.environ | {"ARCADE_HOME": str(tmp_path), "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT, env=env)
    assert done.stdout.splitlines()[-1] == "(None, None) []", done.stderr


def test_a_remote_seat_with_no_server_forfeits_within_seconds_and_rates_nothing(arcade: Any) -> None:
    words = ("play", "house/volley", "--headless", "--seat", "left_0=remote:tcp://127.0.0.1:1", "--seat")
    done = arcade(*words, "right_0=random", "--episodes", "3", "--json")
    assert done.returncode == 1, done.stderr
    (match,) = json.loads(done.stdout)["matches"]
    assert (match["ended"], match["loser"], match["rated"]) == ("forfeit", "left_0", False)
    assert match["placements"] == {"left_0": 2, "right_0": 1}
    assert "expected a policy server at tcp://127.0.0.1:1, got no answer" in match["error"]
    ladder = json.loads(arcade("ladder", "show", "house/volley", "--json").stdout)
    assert all(rating["games"] == 0 for rating in ladder["ratings"])
    text = arcade(*words, "right_0=random")
    assert text.returncode == 1
    assert "forfeited" in text.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("runs", "show", "x", "--bogus"), "No such option: --bogus"),
        (("nosuch",), "No such command 'nosuch'."),
        (("--bogus",), "No such option: --bogus"),
        (("play", "--episodes", "many"), "Invalid value for '--episodes'"),
    ],
)
def test_words_that_a_command_cannot_take_are_an_error_object(arcade: Any, words: Any, message: str) -> None:
    done = arcade(*words, "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == EXIT_CODES["invalid"] == 2
    assert error["code"] == "invalid"
    assert error["message"].startswith(message)
    assert error["hint"].startswith("see: arcade")
    assert arcade(*words).stdout == ""


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("arcade recor", ["recordings"]),
        ("arcade play house/", ["house/volley", "house/volley_2v2"]),
        ("arcade snapshots show volley_2v2-4", ["volley_2v2-4"]),
        ("arcade recordings name ra", ["rally"]),
        ("arcade runs show ", ["my-run"]),
    ],
)
def test_a_shell_completes_commands_and_what_is_here(arcade: Any, tmp_path: Path, typed: str, found: list[str]) -> None:
    if "recordings name" in typed:
        arcade("play", "house/volley", "--headless", "--max-ticks", "5", "--record")
        arcade("recordings", "name", "latest", "rally")
    run = tmp_path / "home" / "runs" / "my-run"
    run.mkdir(parents=True)
    (run / "config.toml").write_text('game = "house/volley"\n')
    words = typed.split(" ")
    variables = {"_ARCADE_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    assert arcade(**variables).stdout.split() == found


TERMINAL = {"FORCE_COLOR": "1"}
"""Makes rich take each stream for a terminal."""


@pytest.mark.parametrize(
    ("words", "bar", "line"),
    [
        (("games", "measure", "classic/tictactoe_v3", "--ticks", "20"), "measuring", "classic/tictactoe_v3: the same"),
        (("doctor",), "checks", "disk"),
    ],
)
def test_a_bar_on_the_terminal_leaves_the_lines_in_the_file(
    arcade: Any, words: Sequence[str], bar: str, line: str
) -> None:
    done = arcade(*words, **TERMINAL)
    assert re.search(rf"{bar}.*-:--:--|{bar}.*0:0", done.stderr), "a bar with the time left"
    assert line in done.stdout
    assert bar not in done.stdout


def test_results_on_the_terminal_have_no_bar_among_them(arcade: Any) -> None:
    leader, follower = os.openpty()
    try:
        assert arcade("ladder", "export", output=follower).returncode == 0
        shown = os.read(leader, 4096).decode()
    finally:
        os.close(leader)
        os.close(follower)
    assert shown.startswith("id,key,game")
    assert len(shown.splitlines()) == 1


def test_matches_begin_at_a_moment_of_a_recording(arcade: Any) -> None:
    words = ("play", "house/volley", "--headless", "--seat", "*=scripted", "--seed", "7", "--max-ticks", "400")
    [path] = json.loads(arcade(*words, "--record", "--json").stdout)["replays"]
    again = ("play", "--from", f"{path}@300", "--headless", "--seat", "left_0=random", "--episodes", "2", "--record")
    done = arcade(*again, "--json")
    assert done.returncode == 0, done.stderr
    matches = json.loads(done.stdout)["matches"]
    assert [(match["settings"]["parent_tick"], match["rated"]) for match in matches] == [(300, False)] * 2
    assert len({match["actions"] for match in matches}) == 2  # another attempt has other chance
    assert "match 2 of 2" in arcade(*again).stderr
    replays = sorted(Path(path).parent.glob("*.replay"))
    assert len(replays) == 5
    assert all(arcade("replay", str(one), "--verify").returncode == 0 for one in replays)
    for word, reason in (
        (f"{path}@400", "expected a tick from 0 to 399"),
        (f"{path}@0:99", "expected a moment as RECORDING@TICK or RECORDING@M:SS"),
        (path, "expected a moment as RECORDING@TICK or RECORDING@M:SS"),
        ("nosuch@3", "no recording named 'nosuch'"),
    ):
        done = arcade("play", "--from", word, "--headless")
        assert done.returncode
        assert reason in done.stderr
