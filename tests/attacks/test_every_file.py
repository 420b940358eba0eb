"""In place of each file that is read: pipes, devices, bombs, folders and links in a circle.  All else works on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.run_lock import LinkedFileError, RunLock, holder
from tests.support.replay_files import head, tick, write_records

FILES = (
    "settings.toml", "people.toml", "controls.toml", "games.json", "trusted.json", "ladder.sqlite", "notes.sqlite",
    "replays/good.json", "replays/bad.replay", "snapshots/bad/card.json", "snapshots/bad/policy.onnx",
    "tournaments/t/plan.json", "runs/r/config.toml", "runs/r/manifest.json", "runs/r/metrics.jsonl",
    "runs/r/endpoints.json", "runs/r/lock", "runs/s.json", "runs/r/checkpoints/00000001/sums.json",
    "runs/r/checkpoints/00000001/algorithm", "keys/secret.key", "keys/signing.key", f"keys/allowed/{'ab' * 32}",
    "online.json", "moments/house-volley/1-20260101-000000-000000.replay",
    "moments/house-volley/1-20260101-000000-000000.json",
)  # fmt: skip

READER = """
import resource, sys
from contextlib import suppress
from agents.errors import UserError
from agents.files import home
from agents.ladder.ladder import Ladder
from agents.seal import check_seal, is_sealed
from agents.snapshots.store import open_store
from agents.trust import read_trusted
from agents.wire.keys import Keys
from arcade.engine.input.bindings_file import load_changes
from arcade.recordings.library import RecordingLibrary
from arcade.session.match.slot_files import SlotFiles
from arcade.session.online.membership import Membership
from arcade.session.people import load_people
from arcade.session.player.favourites import open_shelf
from arcade.session.settings import load_settings
from arcade.session.training.resuming import find_risk
from arcade.session.training.run_files import read_run_files
from arcade.session.training.runs import find_newest, find_runs
from arcade.tournaments.plan import read_plan

if sys.platform == "linux":
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 600 * 2**20,) * 2)
run, recordings, keys = home() / "runs" / "r", RecordingLibrary(home() / "replays"), Keys()

def annotate():
    found, bad = recordings.list()
    assert [one.id for one in found] == ["good"], "the other recordings can be read"
    recordings.change(found[0], name="mine")
    assert recordings.get("good").card.name == "mine"

ALL = (
    load_settings, lambda: load_people(home() / "people.toml"), load_changes, open_shelf, read_trusted,
    lambda: Ladder(home() / "ladder.sqlite").results("house/volley"), annotate,
    lambda: open_store().list(), lambda: read_plan("t"), lambda: read_plan("newest"),
    lambda: find_runs(run.parent), lambda: find_newest(run.parent), lambda: read_run_files(run),
    lambda: find_risk(run), lambda: is_sealed(run / "checkpoints" / "00000001"),
    lambda: check_seal(run / "checkpoints" / "00000001"), keys.own, lambda: keys.admits(bytes(32)),
    Membership.read, lambda: SlotFiles("house/volley").list(),
)
for read in ALL:
    with suppress(UserError):  # it says what is wrong, and how to mend it
        read()
print("all read")
"""

WINDOW = """
import json, os, signal, sys, threading
home, opened = os.environ["ARCADE_HOME"] + os.sep, []

def note(event, words):
    path = os.fsdecode(words[0]) if event in ("open", "sqlite3.connect") and not isinstance(words[0], int) else ""
    if home in path:
        opened.append([path.partition(home)[2], threading.current_thread() is threading.main_thread()])

sys.addaudithook(note)
from arcade.session.services import Services
update, quiet = Services.update, [0]

def watched(services, now):
    update(services, now)
    quiet[0] = quiet[0] + 1 if services.ready and not services.worker.busy else 0
    if quiet[0] == 20:  # fewer than lie between two looks for a trainer
        os.kill(os.getpid(), signal.SIGTERM)

Services.update = watched
from pettingzoo_arcade import main
sys.argv = ["arcade", "play"]
try:
    main()
finally:
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))  # no earlier program's
    print(json.dumps([opened, int(peak.split()[1]) / 1024]))
"""


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**33)


HOSTILE = {
    "pipe": os.mkfifo,
    "endless device": lambda path: path.symlink_to("/dev/zero"),
    "full device": lambda path: path.symlink_to("/dev/full"),
    "lists in lists": lambda path: path.write_text("[" * 300_000),
    "maps in maps": lambda path: path.write_text('{"a":' * 200_000),
    "tables in tables": lambda path: path.write_text("a." * 2_000 + "a = 1"),
    "folder": Path.mkdir,
    "circle": lambda path: path.symlink_to(path),
    "eight gigabytes": sparse,
}


def spoil(home: Path, put: Callable[[Path], object]) -> None:
    """Put this in place of each file, beside one good recording."""
    for name in FILES:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        put(home / name)
    write_records(home / "replays" / "good.replay", [head(), tick(0)])


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices are files on POSIX alone")
@pytest.mark.parametrize("put", HOSTILE.values(), ids=HOSTILE.keys())
def test_every_file_may_be_anything(put, tmp_path, monkeypatch):
    spoil(tmp_path, put)
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", READER], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "all read" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the most memory of a program")
@pytest.mark.parametrize("kind", ["pipe", "eight gigabytes"])
def test_a_window_opens_and_reads_no_recording_graph_or_checkpoint(kind, tmp_path):
    spoil(tmp_path, HOSTILE[kind])
    own = {"ARCADE_HOME": str(tmp_path), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    command = [sys.executable, "-c", WINDOW]
    done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    opened, peak_mb = json.loads(done.stdout.splitlines()[-1])
    assert opened
    assert not [name for name, _ in opened if "checkpoints" in name or name.endswith((".replay", ".onnx", ".key"))]
    mine = {"settings.toml", "people.toml", "controls.toml", "games.json"}
    assert {name for name, by_window in opened if by_window} <= mine
    assert peak_mb < 500


@pytest.mark.skipif(os.name != "posix", reason="links need no rights on POSIX alone")
@pytest.mark.parametrize("name", ["lock", "metrics.jsonl", "tensorboard/events.out"])
def test_a_run_from_elsewhere_has_no_file_of_ours_written_over(name, tmp_path):
    (ours := tmp_path / "ours").write_text("mine")
    run = tmp_path / "run"
    (run / name).parent.mkdir(parents=True)
    (run / name).symlink_to(ours)
    with pytest.raises(LinkedFileError, match=(run / name).name):
        RunLock(run)
    assert (holder(run), ours.read_text()) == (0, "mine")
