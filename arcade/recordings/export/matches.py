"""MatchWriter: the contract of formats that have a whole match as one text, such as PGN; writes files of them."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from agents.errors import UserError
from arcade.match.playback.replay import Replay
from arcade.recordings.card import RecordingCard
from arcade.recordings.library import Recording
from arcade.recordings.query import DatasetError

_log = logging.getLogger(__name__)


class MatchWriter(ABC):
    """Writes the matches of a game into one text file, in the order of play."""

    games: ClassVar[tuple[str, ...]]  # catalogue ids of the games that the format knows
    suffix: ClassVar[str]  # of the file
    libraries: ClassVar[tuple[str, ...]] = ()  # modules that it imports and a plain installation lacks
    extra: ClassVar[str] = "data"  # the optional dependency of ours that installs them

    @staticmethod
    @abstractmethod
    def text(replay: Replay, card: RecordingCard) -> str:
        """Return one match as text that ends with a line break; raises UserError for one that is not of the game."""


def write_matches(
    writer: type[MatchWriter], recordings: Sequence[Recording], aside: Path,
    on_recording: Callable[[Recording], None],
) -> dict[str, tuple[Path, int, int]]:  # fmt: skip
    """Write a file for each game into `aside`; return its place there, its matches and their moves, by game.

    A recording of another game, or one that cannot be read, is skipped with a warning.  Raises DatasetError where
    nothing is left.
    """
    found: dict[str, tuple[Path, int, int]] = {}
    for recording in recordings:
        game = recording.card.game
        try:
            if game not in writer.games:
                raise DatasetError(f"expected a match of {' or '.join(writer.games)}, got: {game}")
            replay = recording.replay()
            text = writer.text(replay, recording.card)
        except UserError as error:
            _log.warning("skipped: recording %s: %s", recording.id, error)
            continue
        place, matches, moves = found.get(game, (Path(f"{game}{writer.suffix}"), 0, 0))
        (aside / place).parent.mkdir(parents=True, exist_ok=True)
        with open(aside / place, "a", encoding="utf-8", newline="\n") as file:
            file.write(text)
        found[game] = place, matches + 1, moves + len(replay.actions)
        on_recording(recording)
    if not found:
        raise DatasetError(f"expected recordings of {' or '.join(writer.games)}, got none that can be written")
    return found


def result_of(replay: Replay, agents: Sequence[object]) -> tuple[float, float] | None:
    """Return the points of the first and the second of two sides, 1, 0.5 or 0; None where the match has no result."""
    result = replay.result
    if result is None or result["ended"] in ("quit", "failed"):
        return None
    first, second = (result["placements"].get(str(agent)) for agent in agents[:2])
    if not (isinstance(first, int) and isinstance(second, int)):
        return None
    points = 0.5 if first == second else float(first < second)
    return points, 1 - points
