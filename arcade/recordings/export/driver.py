"""Exports episodes as data sets, in one pass and bounded memory.

Everything is written into a hidden folder inside the target, and moved to its place when every data set is complete: a
kill never leaves something that looks like a data set, and the next export there deletes the remains.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from agents.closing import Closing
from agents.errors import UserError
from agents.files import flush
from agents.run_lock import LOCK_FILE, RunLock, holder
from agents.seats.controller import AgentID
from arcade.match.stage.local import LocalStage
from arcade.recordings.datasets.episodes import SeatEpisode, demo_episodes, seat_episodes
from arcade.recordings.datasets.joint import joint_episodes, joint_spaces
from arcade.recordings.export.data_set import DataSet, DataSetWriter
from arcade.recordings.export.formats import find_format
from arcade.recordings.export.matches import MatchWriter, write_matches
from arcade.recordings.library import Recording
from arcade.recordings.query import DatasetError, DatasetQuery

By = Literal["seat", "role", "match"]
BY: tuple[By, ...] = get_args(By)
"""A data set for each seat, for each role (seats whose names differ only in a number: archer_0, archer_1), or one for
all seats of a match together."""

SpacesOf = Callable[[SeatEpisode], tuple[Any, Any]]
"""Returns the observation space, without its mask, and the action space of an episode's seat."""

_PARTIAL = ".partial-"
_LOCK_SECONDS = 60.0  # within which an export that has begun locks its folder
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A data set that was written."""

    game: str
    name: str
    path: Path
    episodes: int
    steps: int


def export_episodes(
    episodes: Iterable[SeatEpisode], out: Path, *, writer: type[DataSetWriter], spaces_of: SpacesOf, by: By = "seat"
) -> list[Exported]:
    """Write all of them under `out`, one data set for each game and each seat or role.

    An episode of another shape than its data set, or of a game that is not installed, is skipped with a warning.
    Raises DatasetError for a data set that exists, for nothing to write, and for a full disk.
    """
    try:
        with _aside(out) as aside, _Sets(writer, spaces_of, by, aside=aside, out=out) as sets:
            for episode in episodes:
                sets.add(episode)
            written = sets.publish()
    except OSError as error:
        raise DatasetError(f"expected to write data sets to {out}, got: {error}") from error
    if not written:
        raise DatasetError(
            "expected recordings with decisions that count, got none; list them with: arcade recordings list"
        )
    return written


def export_recordings(
    recordings: Sequence[Recording],
    query: DatasetQuery,
    *,
    to: str,
    out: Path,
    by: str = "seat",
    on_recording: Callable[[Recording], None] = lambda recording: None,
) -> list[Exported]:
    """Write the decisions that `query` wants of recordings, given newest first, as data sets under the folder `out`.

    to: the name of an export format: minari, rllib, parquet, lerobot, npz, or one of an installed package; with pgn and
        sgf all moves of the recordings of chess or go, a text file a game.
    by: "seat" for a data set for each seat, "role" for one for all seats of a role, "match" for one whose episodes have
        all seats of a match in which `query` selects one.

    Raises as `export_episodes` does, and DatasetError for an unknown format or a missing library.
    """
    writer, way = check_format(to, by)
    if issubclass(writer, MatchWriter):
        return _export_matches(writer, recordings[::-1], out, on_recording)
    is_joint, by_id = way == "match", {one.id: one for one in recordings}

    @lru_cache(1)  # a match may have hundreds of seats
    def spaces_in(recording: str) -> Mapping[AgentID, tuple[Any, Any]]:
        with LocalStage(by_id[recording].replay().spec()) as stage:
            return stage.spaces

    def spaces_of(episode: SeatEpisode) -> tuple[Any, Any]:
        known = spaces_in(episode.recording)
        return joint_spaces(known, episode) if is_joint else known[episode.agent]

    read = joint_episodes if is_joint else seat_episodes
    episodes = demo_episodes(recordings[::-1], query, on_recording=on_recording, read=read)  # in the order of play
    return export_episodes(episodes, out, writer=writer, spaces_of=spaces_of, by=way)


def check_format(to: str, by: str) -> tuple[type[DataSetWriter] | type[MatchWriter], By]:
    """Return the writer of a format and the kind of data sets; raises as `export_recordings` does for wrong ones."""
    way = next((known for known in BY if known == by), None)
    if way is None:
        raise DatasetError(f"expected --by {', '.join(BY)}, got: {by!r}")
    writer = find_format(to)
    if way == "match" and not issubclass(writer, MatchWriter) and not writer.joint:
        raise DatasetError(f"expected --by seat or role for --to {to}, whose episodes have one agent, got: 'match'")
    return writer, way


def _export_matches(
    writer: type[MatchWriter], recordings: Sequence[Recording], out: Path, on_recording: Callable[[Recording], None]
) -> list[Exported]:
    try:
        with _aside(out) as aside:
            found = write_matches(writer, recordings, aside, on_recording)
            for place, _, _ in found.values():
                _check_free(out / place)
            for place, _, _ in found.values():
                flush(aside / place)
                (out / place).parent.mkdir(parents=True, exist_ok=True)
                os.rename(aside / place, out / place)
    except OSError as error:
        raise DatasetError(f"expected to write matches to {out}, got: {error}") from error
    return [
        Exported(game=game, name="matches", path=out / place, episodes=matches, steps=moves)
        for game, (place, matches, moves) in found.items()
    ]


def _check_free(target: Path) -> None:
    if target.exists():
        raise DatasetError(
            f"expected a new data set, got an existing one: {target}; move it away, or choose another --out"
        )


class _Sets(Closing):
    """The data sets of one export, each begun at its first episode."""

    def __init__(self, writer: type[DataSetWriter], spaces_of: SpacesOf, by: By, *, aside: Path, out: Path) -> None:
        self._writer, self._spaces_of, self._by, self._aside, self._out = writer, spaces_of, by, aside, out
        self._sets: dict[tuple[str, str], _Open] = {}

    def close(self) -> None:
        for one in self._sets.values():
            one.writer.abandon()

    def add(self, episode: SeatEpisode) -> None:
        """Append it to its data set."""
        key = episode.game, _data_set_name(episode, self._by)
        if key not in self._sets:
            try:
                spaces = self._spaces_of(episode)
            except UserError as error:
                _log.warning("skipped: recording %s: %s", episode.recording, error)
                return
            self._sets[key] = self._begin(episode, key[1], spaces)
        self._sets[key].add(episode)

    def publish(self) -> list[Exported]:
        """Finish all, then move them to their places."""
        whole = [one for one in self._sets.values() if one.episodes]
        for one in whole:
            one.writer.finish()
        return [one.publish(self._out) for one in whole]

    def _begin(self, first: SeatEpisode, name: str, spaces: tuple[Any, Any]) -> _Open:
        mask_size = 0 if first.action_masks is None else first.action_masks.shape[1]
        data = DataSet(
            game=first.game, name=name, observation_space=spaces[0], action_space=spaces[1], mask_size=mask_size
        )
        place = self._writer.prefix + data.path + self._writer.suffix
        path, target = self._aside / place, self._out / place
        for existing in (target, path):
            _check_free(existing)
        path.parent.mkdir(parents=True, exist_ok=True)
        return _Open(data, self._writer(path, data), path, target)


@dataclass
class _Open:
    """A data set under way."""

    data: DataSet
    writer: DataSetWriter
    aside: Path
    target: Path
    episodes: int = 0
    steps: int = 0

    def add(self, episode: SeatEpisode) -> None:
        try:
            fitted = self.data.fitted(episode)
        except DatasetError as error:
            _log.warning("skipped: %s", error)
            return
        self.writer.add(fitted)
        self.episodes += 1
        self.steps += len(fitted)

    def publish(self, out: Path) -> Exported:
        """Move it to its place below `out`, on the disk before and after."""
        for path in (*sorted(self.aside.rglob("*"), reverse=True), self.aside):  # a folder after its files
            flush(path)
        self.target.parent.mkdir(parents=True, exist_ok=True)
        os.rename(self.aside, self.target)
        for folder in self.target.relative_to(out).parents:
            flush(out / folder)
        return Exported(
            game=self.data.game, name=self.data.name, path=self.target, episodes=self.episodes, steps=self.steps
        )


def _data_set_name(episode: SeatEpisode, by: By) -> str:
    agent = str(episode.agent)
    stem, _, number = agent.rpartition("_")
    return stem if by == "role" and stem and number.isdigit() else agent


@contextmanager
def _aside(out: Path) -> Iterator[Path]:
    out.mkdir(parents=True, exist_ok=True)
    for left in out.glob(f"{_PARTIAL}*"):
        if (left / LOCK_FILE).exists():
            is_left = not holder(left)
        else:  # killed before it had a lock, unless it begins just now
            is_left = time.time() - left.stat().st_mtime > _LOCK_SECONDS
        if is_left:
            shutil.rmtree(left, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=out))
    lock = RunLock(aside)
    try:
        yield aside
    finally:
        lock.close()
        shutil.rmtree(aside, ignore_errors=True)
