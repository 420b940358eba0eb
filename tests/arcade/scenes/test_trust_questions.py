"""What comes from elsewhere runs in the window only after a question that shows it; keyboard, pad and mouse answer."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from agents.files import home
from agents.seats.controller import SeatChoice
from agents.snapshots.store import SnapshotStore
from agents.trust import read_trusted
from arcade.engine.input.events import TextInput
from arcade.engine.ui.texts import Paragraph
from arcade.scenes import routes
from arcade.session.settings import Settings
from tests.support.foreign_games import GAME, MODULE, receive
from tests.support.open_arcade import OpenArcade
from tests.support.small_snapshots import save_connect_four_snapshot, save_volley_snapshot
from tests.support.volley_snapshots import freeze

MODULE_OF_A_FRIEND = """
from pathlib import Path
Path({marker!r}).touch()

def play(observation, action_mask):
    return 0
"""
WORD = "python:of_a_friend:play"


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is there once a seat of the last match, as a file has it, was imported."""
    marker = tmp_path / "imported"
    (tmp_path / "of_a_friend.py").write_text(MODULE_OF_A_FRIEND.format(marker=str(marker)))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "of_a_friend", raising=False)
    games = {"favourites": [], "recent": ["house/volley"], "seats": {"left_0": "keyboard", "right_0": WORD}}
    (home() / "games.json").write_text(json.dumps(games))
    return marker


def shown(sitting: OpenArcade) -> str:
    return " ".join(widget.label for widget in sitting.engine.scene.tree.walk() if isinstance(widget, Paragraph))


def until_asked(sitting: OpenArcade) -> None:
    sitting.until(lambda: sitting.on in ("ConfirmScene", "MatchScene"), "the question")
    assert sitting.on == "ConfirmScene"


def until_match(sitting: OpenArcade) -> dict[str, SeatChoice]:
    sitting.until(lambda: sitting.on == "MatchScene" and sitting.engine.scene.match is not None, "the match")
    return sitting.engine.scene.session.lineup


def test_a_snapshot_from_somebody_else_gets_the_seat_that_it_was_chosen_for(sit, keyboard, tmp_path) -> None:
    save_volley_snapshot(SnapshotStore(tmp_path / "of a friend"), "from-ann")
    sitting = sit()
    sitting.engine.push(routes.Seats(sitting.library.find("house/volley")))
    seats, hand = sitting.engine.scene, keyboard(sitting)
    hand.choose("Right")
    for folder, scene in (("nowhere", "SeatPickerScene"), ("from-ann", "SeatsScene")):
        hand.pick("Add a snapshot from a folder …")
        sitting.until(lambda: sitting.on == "TextEntryScene", "the question for the folder")
        sitting.engine.feed(TextInput(str(tmp_path / "of a friend" / folder)))
        hand.press("accept")
        sitting.until(lambda: sitting.engine.toasts.messages, "what became of it")
        assert sitting.on == scene
        sitting.engine.toasts.forget()
    assert seats.seating.lineup["right_0"] == SeatChoice("snapshot", "from-ann")


def test_why_a_snapshot_is_not_added_is_told_in_german(sit, keyboard, tmp_path) -> None:
    friend = tmp_path / "of a friend"
    save_volley_snapshot(SnapshotStore(friend), "from-ann")
    save_connect_four_snapshot(SnapshotStore(friend), "drops")
    shutil.copytree(friend / "from-ann", friend / "other name")
    shutil.copytree(friend / "from-ann", tmp_path / "cut" / "from-ann")
    onnx = tmp_path / "cut" / "from-ann" / "policy.onnx"
    onnx.write_bytes(onnx.read_bytes()[:-9])
    sitting = sit({"settings": Settings(language="de", reduce_motion=True)})
    sitting.engine.push(routes.Seats(sitting.library.find("house/volley")))
    hand = keyboard(sitting)
    hand.choose("Rechts")
    for folder, told in (
        (friend / "nowhere", "Der KI-Stand nowhere wurde nicht hinzugefügt: dort ist kein KI-Stand"),
        (friend / "drops", "Der KI-Stand drops wurde nicht hinzugefügt: er ist für ein anderes Spiel"),
        (friend / "other name", "nicht hinzugefügt: sein Ordner heißt anders als der KI-Stand darin"),
        (tmp_path / "cut" / "from-ann", "nicht hinzugefügt: er ist unvollständig oder beschädigt"),
        (friend / "from-ann", "Volley, from-ann ist jetzt unter deinen KI-Ständen"),
    ):
        hand.pick("Einen KI-Stand aus einem Ordner hinzufügen …")
        sitting.until(lambda: sitting.on == "TextEntryScene", "the question for the folder")
        sitting.engine.feed(TextInput(str(folder)))
        hand.press("accept")
        sitting.until(lambda: sitting.engine.toasts.messages, "what became of it")
        assert told in sitting.engine.toasts.messages[-1]
        sitting.engine.toasts.forget()


def test_a_snapshot_among_the_downloads_is_offered(sit, keyboard, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("agents.snapshots.usual_folders.platformdirs.user_downloads_dir", lambda: str(tmp_path))
    save_volley_snapshot(SnapshotStore(tmp_path / "of a friend"), "from-ann")
    sitting = sit()
    sitting.engine.push(routes.Seats(sitting.library.find("house/volley")))
    seats, hand = sitting.engine.scene, keyboard(sitting)
    hand.choose("Right")
    hand.pick("Add a snapshot from a folder …")
    sitting.until(lambda: sitting.on == "PickScene", "what was found")
    hand.press("accept")
    sitting.until(lambda: sitting.on == "SeatsScene", "the snapshot in the seat")
    assert seats.seating.lineup["right_0"] == SeatChoice("snapshot", "from-ann")


def test_a_seat_that_a_file_names_runs_after_a_yes_and_is_not_asked_about_again(sit, make_hand, marker) -> None:
    sitting = sit()
    hand = make_hand(sitting)
    hand.choose("Play Volley again")
    until_asked(sitting)
    assert f"Python code: of_a_friend:play ({marker.parent / 'of_a_friend.py'})" in shown(sitting)
    hand.choose("Back")
    sitting.until(lambda: sitting.on == "TitleScene", "home")
    assert not marker.exists()
    hand.choose("Play Volley again")
    until_asked(sitting)
    assert not marker.exists()
    hand.choose("Trust and play")
    assert str(until_match(sitting)["right_0"]) == WORD
    assert marker.exists()
    sitting.engine.reset_to(routes.Title())
    hand.choose("Play Volley again")
    until_match(sitting)


def test_a_seat_that_is_declined_is_played_by_another(sit, mouse, marker) -> None:
    sitting = sit()
    hand = mouse(sitting)
    hand.choose("Play Volley again")
    until_asked(sitting)
    hand.choose("Play against others")
    assert until_match(sitting)["right_0"].kind == "level"
    assert not marker.exists()
    assert not read_trusted()


def test_the_page_of_the_game_asks_too(sit, keyboard, marker) -> None:
    sitting = sit()
    sitting.engine.push(routes.Game(sitting.library.featured))
    keyboard(sitting).choose("Play")
    until_asked(sitting)
    assert not marker.exists()


def children_with_limits() -> int:
    """Our children that run the graph of a snapshot from elsewhere."""
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line, limits = (folder / "cmdline").read_bytes(), (folder / "limits").read_text()
            is_ours = int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == os_id()
        except OSError:
            continue
        address_space = limits.partition("Max address space")[2].split()[0]
        found += is_ours and b"agents.snapshots.child" in line and address_space != "unlimited"
    return found


def os_id() -> int:
    return int(Path("/proc/self").resolve().name)


@pytest.fixture
def gift() -> str:
    """A snapshot that was not made on this machine."""
    freeze("gift", action=0)
    shutil.rmtree(home() / "trusted")
    return "gift"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are counted in /proc")
def test_a_snapshot_from_elsewhere_plays_with_limits_until_it_is_trusted(sit, pad, gift) -> None:
    sitting = sit()
    hand, spec = pad(sitting), sitting.library.featured
    listed: list[bool] = []
    sitting.library.refresh_snapshots(spec.id, done=lambda: listed.append(True))
    sitting.until(lambda: listed, "the snapshots")
    lineup = {"left_0": SeatChoice("keyboard"), "right_0": SeatChoice("snapshot", gift)}
    sitting.services.shelf.note_played(spec.id, lineup)

    def begin(answer: str) -> None:
        sitting.engine.reset_to(routes.Title())
        hand.choose("Play Volley again")
        if answer:
            until_asked(sitting)
            assert "SHA-256" in shown(sitting)
            hand.choose(answer)
        until_match(sitting)
        sitting.until(lambda: (tick := sitting.engine.scene.match.tick) is not None and tick.index > 2, "play")

    begin("Play with limits")
    assert children_with_limits() == 1
    begin("")  # it is not asked about twice
    sitting.services.setup.limited.clear()
    begin("Trust and play")
    sitting.until(lambda: children_with_limits() == 0, "play in our own process")
    begin("")


def test_a_recording_of_a_game_of_a_stranger_shows_what_it_would_run(sit, pad, tmp_path, monkeypatch) -> None:
    received = receive(tmp_path, monkeypatch)
    sitting = sit()
    hand = pad(sitting)
    sitting.engine.push(routes.Replay(received.recording))
    sitting.until(lambda: sitting.engine.scene.loading.trouble, "the refusal")
    hand.choose("Look at the game")
    until_asked(sitting)
    assert f"Python code: {GAME} ({tmp_path / MODULE}.py)" in shown(sitting)
    hand.choose("No")
    assert not received.mark.exists()
    hand.choose("Look at the game")
    hand.choose("Trust and show")
    sitting.until(lambda: sitting.engine.scene.ready, "the recording")
    assert received.mark.exists()
