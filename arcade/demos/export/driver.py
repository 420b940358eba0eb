"""Exporting: from episodes to finished data sets, in one pass and bounded memory.

All is written into a hidden folder inside the one asked for, and moved to its place when every data set is whole: what
a kill leaves behind never looks like a data set, and goes when the next export begins there.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from arcade.demos.episodes import SeatEpisode
from arcade.demos.export.data_set import DataSet, DataSetWriter
from arcade.demos.query import DemoError
from arcade.run_lock import LOCK_FILE, RunLock, holder

By = Literal["seat", "role"]
BY: tuple[str, ...] = get_args(By)
"""A data set for each seat, or for all seats whose names differ in a number alone (archer_0, archer_1: archer)."""

SpacesOf = Callable[[SeatEpisode], tuple[object, object]]
"""The observation space without its mask, and the action space, of an episode's seat."""

_PARTIAL = ".partial-"
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

    An episode that does not fit the others of its data set is named in a warning and left out.  Raises DemoError for
    a data set that is there already, and where there is nothing to write.
    """
    with _aside(out) as aside:
        open_sets: dict[tuple[str, str], _Open] = {}
        try:
            for episode in episodes:
                key = episode.game, _name(episode, by)
                if key not in open_sets:
                    open_sets[key] = _begin(episode, key[1], spaces_of, writer, aside=aside, out=out)
                open_sets[key].take(episode)
            whole = [one for one in open_sets.values() if one.episodes]
            for one in whole:
                one.writer.finish()
        except BaseException:
            for one in open_sets.values():
                one.writer.abandon()
            raise
        written = [one.publish() for one in whole]
    if not written:
        raise DemoError("expected takes with decisions that count, got none; `arcade demos list` shows what there is")
    return written


@dataclass
class _Open:
    """A data set under way."""

    data: DataSet
    writer: DataSetWriter
    aside: Path
    target: Path
    episodes: int = 0
    steps: int = 0

    def take(self, episode: SeatEpisode) -> None:
        try:
            fitted = self.data.fitted(episode)
        except DemoError as error:
            _log.warning("left out: %s", error)
            return
        self.writer.add(fitted)
        self.episodes += 1
        self.steps += len(fitted)

    def publish(self) -> Exported:
        for path in self.aside.rglob("*") if self.aside.is_dir() else [self.aside]:
            if path.is_file():
                _flush(path)
        self.target.parent.mkdir(parents=True, exist_ok=True)
        os.rename(self.aside, self.target)
        return Exported(
            game=self.data.game, name=self.data.name, path=self.target, episodes=self.episodes, steps=self.steps
        )


def _begin(
    first: SeatEpisode, name: str, spaces_of: SpacesOf, make: type[DataSetWriter], *, aside: Path, out: Path
) -> _Open:
    seen, action = spaces_of(first)
    masks = first.action_masks
    data = DataSet(
        game=first.game, name=name, observation_space=seen, action_space=action,
        mask_size=0 if masks is None else masks.shape[1],
    )  # fmt: skip
    place = make.prefix + data.path + make.suffix
    path, target = aside / place, out / place
    if target.exists() or path.exists():
        raise DemoError(
            f"expected a new data set, got one that is there: {target}; move it away, or choose another --out"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    return _Open(data, make(path, data), path, target)


def _name(episode: SeatEpisode, by: By) -> str:
    agent = str(episode.agent)
    stem, _, number = agent.rpartition("_")
    return stem if by == "role" and stem and number.isdigit() else agent


@contextmanager
def _aside(out: Path) -> Iterator[Path]:
    out.mkdir(parents=True, exist_ok=True)
    for left in out.glob(f"{_PARTIAL}*"):
        if (left / LOCK_FILE).exists() and not holder(left):
            shutil.rmtree(left, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=out))
    lock = RunLock(aside)
    try:
        yield aside
    finally:
        lock.release()
        shutil.rmtree(aside, ignore_errors=True)


def _flush(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())
