"""Recordings, their cards, and what is made of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tests.support.write_paths.path import SavedTwicePath, WritePath

REPLAY = "house-volley-20260101-000000-000000-1.replay"


class CardPath(WritePath):
    """Name, tags and stars of a recording."""

    name = "recording card"

    def prepare(self, home: Path) -> None:
        from arcade.recordings.library import RecordingLibrary
        from tests.support.recorded import record

        record(home / "replays" / REPLAY, ticks=10)
        library = RecordingLibrary(home / "replays")
        library.change(library.get("latest"), name="a rally", rating=3)

    def write(self, home: Path) -> None:
        from arcade.recordings.library import RecordingLibrary

        library = RecordingLibrary(home / "replays")
        one = library.get("latest")
        library.tag(one, add=() if one.card.tags else ("fun",))

    def found(self, home: Path) -> Any:
        from arcade.recordings.library import RecordingLibrary

        library = RecordingLibrary(home / "replays")
        one = library.get("latest")
        assert not library.notices, library.notices
        assert len(one.replay().actions) == 10
        return [one.card.name, one.card.rating, list(one.card.tags)]


class NotesPath(WritePath):
    """The second copy of what people wrote on a recording."""

    name = "notes"
    is_flushed = False  # by SQLite, in its own way

    def prepare(self, home: Path) -> None:
        from arcade.recordings.notes import NotesBook

        NotesBook().write(home / "replays" / REPLAY, {"name": "a rally"})

    def write(self, home: Path) -> None:
        from arcade.recordings.notes import NotesBook

        NotesBook().write(home / "replays" / REPLAY, new := {"name": "the last rally"})
        if NotesBook().read(home / "replays" / REPLAY) != new:
            raise OSError("a second copy that cannot be written is logged")

    def found(self, home: Path) -> Any:
        from arcade.recordings.notes import NotesBook

        return NotesBook().read(home / "replays" / REPLAY)


class SavedMomentPath(SavedTwicePath):
    """A slot in which people save a moment of a game, and which had one before."""

    name = "saved moment"
    values = (10, 20)

    def save(self, home: Path, value: int) -> None:
        from arcade.session.match.slot_files import SlotCard, SlotFiles
        from tests.support.recorded import record

        recording = home.parent / f"{value}.replay"
        if not recording.exists():
            record(recording, ticks=value)
        SlotFiles("house/volley").write(1, SlotCard(tick=value), recording.read_bytes(), lambda path: None)

    def found(self, home: Path) -> Any:
        from arcade.match.playback.reader import read_replay
        from arcade.session.match.slot_files import SlotFiles

        slot = SlotFiles("house/volley").list()[1]
        return [slot.card.tick, len(read_replay(slot.path).actions)]


class TrashPath(CardPath):
    """A recording that is deleted, and restored when the arcade starts again."""

    name = "deleted recording"
    is_flushed = False

    def write(self, home: Path) -> None:
        from arcade.recordings.library import RecordingLibrary
        from arcade.recordings.trash import Trash

        library = RecordingLibrary(home / "replays")
        for one in library.list()[0]:
            Trash(library.folder).put(one)

    def found(self, home: Path) -> Any:
        from arcade.recordings import trash
        from arcade.recordings.library import RecordingLibrary

        trash.LOST_SECONDS = -1.0
        is_deleted = not (home / "replays" / REPLAY).exists()
        trash.Trash(home / "replays").recover()
        library = RecordingLibrary(home / "replays")
        one = library.get("latest")
        assert (one.card.name, one.card.rating) == ("a rally", 3), one.card
        if is_deleted:
            trash.Trash(home / "replays").put(one)
        return is_deleted


class RecordingPath(WritePath):
    """The file of a match while it is played: what was written before a crash stays, whole tick by whole tick."""

    name = "recording"

    def write(self, home: Path) -> None:
        from arcade.match.recording import compressed_file
        from tests.support.recorded import record

        compressed_file.BATCH_BYTES = 256  # many small writes
        path = home / "replays" / REPLAY
        path.unlink(missing_ok=True)
        record(path, ticks=40)
        if len(self._digests(path)) < 41:
            raise OSError("the writer says what is missing")

    def found(self, home: Path) -> Any:
        path = home / "replays" / REPLAY
        return self._digests(path) if path.exists() else []

    def _digests(self, path: Path) -> list[int]:
        from arcade.match.playback.reader import read_replay
        from arcade.match.playback.replay import ReplayError

        try:
            return read_replay(path).digests
        except ReplayError:  # it ends before its head
            return []

    def accepts(self, found: Any, old: Any, new: Any) -> bool:
        return bool(found == new[: len(found)])


def _rewards() -> Any:
    """A format with one file of few writes: NumPy's own writes one for each column first."""
    from arcade.recordings.export.data_set import DataSetWriter

    class Rewards(DataSetWriter):
        suffix = ".f64"

        def __init__(self, path: Path, data: Any) -> None:
            self._path = path

        def add(self, episode: Any) -> None:
            self._path.write_bytes(episode.rewards.tobytes())

        def finish(self) -> None:
            """It is written."""

    return Rewards


class DataSetPath(WritePath):
    """An export of recordings: the data set is there whole, or not at all."""

    name = "data set"

    def prepare(self, home: Path) -> None:
        from arcade.recordings.library import RecordingLibrary
        from tests.support.recorded import record

        record(home / "replays" / REPLAY, ticks=10)
        RecordingLibrary(home / "replays").list()  # writes the card

    def write(self, home: Path) -> None:
        from arcade.games import find_game
        from arcade.match.stage.local import LocalStage
        from arcade.recordings.datasets.episodes import demo_episodes
        from arcade.recordings.export.driver import export_episodes
        from arcade.recordings.library import RecordingLibrary
        from arcade.recordings.query import DatasetQuery

        shutil.rmtree(home / "out" / "house", ignore_errors=True)
        episodes = demo_episodes(RecordingLibrary(home / "replays").list()[0], DatasetQuery(seat="left_0"))
        with LocalStage(find_game("house/volley")) as stage:
            export_episodes(episodes, home / "out", writer=_rewards(), spaces_of=lambda one: stage.spaces[one.agent])

    def found(self, home: Path) -> Any:
        return [path.stat().st_size for path in (home / "out" / "house").rglob("*.f64")]


class VideoPath(SavedTwicePath):
    """A video in place of an older one."""

    name = "video"
    values = (2, 4)

    def save(self, home: Path, value: int) -> None:
        from arcade.engine.capture import open_video, raw_pictures

        with open_video(home / "film.gif", raw_pictures((16, 16)), fps=10) as add:
            for number in range(value):
                add(bytes([40 * number]) * 16 * 16 * 4)

    def found(self, home: Path) -> Any:
        from PIL import Image

        with Image.open(home / "film.gif") as film:
            frames = getattr(film, "n_frames", 1)
            film.seek(frames - 1)
            film.load()
        return frames
