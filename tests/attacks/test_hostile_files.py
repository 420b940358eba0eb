"""Files that unpack to gigabytes, nest without end or lead in a circle: a clear error, in bounded memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents.records import pack_record
from tests.support.replay_files import head, tick, write_records

READER = """
import resource, sys
from pathlib import Path
from agents.files import changing_toml
from agents.snapshots.store import SnapshotStore
from arcade.recordings.library import RecordingLibrary
from arcade.session.settings import Settings, load_settings, save_settings

pages = int(Path("/proc/self/statm").read_text().split()[0]) if sys.platform == "linux" else 2**20
most = pages * resource.getpagesize() + 600 * 2**20
resource.setrlimit(resource.RLIMIT_AS, (most, most))
home = Path(sys.argv[1])
settings, warning = load_settings(home / "settings.toml")
save_settings(Settings(), home / "settings.toml")
assert load_settings(home / "settings.toml")[1] == "", "the next settings can be read"
recordings, bad = RecordingLibrary(home / "replays").list()
assert [one.id for one in recordings if one.id == "good"] == ["good"], "the others can be read"
store = SnapshotStore(home / "snapshots")
assert store.list() == []
said = [warning, *(one.reason for one in bad), *(one.replay().damage for one in recordings), *store.refused.values()]
print(*filter(None, said), sep="\\n")
"""


def bomb(home: Path) -> None:
    """Two gigabytes in some 100 kB."""
    filler = pack_record(["seat", {"tick": 0, "filler": bytes(2**23)}])
    path = write_records(home / "replays" / "bad.replay", [head(), tick(0), *[filler] * 256], flush_every=10**9)
    assert path.stat().st_size < 2**18


def nested_toml(home: Path) -> None:
    (home / "settings.toml").write_text("a = " + "[" * 500_000)


def dotted_toml(home: Path) -> None:
    (home / "settings.toml").write_text("a." * 2_000 + "a = 1")


def endless_settings(home: Path) -> None:
    sparse(home / "settings.toml")


def circular_settings(home: Path) -> None:
    (home / "settings.toml").symlink_to(home / "settings.toml")


def sparse_replay(home: Path) -> None:
    sparse(home / "replays" / "bad.replay")


def circular_replay(home: Path) -> None:
    (home / "replays" / "bad.replay").symlink_to("bad.replay")


def sparse_snapshot(home: Path) -> None:
    folder = home / "snapshots" / "bad"
    folder.mkdir()
    sparse(folder / "card.json")
    sparse(folder / "policy.onnx")


def circular_snapshot(home: Path) -> None:
    (home / "snapshots" / "bad").symlink_to(home / "snapshots")


def sparse(path: Path) -> None:
    """Four gigabytes of zeros that take no room."""
    with path.open("wb") as file:
        file.truncate(2**32)


@pytest.mark.parametrize(
    ("put", "said"),
    [
        (bomb, "beside the observations, got more"),
        (nested_toml, "lists in each other"),
        (dotted_toml, "lists in each other"),
        (endless_settings, "a file of more than"),
        (circular_settings, "symbolic links"),
        (sparse_replay, "begins with"),
        (circular_replay, "expected a file"),
        (sparse_snapshot, "bad/card.json: expected"),
        (circular_snapshot, "got a file or a link"),
    ],
)
def test_a_file_of_a_stranger_is_refused_in_bounded_memory(put, said, tmp_path, monkeypatch):
    for name in ("replays", "snapshots"):
        (tmp_path / name).mkdir()
    write_records(tmp_path / "replays" / "good.replay", [head(), tick(0)])
    put(tmp_path)
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    command = [sys.executable, "-c", READER, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
