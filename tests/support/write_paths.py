"""What the arcade writes to disk, each with how to read it again: the table of the crash tests."""

from __future__ import annotations

import json
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

REPLAY = "house-volley-20260101-000000-000000-1.replay"


class WritePath(ABC):
    """One kind of file; every method runs in a process of its own, with ``ARCADE_HOME`` at `home`."""

    name: str
    heavy = False
    """Whether it needs torch."""

    is_flushed = True
    """Whether what is renamed must be on the disk before `write` ends; False: forgetting it loses nothing."""

    def prepare(self, home: Path) -> None:  # noqa: B027  (some begin with nothing)
        """Write what is there before."""

    @abstractmethod
    def write(self, home: Path) -> None:
        """The write under test; another time it has the same result."""

    @abstractmethod
    def found(self, home: Path) -> Any:
        """What the next start reads, as JSON; raises for what is torn."""

    def accepts(self, found: Any, old: Any, new: Any) -> bool:
        """Whether that may be there after a crash."""
        return found in (old, new)


class SettingsPath(WritePath):
    name = "settings"

    def prepare(self, home: Path) -> None:
        from arcade.session.settings import Settings, save_settings

        save_settings(Settings(fullscreen=False))

    def write(self, home: Path) -> None:
        from arcade.session.settings import Settings, save_settings

        save_settings(Settings(fullscreen=True))

    def found(self, home: Path) -> Any:
        from arcade.session.settings import load_settings

        settings, warning = load_settings()
        assert not warning, warning
        return settings.fullscreen


class PeoplePath(WritePath):
    name = "people"

    def prepare(self, home: Path) -> None:
        self._save(home, "Ann")

    def write(self, home: Path) -> None:
        self._save(home, "Ann", "Bob")

    def _save(self, home: Path, *names: str) -> None:
        from arcade.session.people import Person, save_people

        save_people(tuple(map(Person, names)), home / "people.toml")

    def found(self, home: Path) -> Any:
        from arcade.session.people import load_people

        people, warning = load_people(home / "people.toml")
        assert not warning, warning
        return [person.name for person in people]


class TrustedWordsPath(WritePath):
    name = "trusted words"

    def prepare(self, home: Path) -> None:
        from agents.trust import note

        note("uci:one", id="", place="/one")

    def write(self, home: Path) -> None:
        from agents.trust import note

        note("uci:two", id="", place="/two")

    def found(self, home: Path) -> Any:
        from agents.trust import read_trusted

        return sorted(read_trusted())


class SecretPath(WritePath):
    name = "secret"

    def write(self, home: Path) -> None:
        from agents.files.private import keys_folder, read_private

        read_private(keys_folder() / "signing", lambda: bytes(32))

    def found(self, home: Path) -> Any:
        path = home / "keys" / "signing"
        return path.read_bytes().hex() if path.exists() else None


class SnapshotPath(WritePath):
    name = "snapshot"

    def prepare(self, home: Path) -> None:
        self._save("first")

    def write(self, home: Path) -> None:
        self._save("second")

    def _save(self, name: str) -> None:
        from agents.snapshots.store import open_store
        from tests.support.tiny_policies import build_policy, make_card

        open_store().save(make_card(name), build_policy())

    def found(self, home: Path) -> Any:
        from agents.snapshots.store import SnapshotStore

        store = SnapshotStore(home / "snapshots")
        names = [card.name for card in store.list()]
        assert all(store.is_whole(name) for name in names), store.refused
        assert not store.refused, store.refused
        return names


class LadderPath(WritePath):
    name = "ladder"
    rates = True

    def prepare(self, home: Path) -> None:
        self._add(home, "one")

    def write(self, home: Path) -> None:
        self._add(home, "two")

    def _add(self, home: Path, key: str) -> None:
        from agents.ladder.ladder import Ladder
        from tests.support.ladder_rows import duel

        with Ladder(home / "ladder.sqlite") as ladder:
            ladder.add(duel("Ann", "Bob"), key=key)
            if self.rates:
                ladder.rating("house/volley", "Ann")

    def found(self, home: Path) -> Any:
        import sqlite3

        from agents.ladder.ladder import Ladder

        with Ladder(home / "ladder.sqlite") as ladder:
            assert not ladder.notice, ladder.notice
            keys = [row["key"] for row in ladder.results("house/volley")]
        connection = sqlite3.connect(home / "ladder.sqlite")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
        return keys


class NewLadderPath(LadderPath):
    """The same where there is no file yet."""

    name = "new ladder"
    rates = False

    def prepare(self, home: Path) -> None:
        """Nothing."""


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


class _Algorithm:
    """Saves one file, as RLlib does with its own."""

    class env_runner_group:
        @staticmethod
        def foreach_env_runner(_: Any, **limits: Any) -> Sequence[Any]:
            return []

    @staticmethod
    def save_to_path(path: Path) -> None:
        path.mkdir()
        (path / "algorithm_state.pkl").write_bytes(bytes(5000))


class CheckpointPath(WritePath):
    name = "checkpoint"
    heavy = True

    def prepare(self, home: Path) -> None:
        for number in range(2):
            self._save(home, number)

    def write(self, home: Path) -> None:
        self._save(home, 2)

    def _save(self, home: Path, number: int) -> None:
        from trainer.runs.checkpoint import CheckpointFolder

        CheckpointFolder(home / "checkpoints", keep_last=2).save(_Algorithm, {"number": number}, step=number)

    def found(self, home: Path) -> Any:
        from agents.seal import check_seal
        from trainer.runs.checkpoint import CheckpointFolder, read_state

        folder = CheckpointFolder(home / "checkpoints")
        newest, before, *_ = folder.newest_first()
        for path in (newest, before):
            check_seal(path)
        return read_state(newest)["number"]


class MetricsPath(WritePath):
    """Metrics of a run, which a resume cuts back to its checkpoint."""

    name = "metrics"
    heavy = True

    def prepare(self, home: Path) -> None:
        (home / "metrics.jsonl").write_text('{"step": 1}\n{"step": 2}\n{"step": 3}\n{"st')

    def write(self, home: Path) -> None:
        from trainer.runs.run_folder import RunFolder

        folder = object.__new__(RunFolder)  # without TensorBoard's own files
        folder.path = home
        folder.trim(2)

    def found(self, home: Path) -> Any:
        return (home / "metrics.jsonl").read_text("utf-8")


class FavouritesPath(WritePath):
    name = "favourites"

    def prepare(self, home: Path) -> None:
        self._save(home, "house/volley")

    def write(self, home: Path) -> None:
        self._save(home, "house/volley", "classic/chess_v6")

    def _save(self, home: Path, *games: str) -> None:
        from arcade.session.player.favourites import ShelvedGames, save_shelf

        save_shelf(ShelvedGames(favourites=games), home / "games.json")

    def found(self, home: Path) -> Any:
        from arcade.session.player.favourites import load_shelf

        games, warning = load_shelf(home / "games.json")
        assert not warning, warning
        return list(games.favourites)


class TournamentPath(WritePath):
    """The plan of a new tournament; its matches go on the ladder, one by one."""

    name = "tournament"

    def prepare(self, home: Path) -> None:
        self._write("first")

    def write(self, home: Path) -> None:
        self._write("second")

    def _write(self, id: str) -> None:
        from contextlib import suppress

        from arcade.tournaments.pairings import Entrant, TournamentError
        from arcade.tournaments.plan import TournamentPlan, write_plan

        entrants = tuple(Entrant(word=word, label=word, sides=(0, 1)) for word in ("random", "scripted"))
        with suppress(TournamentError):  # it is there
            write_plan(TournamentPlan(id=id, game="house/volley", entrants=entrants))

    def found(self, home: Path) -> Any:
        from arcade.tournaments.plan import NEWEST, read_plan

        plans = sorted(path.parent.name for path in (home / "tournaments").glob("*/plan.json"))
        assert all(len(read_plan(name).entrants) == 2 for name in plans)
        assert read_plan(NEWEST).id in plans
        return plans


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


class VideoPath(WritePath):
    """A video in place of an older one."""

    name = "video"

    def prepare(self, home: Path) -> None:
        self._write(home, 2)

    def write(self, home: Path) -> None:
        self._write(home, 4)

    def _write(self, home: Path, pictures: int) -> None:
        from arcade.engine.capture import open_video, raw_pictures

        with open_video(home / "film.gif", raw_pictures((16, 16)), fps=10) as add:
            for number in range(pictures):
                add(bytes([40 * number]) * 16 * 16 * 4)

    def found(self, home: Path) -> Any:
        from PIL import Image

        with Image.open(home / "film.gif") as film:
            frames = getattr(film, "n_frames", 1)
            film.seek(frames - 1)
            film.load()
        return frames


class ManifestPath(WritePath):
    """The manifest of a run."""

    name = "manifest"
    heavy = True

    def prepare(self, home: Path) -> None:
        self._write(home, 1)

    def write(self, home: Path) -> None:
        self._write(home, 2)

    def _write(self, home: Path, step: int) -> None:
        from trainer.runs.run_folder import RunFolder

        folder = object.__new__(RunFolder)  # without TensorBoard's own files
        folder.path, folder._began = home / "run", 0.0
        folder.path.mkdir(exist_ok=True)
        folder._manifest = {"results": {}, "sessions": [{}]}
        folder.note({"step": step})

    def found(self, home: Path) -> Any:
        return json.loads((home / "run" / "manifest.json").read_text())["results"]["step"]


class InPlacePath(WritePath):
    """Wrong on purpose: writes over the file that is there."""

    name = "in place"

    def prepare(self, home: Path) -> None:
        (home / "a.json").write_text(json.dumps("old"))

    def write(self, home: Path) -> None:
        (home / "a.json").write_text(json.dumps("new"))

    def found(self, home: Path) -> Any:
        return json.loads((home / "a.json").read_text())


class UnflushedPath(InPlacePath):
    """Wrong on purpose: renames what may not be on the disk."""

    name = "unflushed"

    def write(self, home: Path) -> None:
        (home / "a.json.part").write_text(json.dumps("new"))
        os.replace(home / "a.json.part", home / "a.json")


class LitteringPath(InPlacePath):
    """Wrong on purpose: nobody removes what a killed writer leaves."""

    name = "littering"

    def write(self, home: Path) -> None:
        from agents.files import flush

        aside = home / f"a.{os.getpid()}.part"
        aside.write_text(json.dumps("new"))
        flush(aside)
        os.replace(aside, home / "a.json")
        flush(home)


class ForgetfulPath(InPlacePath):
    """Wrong on purpose: says nothing of a disk that is full."""

    name = "forgetful"

    def write(self, home: Path) -> None:
        from contextlib import suppress

        from agents.files import replace_file

        with suppress(OSError):
            replace_file(home / "a.json", json.dumps("new"))


WRITE_PATHS: Sequence[WritePath] = (
    SettingsPath(), PeoplePath(), TrustedWordsPath(), SecretPath(), SnapshotPath(), LadderPath(), NewLadderPath(),
    CardPath(), TrashPath(), RecordingPath(), FavouritesPath(), TournamentPath(), DataSetPath(), VideoPath(),
    CheckpointPath(), MetricsPath(), ManifestPath(),
)  # fmt: skip
WRONG_PATHS: Sequence[WritePath] = (InPlacePath(), UnflushedPath(), LitteringPath(), ForgetfulPath())
