"""arcade recordings: the commands, on a home with three recordings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from arcade.commands.cli import app
from tests.support.recorded import Fingers, machine, record
from tests.support.replay_files import head, tick, write_records


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Ann against a machine, Bob against Ann, machines alone: names and contents of the files."""
    folder = tmp_path_factory.mktemp("played")
    record(folder / "house-volley-20260101-120000-000001-7.replay", {"left_0": Fingers("Ann")}, ticks=200)
    people = {"player_1": Fingers("Bob"), "player_2": Fingers("Ann", agreed=False)}
    record(folder / "classic-tictactoe_v3-20260102-120000-000001-7.replay", people, game="classic/tictactoe_v3", seed=5)
    record(folder / "house-volley-20260101-120000-000002-7.replay", {"left_0": machine("mill")})
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def recordings(tmp_path: Path, played: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs ``arcade recordings WORDS`` in that home."""
    folder = tmp_path / "replays"
    folder.mkdir()
    for name, content in played.items():
        (folder / name).write_bytes(content)
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *words: CliRunner().invoke(app, ["recordings", *words])


def ids(done: Result) -> list[str]:
    assert done.exit_code == 0, done.stderr
    return [
        recording["id"].split("-20260")[0] + recording["id"][-9:-2]
        for recording in json.loads(done.stdout)["recordings"]
    ]


TICTACTOE, ANN, MACHINES = "classic-tictactoe_v3-000001", "house-volley-000001", "house-volley-000002"


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ([], {TICTACTOE, ANN, MACHINES}),
        (["--game", "volley"], {ANN, MACHINES}),
        (["--person", "Ann"], {ANN}),
        (["--person", "Ann", "--seat", "right_*"], set()),
        (["--kind", "keyboard"], {TICTACTOE, ANN}),
        (["--label", "mil*"], {MACHINES}),
        (["--recording", "tictactoe", "--take", "000002"], {TICTACTOE, MACHINES}),
        (["--person", "Bob", "--outcome", "win"], {TICTACTOE}),
        (["--person", "Bob", "--max-return", "0.5"], set()),
    ],
)
def test_list_finds_what_is_asked_for(recordings: Callable[..., Result], filters: list[str], found: set[str]) -> None:
    assert set(ids(recordings("list", "--json", *filters))) == found


def test_the_listing_gives_words_that_the_other_commands_know(recordings: Callable[..., Result]) -> None:
    lines = recordings("list").stdout.splitlines()
    words = [line.split()[0] for line in lines[1:-1]]
    assert len(words) == 3
    for word, line in zip(words, lines[1:-1], strict=True):
        assert json.loads(recordings("show", word, "--json").stdout)["game"] in line


def test_a_recording_whose_file_names_nobody_is_listed_too(recordings: Callable[..., Result], tmp_path: Path) -> None:
    write_records(tmp_path / "replays" / "nobody.replay", [head(), tick(0)])
    assert "nobody" in recordings("list").stdout
    assert "nobody" not in recordings("list", "--game", "volley").stdout


def test_files_that_are_none_are_named_on_the_other_stream(recordings: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "replays" / "alien.replay").write_bytes(b"zip")
    done = recordings("list")
    assert "alien.replay" in done.stderr
    assert "alien" not in done.stdout
    refused = json.loads(recordings("list", "--json").stdout)["refused"]
    assert [Path(one["file"]).name for one in refused] == ["alien.replay"]
    assert recordings("show", "alien").exit_code == 2


def test_a_recording_is_named_tagged_rated_kept_and_trimmed(recordings: Callable[..., Result]) -> None:
    assert recordings("name", "tictactoe", "three in a row").exit_code == 0
    assert recordings("tag", "three in a row", "short", "won").exit_code == 0
    assert recordings("tag", "three in a row", "--remove", "short", "neat").exit_code == 0
    refused = recordings("tag", "three in a row", "--remove", "shrot")
    assert refused.exit_code == 2
    assert "(neat, won), got: 'shrot'" in refused.stderr
    assert recordings("rate", "three in a row", "4").exit_code == 0
    assert recordings("trim", "three in a row", "--from", "1", "--to", "3").exit_code == 0
    recording = json.loads(recordings("show", "three in a row", "--json").stdout)
    assert (recording["tags"], recording["rating"], recording["span"], recording["kept"]) == (
        ["neat", "won"],
        4,
        [1, 3],
        True,
    )
    told = recordings("show", "three in a row").stdout
    assert all(
        words in told for words in ("three in a row", "★★★★", "neat won", "ticks 1 to 3", "no name given", "Bob")
    )
    assert ids(recordings("list", "--json", "--tag", "neat", "--min-rating", "4")) == [TICTACTOE]
    assert recordings("keep", "--release", "three in a row", "000002").exit_code == 0
    assert json.loads(recordings("show", "three in a row", "--json").stdout)["kept"] is False


@pytest.mark.parametrize(
    ("words", "mend"),
    [
        (["show", "tictoc"], "no recording named 'tictoc' in "),
        (["show", "volley"], "which may be"),
        (["name", "000002", "../x"], "expected a name"),
        (["tag", "000002", "a/b"], "expected a tag"),
        (["trim", "000002", "--from", "30", "--to", "20"], "expected a span"),
        (["list", "--outcome", "maybe"], "win, loss, draw"),
        (["list", "--game", "valley"], "did you mean house/volley"),
        (["list", "--recording", "nothing"], "list them with: arcade recordings list"),
    ],
)
def test_wrong_words_get_one_line_and_a_status(recordings: Callable[..., Result], words: list[str], mend: str) -> None:
    done = recordings(*words)
    assert done.exit_code in (2, 3)
    assert mend in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not done.stdout


def test_delete_asks_and_leaves_the_others(recordings: Callable[..., Result], tmp_path: Path) -> None:
    assert recordings("delete", "tictactoe").exit_code != 0  # nobody said yes
    assert len(ids(recordings("list", "--json"))) == 3
    done = recordings("delete", "tictactoe", "000002", "--yes", "--json")
    assert len(json.loads(done.stdout)["deleted"]) == 2
    assert ids(recordings("list", "--json")) == [ANN]
    assert {path.suffix for path in (tmp_path / "replays").iterdir()} == {".replay", ".json"}


def test_totals_by_person_and_game(recordings: Callable[..., Result]) -> None:
    rows = json.loads(recordings("list", "--totals", "--json").stdout)["totals"]
    told = {(row["person"], row["game"]): (row["recordings"], row["wins"], row["losses"]) for row in rows}
    assert told.keys() == {
        ("Ann", "house/volley"), ("Bob", "classic/tictactoe_v3"), ("", "classic/tictactoe_v3"), (None, "house/volley"),
    }  # fmt: skip
    assert told["Bob", "classic/tictactoe_v3"] == (1, 1, 0)
    assert told["", "classic/tictactoe_v3"] == (1, 0, 1)
    assert sum(row["ticks"] for row in rows if row["game"] == "house/volley") == 240
    text = recordings("list", "--totals").stdout
    assert all(who in text for who in ("Ann", "Bob", "no name given", "AI alone"))


def test_who_corrected_a_machine_for_a_moment_is_found_and_counted(
    recordings: Callable[..., Result], tmp_path: Path
) -> None:
    path = tmp_path / "replays" / "corrected.replay"
    record(path, {"left_0": machine()}, takeovers={10: Fingers("Eve"), 13: machine()})
    assert [
        recording["id"]
        for recording in json.loads(recordings("list", "--person", "Eve", "--json").stdout)["recordings"]
    ] == ["corrected"]
    rows = json.loads(recordings("list", "--person", "Eve", "--totals", "--json").stdout)["totals"]
    assert [(row["person"], row["recordings"], row["draws"]) for row in rows] == [
        ("Eve", 1, 0)
    ]  # the match is not hers


def test_names_from_a_file_cannot_write_to_the_terminal(recordings: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "replays" / "strange.replay"
    record(path, {"left_0": machine("[red]a\x1b[2Jb")})
    for words in (("list",), ("show", "strange")):
        told = recordings(*words).stdout
        assert "\x1b" not in told
        assert "[red]a" in told


def test_the_name_before_still_works(recordings: Callable[..., Result]) -> None:
    before = CliRunner().invoke(app, ["demos", "list", "--take", "000002"])
    assert before.stdout == recordings("list", "--recording", "000002").stdout
    assert "demos" not in CliRunner().invoke(app, ["--help"]).stdout
    assert "--take " not in recordings("list", "--help").stdout


def test_json_is_plain(recordings: Callable[..., Result]) -> None:
    recording: dict[str, Any] = json.loads(recordings("show", "000002", "--json").stdout)
    assert Path(recording["file"]).exists()
    assert {"id", "game", "lineup", "people", "returns", "span", "tags", "picture"} <= recording.keys()


def test_a_recording_is_replayed_by_its_words_or_its_file(recordings: Callable[..., Result], tmp_path: Path) -> None:
    file = next((tmp_path / "replays").glob("*000002*.replay"))
    for word in ("000002", str(file)):
        done = CliRunner().invoke(app, ["replay", word, "--verify", "--json"])
        assert done.exit_code == 0, done.stderr
        assert json.loads(done.stdout)["ok"]
    assert "no recording named 'nothing'" in CliRunner().invoke(app, ["replay", "nothing", "--verify"]).stderr
