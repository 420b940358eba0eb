"""Data sets: read again by the libraries they are for, and never half there."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from gymnasium import spaces
from typer.testing import CliRunner, Result

from arcade.commands.cli import app
from arcade.games import GameError
from arcade.recordings.datasets.episodes import SeatEpisode, demo_episodes
from arcade.recordings.export import DataSetWriter, export_episodes, formats
from arcade.recordings.export.minari import MinariWriter
from arcade.recordings.export.npz import NumpyWriter
from arcade.recordings.export.parquet import ParquetWriter
from arcade.recordings.library import RecordingLibrary
from arcade.recordings.query import DatasetError, DatasetQuery
from tests.support.recorded import Fingers, machine, record
from tests.support.seat_episodes import made_episode, spaces_of

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
WRITERS: list[type[DataSetWriter]] = [MinariWriter, ParquetWriter, NumpyWriter]
VOLLEY, FOUR = "house/volley", "classic/connect_four_v3"

READ_MINARI = """
import sys

class Nothing_of_ours:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("arcade", "agents", "trainer", "tests"):
            raise ImportError(name)

sys.meta_path.insert(0, Nothing_of_ours())
import json
import minari

found = {}
for name in minari.list_local_datasets():
    data = minari.load_dataset(name)
    about = list(data.storage.get_episode_metadata(range(data.total_episodes)))
    rows = []
    for episode, told in zip(data.iterate_episodes(), about, strict=True):
        seen = episode.observations
        parts = seen if isinstance(seen, dict) else {"observation": seen}
        first = {key: part[0] for key, part in parts.items()}
        fits = (first if isinstance(seen, dict) else first["observation"]) in data.observation_space
        rows.append({
            **{key: part.tolist() for key, part in parts.items()},
            "fits": bool(fits), "take": told["take"], "agent": told["agent"], "person": told["person"],
            "seed": told["seed"], "actions": episode.actions.tolist(), "rewards": episode.rewards.tolist(),
            "ended": [bool(episode.terminations[-1]), bool(episode.truncations[-1])],
            "human": episode.infos["human"].tolist(),
        })
    assert len(data.sample_episodes(1)) == 1
    found[name] = {"steps": int(data.total_steps), "episodes": rows}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two matches of volley, one of them with Ann, and one of connect four."""
    folder = tmp_path_factory.mktemp("home")
    record(folder / "replays" / "a.replay", {"left_0": Fingers("Ann")}, game=VOLLEY, ticks=60)
    record(folder / "replays" / "b.replay", {"left_0": machine("mill")}, game=VOLLEY, ticks=50, seed=4)
    record(folder / "replays" / "c.replay", game=FOUR, ticks=100)
    RecordingLibrary(folder / "replays").list()
    return folder


@pytest.fixture
def export(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs ``arcade recordings export WORDS`` in that home; the data sets go to tmp_path."""
    monkeypatch.setenv("ARCADE_HOME", str(home))
    return lambda *words: CliRunner().invoke(app, ["recordings", "export", "--out", str(tmp_path), *words])


def written(done: Result) -> dict[str, tuple[int, int]]:
    assert done.exit_code == 0, done.stderr
    return {Path(one["path"]).name: (one["episodes"], one["steps"]) for one in json.loads(done.stdout)["data_sets"]}


def recorded(home: Path, **query: Any) -> list[SeatEpisode]:
    recordings = sorted(RecordingLibrary(home / "replays").list()[0], key=lambda recording: recording.id)
    return list(demo_episodes(recordings, DatasetQuery(**query)))


def test_minari_reads_it_with_nothing_of_ours(export: Any, home: Path, tmp_path: Path) -> None:
    names = written(export("--to", "minari", "--json"))
    assert names == {
        "left_0-v0": (2, 110), "right_0-v0": (2, 110), "player_0-v0": (1, pytest.approx(20, abs=20)),
        "player_1-v0": (1, pytest.approx(20, abs=20)),
    }  # fmt: skip
    env = {**os.environ, "MINARI_DATASETS_PATH": str(tmp_path), "PYTHONPATH": ""}
    told = subprocess.run(
        [sys.executable, "-I", "-c", READ_MINARI], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    for game, seat in ((VOLLEY, "left_0"), (VOLLEY, "right_0"), (FOUR, "player_0"), (FOUR, "player_1")):
        data = found[f"arcade/{game}/{seat}-v0"]
        originals = recorded(home, game=game, seat=seat)
        assert data["steps"] == sum(map(len, originals))
        for read, original in zip(data["episodes"], originals, strict=True):
            assert read["fits"]
            assert (read["take"], read["agent"]) == (original.recording, seat)
            assert (read["person"], read["seed"]) == (original.person, original.seed)
            np.testing.assert_array_equal(np.array(read["observation"], np.float32), original.observations)
            assert ("action_mask" in read) == (game == FOUR)
            if original.action_masks is not None:
                assert read["action_mask"] == original.action_masks.tolist()
            assert read["actions"] == original.actions.tolist()
            assert read["rewards"] == original.rewards.tolist()
            assert read["ended"] == [original.terminated, original.truncated]
            assert read["human"] == [*original.human.tolist(), False]


def test_parquet_is_a_table_of_decisions(export: Any, home: Path, tmp_path: Path) -> None:
    assert written(export("--to", "parquet", "--game", FOUR, "--by", "role", "--json"))["player.parquet"][0] == 2
    table = pyarrow.parquet.read_table(tmp_path / FOUR / "player.parquet")
    originals = recorded(home, game=FOUR)
    assert table.num_rows == sum(map(len, originals))
    for number, original in enumerate(originals):
        part = table.filter(pyarrow.compute.equal(table["episode"], number)).combine_chunks()
        seen = np.stack([np.array(row).reshape(6, 7, 2) for row in part["observation"].to_pylist()])
        np.testing.assert_array_equal(seen, original.observations[:-1])
        np.testing.assert_array_equal(
            np.array(part["final_observation"][-1].as_py()), original.observations[-1].ravel()
        )
        assert part["final_observation"].null_count == len(original) - 1
        assert original.action_masks is not None
        assert [list(row) for row in part["action_mask"].to_pylist()] == original.action_masks[:-1].tolist()
        for column, values in (("action", original.actions), ("reward", original.rewards), ("tick", original.ticks)):
            assert part[column].to_pylist() == values.tolist()
        assert part["terminated"].to_pylist() == [False] * (len(original) - 1) + [True]
        assert set(part["agent"].to_pylist()) == {original.agent}


def test_numpy_reads_it_without_pickle(export: Any, home: Path, tmp_path: Path) -> None:
    assert written(export("--to", "npz", "--game", VOLLEY, "--seat", "left_*", "--json")) == {"left_0.npz": (2, 110)}
    with np.load(tmp_path / VOLLEY / "left_0.npz", allow_pickle=False) as data:
        columns = {name: data[name] for name in data}
    originals = recorded(home, game=VOLLEY, seat="left_0")
    starts = [*columns["episode_start"], len(columns["reward"])]
    for number, original in enumerate(originals):
        rows = slice(starts[number], starts[number + 1])
        assert (columns["episode"][rows] == number).all()
        np.testing.assert_array_equal(columns["observation"][rows], original.observations[:-1])
        np.testing.assert_array_equal(columns["final_observation"][number], original.observations[-1])
        np.testing.assert_array_equal(columns["action"][rows], original.actions)
        assert [columns["labels"][at] for at in columns["label"][rows]] == list(original.labels)
        assert columns["episode_person"][number] == original.person
        assert columns["truncated"][rows].tolist() == [False] * (len(original) - 1) + [True]
        assert not columns["terminated"][rows].any()
    assert columns["observation"].dtype == np.float32


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--person", "Ann"], {"left_0.npz": (1, 60)}),
        (["--person", "Ann", "--take", "b"], None),
        (["--label", "mill"], {"left_0.npz": (1, 50)}),
        (["--game", FOUR, "--outcome", "win"], {"player_0.npz": (1, 12)}),
    ],
)
def test_filters_choose_what_is_exported(
    export: Any, words: list[str], found: dict[str, tuple[int, int]] | None
) -> None:
    done = export("--to", "npz", "--json", *words)
    if found is None:
        assert done.exit_code == 2
        assert "expected recordings with decisions that count, got none" in done.stderr
    else:
        assert written(done).keys() == found.keys()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--to", "csv"], "expected --to minari, rllib, parquet, lerobot, npz, pgn, sgf, got: 'csv'"),
        (["--to", "npz", "--by", "team"], "expected --by seat, role, match, got: 'team'"),
        (["--to", "npz", "--outcome", "lost"], "expected outcome to be one of win, loss, draw, got: 'lost'"),
    ],
)
def test_wrong_words_are_told_and_nothing_is_written(
    export: Any, tmp_path: Path, words: list[str], message: str
) -> None:
    done = export(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "exporting" not in done.stderr, "no progress bar"
    assert list(tmp_path.iterdir()) == []


CSV = """
from arcade.recordings.export import DataSetWriter

class CsvWriter(DataSetWriter):
    suffix = ".csv"

    def __init__(self, path, data):
        self.file = open(path, "w")

    def add(self, episode):
        self.file.writelines(f"{tick},{action}\\n" for tick, action in zip(episode.ticks, episode.actions))

    def finish(self):
        self.file.close()
"""


def test_a_package_brings_a_format_of_its_own(export: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy_csv.py").write_text(CSV)
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("csv", "toy_csv:CsvWriter", formats.GROUP)
    monkeypatch.setattr(formats, "entry_points", lambda group: (point,) if group == formats.GROUP else ())
    assert written(export("--to", "csv", "--seat", "left_0", "--json")) == {"left_0.csv": (2, 110)}
    lines = (tmp_path / VOLLEY / "left_0.csv").read_text().splitlines()
    assert len(lines) == 110
    assert all(line.count(",") == 1 for line in lines)


def test_a_format_without_its_libraries_says_how_to_install_them(export: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "minari", None)
    done = export("--to", "minari")
    assert done.exit_code == 4
    assert "pip install 'pettingzoo-arcade[data]'" in done.stderr


def test_a_data_set_that_is_there_is_left_as_it_is(export: Any, tmp_path: Path) -> None:
    written(export("--to", "npz", "--seat", "left_0", "--json"))
    before = (tmp_path / VOLLEY / "left_0.npz").read_bytes()
    again = export("--to", "npz")
    assert again.exit_code == 2
    assert "expected a new data set, got an existing one" in again.stderr
    assert (tmp_path / VOLLEY / "left_0.npz").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["house"]


@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_half_written_never_stands_where_a_data_set_does(tmp_path: Path, writer: type[DataSetWriter]) -> None:
    def failing() -> Iterator[SeatEpisode]:
        for number in range(200):
            yield made_episode(number)
            assert all(path.name.startswith(".partial-") for path in tmp_path.iterdir())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_episodes(failing(), tmp_path, writer=writer, spaces_of=spaces_of)
    assert list(tmp_path.iterdir()) == []


ENDLESS = """
import sys
from itertools import count
from pathlib import Path
from arcade.recordings.export import export_episodes
from arcade.recordings.export.npz import NumpyWriter
from tests.support.seat_episodes import made_episode
from tests.support.seat_episodes import spaces_of

def episodes():
    for number in count():
        yield made_episode(number)
        print(number, flush=True)

export_episodes(episodes(), Path(sys.argv[1]), writer=NumpyWriter, spaces_of=spaces_of)
"""


def test_what_a_kill_left_looks_like_no_data_set_and_goes_with_the_next_export(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS, str(tmp_path)], stdout=subprocess.PIPE) as exporting:
        assert exporting.stdout is not None
        assert exporting.stdout.readline() == b"0\n"
        exporting.kill()
    assert [path.name.startswith(".partial-") for path in tmp_path.iterdir()] == [True]
    export_episodes([made_episode()], tmp_path, writer=NumpyWriter, spaces_of=spaces_of)
    assert [path.name for path in tmp_path.iterdir()] == ["test"]


@pytest.mark.parametrize("writer", WRITERS)
def test_many_episodes_take_no_more_memory_than_some(tmp_path: Path, writer: type[DataSetWriter]) -> None:
    def spaces_of_pictures(episode: SeatEpisode) -> tuple[Any, Any]:
        return spaces.Box(-1e9, 1e9, (64, 64), np.float32), spaces.Discrete(4)

    def peak(count: int) -> int:
        tracemalloc.start()
        episodes = (made_episode(number, steps=63, shape=(64, 64)) for number in range(count))  # 1 MiB each
        export_episodes(episodes, tmp_path / str(count), writer=writer, spaces_of=spaces_of_pictures)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    _, some, many = peak(1), peak(25), peak(50)  # the first export also imports the writer's library
    assert many < some + 2**20


def test_an_episode_that_fits_no_other_is_named_and_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    episodes = [
        made_episode(1),
        made_episode(2, shape=(7,)),
        made_episode(3, action_masks=np.ones((6, 4), np.int8)),
        made_episode(4),
    ]
    with caplog.at_level(logging.WARNING):
        [one] = export_episodes(episodes, tmp_path, writer=NumpyWriter, spaces_of=spaces_of)
    assert (one.episodes, one.steps) == (2, 10)
    assert "recording recording-2, ann: expected values of the shape (3,), got: (7,)" in caplog.text
    assert "recording-3, ann: expected no action masks" in caplog.text


def test_a_game_that_cannot_be_had_is_named_and_others_are_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def only_here(episode: SeatEpisode) -> tuple[Any, Any]:
        if episode.game == "gone/game":
            raise GameError("expected a game of the catalogue, got: gone/game")
        return spaces_of(episode)

    episodes = [made_episode(1, game="gone/game"), made_episode(2)]
    [one] = export_episodes(episodes, tmp_path, writer=NumpyWriter, spaces_of=only_here)
    assert one.game == "test/game"
    assert "recording recording-1: expected a game of the catalogue, got: gone/game" in caplog.text


def test_where_nothing_can_be_written_it_says_so(export: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = export("--to", "npz", "--out", str(tmp_path / "file" / "folder"))
    assert done.exit_code == 2
    assert "expected to write data sets to" in done.stderr


@pytest.mark.parametrize("writer", WRITERS)
def test_where_no_episode_fits_there_is_no_data_set(tmp_path: Path, writer: type[DataSetWriter]) -> None:
    with pytest.raises(DatasetError, match="expected recordings with decisions that count, got none"):
        export_episodes([made_episode(shape=(7,))], tmp_path, writer=writer, spaces_of=spaces_of)
    assert list(tmp_path.iterdir()) == []
