"""DatasetQuery: selects seats and decisions of recordings as data; `held_out` splits off a validation set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, get_args

from agents.errors import UserError
from arcade.match.playback.replay import ReplayController
from arcade.recordings.card import Outcome

if TYPE_CHECKING:
    from arcade.match.play.result import RecordingSource
    from arcade.recordings.card import RecordingCard
    from arcade.recordings.library import Recording

TakeoverWord = Literal["", "only", "without"]


class DatasetError(UserError):
    """A contradictory query, or one without a match."""


@dataclass(frozen=True, kw_only=True)
class DatasetQuery:
    """All given conditions must hold; "", () and None are no condition.

    `seats` reads cards alone.  In a seat that changed hands, `wants` selects the decisions that count.
    """

    game: str = ""  # catalogue id
    recordings: tuple[str, ...] = ()  # ids or names, any of them
    person: str = ""  # the player's name in the recording
    seat: str = ""  # pattern of the agent id: archer_*
    kind: str = ""  # of the seat word: keyboard, snapshot, scripted …
    label: str = ""  # pattern of the player's label: volley-*
    outcome: Outcome = ""  # for the seat
    min_return: float | None = None  # of the seat, over the whole match
    max_return: float | None = None
    takeover: TakeoverWord = ""  # only: decisions of people who took over from AI; without: all others
    tag: str = ""
    min_rating: int = 0  # stars, 0 to 5

    def __post_init__(self) -> None:
        _check("outcome", self.outcome, get_args(Outcome))
        _check("takeover", self.takeover, get_args(TakeoverWord))
        if not 0 <= self.min_rating <= 5:
            raise DatasetError(f"expected 0 <= min_rating <= 5, got: {self.min_rating}")
        if self.min_return is not None and self.max_return is not None and self.min_return > self.max_return:
            raise DatasetError(f"expected min_return <= max_return, got: {self.min_return:g} > {self.max_return:g}")

    def filter(self, recordings: Iterable[Recording]) -> list[Recording]:
        """The recordings with a selected seat; an empty query keeps all, also those without players."""
        return [one for one in recordings if self == DatasetQuery() or self.seats(one)]

    def seats(self, recording: Recording) -> tuple[str, ...]:
        """The selected agents of a recording, as text."""
        card = recording.card
        if not self._matches(card):
            return ()
        return tuple(agent for agent in card.lineup if self._counts(card, agent))

    def wants(self, source: RecordingSource) -> bool:
        """Whether the decisions of `source` count; those of a replayed seat only for the kind "replay"."""
        if source.kind == ReplayController.kind != self.kind:
            return False
        return self._fits(source.label, source.kind, source.person, source.takeover)

    def _fits(self, label: str, kind: str, person: str, takeover: bool) -> bool:
        return (
            self.takeover in ("", "only" if takeover else "without")
            and self.person in ("", person)
            and self.kind in ("", kind)
            and (not self.label or fnmatchcase(label, self.label))
        )

    def _matches(self, card: RecordingCard) -> bool:
        named = not self.recordings or card.id in self.recordings or (card.name != "" and card.name in self.recordings)
        return (
            named
            and self.game in ("", card.game)
            and (not self.tag or self.tag in card.tags)
            and card.rating >= self.min_rating
        )

    def _counts(self, card: RecordingCard, agent: str) -> bool:
        total = card.returns.get(agent, 0.0)
        return (
            (not self.seat or fnmatchcase(agent, self.seat))
            and self.outcome in ("", card.outcome(agent))
            and (self.min_return is None or total >= self.min_return)
            and (self.max_return is None or total <= self.max_return)
            and any(self._fits(*decider) for decider in card.deciders.get(agent, ()))
        )


def _check(field: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise DatasetError(f"expected {field} to be one of {', '.join(filter(None, known))}, got: {word!r}")


HELD_OUT = 0.2
"""Average share of the recordings that is held out."""


def held_out(seeds: Mapping[str, int], *, share: float = HELD_OUT) -> frozenset[str]:
    """Return the held-out ids, given the match seed of each recording id.

    Whole recordings are held out, since neighbouring decisions and the two seats of a match are nearly equal.  Matches
    of one seed (copies, branches, replays) stay together.  A hash of the seed decides, so later recordings move none.
    Of two recordings or more, at least one is held out and at least one is not.  Where all have one seed, their ids
    decide.
    """
    groups: dict[int | str, list[str]] = {}
    several = len(set(seeds.values())) > 1
    for id, seed in sorted(seeds.items()):
        groups.setdefault(seed if several else id, []).append(id)
    places = sorted((_place(str(key)), ids) for key, ids in groups.items())
    if len(places) < 2:
        return frozenset()
    chosen = [ids for place, ids in places if place < share]
    count = min(max(1, len(chosen)), len(places) - 1)
    return frozenset(id for _, ids in places[:count] for id in ids)


def _place(key: str) -> float:
    """0 <= place < 1, evenly spread over keys."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) / 2**64
