"""The order for a clone: the decisions to imitate, and how.  Imports no torch, so that errors come at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agents.snapshots.card import check_name
from arcade.games.spec import GameSpec
from arcade.match.playback.replay import RecordingSource
from arcade.recordings.library import Recording
from arcade.recordings.query import DatasetQuery
from trainer.config import ConfigError
from trainer.imitation.settings import ImitationSettings


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The decisions of a query and, with `corrected`, the matches in which people took over from that snapshot.

    The snapshot's own decisions in these matches count too, since the person accepted them.  A query without a player
    then selects these matches alone.
    """

    query: DatasetQuery
    corrected: str = ""

    def seats(self, recording: Recording) -> tuple[str, ...]:
        """The agents of a recording whose decisions count, as text."""
        if not self.corrected:
            return self.query.seats(recording)
        asked = () if self._any_player else self.query.seats(recording)
        return tuple(dict.fromkeys((*asked, *self._corrected_seats(recording))))

    def includes(self, source: RecordingSource) -> bool:
        """Whether what `source` decided counts."""
        if self.corrected and not source.takeover and source.snapshot == self.corrected:
            return True
        return self.query.wants(source) and (source.takeover or not self.corrected or not self._any_player)

    @property
    def _any_player(self) -> bool:
        return not (self.query.person or self.query.label or self.query.kind)

    def _corrected_seats(self, recording: Recording) -> tuple[str, ...]:
        if not recording.card.takeovers or not replace(self.query, person="", label="", kind="").seats(recording):
            return ()
        sources = recording.replay().sources
        theirs = {source.agent for source in sources if source.snapshot == self.corrected}
        return tuple(sorted(theirs & {source.agent for source in sources if source.takeover}))


@dataclass(frozen=True, kw_only=True)
class Order:
    """A clone to make."""

    spec: GameSpec
    selection: Selection
    settings: ImitationSettings
    layers: dict[str, Any]  # sections `network` and `wrappers` of a run's settings, where given
    start: str = ""  # the snapshot to start from, "" for none
    name: str = ""  # of the snapshot; "": clone-PLAYER-NUMBER
    command: str = ""  # for the card

    def __post_init__(self) -> None:
        try:
            check_name(self.name or "free")
        except ValueError as error:
            raise ConfigError(f"--name: {error}") from None

    @property
    def parent(self) -> str:
        """The snapshot to start from; corrections start from the corrected one."""
        return self.start or self.selection.corrected
