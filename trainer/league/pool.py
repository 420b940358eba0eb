"""The pool as one policy meets it: who is in it, and how the policy fares against each while it keeps changing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.statistics import wilson
from trainer.sampling.casting import LIVE_RIVAL, EpisodeResult

HALF_LIFE = 200
"""Games against an opponent after which an earlier game with it weighs half.  Vinyals et al. 2019 (Nature 575,
supplementary data, pseudocode of the payoff) let them fade by 0.99 a game."""

FADE = 0.9
"""At each freeze of the policy all earlier games lose so much of their weight: whoever was not met for long is
uncertain again, and is tried again."""

Kind = Literal["snapshot", "fixed", "live"]
Floats = NDArray[np.float64]

_WON, _DRAWN, _LOST, _SCORE, _GAMES, _SINCE_SCORE, _SINCE_GAMES = range(7)
"""Columns: the whole run; score and games as they have faded; score and games since the last freeze."""


class Member(NamedTuple):
    """Someone whom the policy may meet."""

    name: str  # snapshot's name, seat word, or live:POLICY
    kind: Kind
    policy: str = ""  # whose seats it plays; "" of one that plays any
    frozen_at: int = 0  # env step


@dataclass(frozen=True, slots=True)
class Tally:
    """Games together."""

    games: int
    win_rate: float  # a draw is half a win; 0.5 without a game


class Pool:
    """Members in the order of their coming.  Costs a few numpy operations, however many there are."""

    def __init__(self) -> None:
        self.members: list[Member] = []
        self.dropped: dict[str, str] = {}  # name to why it plays no more
        self._place: dict[str, int] = {}
        self._figures = np.zeros((16, 7))
        self._known = np.ones((16, 2))  # of the Beta distributions before the policy's own episodes

    def place(self, name: str) -> int | None:
        """Of a member among all, None for a stranger."""
        return self._place.get(name)

    @property
    def names(self) -> list[str]:
        """Of the snapshots, oldest first."""
        return [member.name for member in self.members if member.kind == "snapshot"]

    def add(self, member: Member) -> None:
        """It may be met from now on; one of the same name stays as it is."""
        if member.name in self._place:
            return
        if len(self.members) == len(self._figures):
            self._figures = np.concatenate([self._figures, np.zeros_like(self._figures)])
            self._known = np.concatenate([self._known, np.ones_like(self._known)])
        self._place[member.name] = len(self.members)
        self.members.append(member)

    def drop(self, name: str, reason: str) -> None:
        """It plays no more; its record stays."""
        self.dropped[name] = reason

    def places(self, *, kind: Kind, policies: Collection[str] = ()) -> NDArray[np.intp]:
        """Places of the members of a kind that still play, of these policies where some are named, oldest first."""
        return np.array(
            [
                i
                for i, m in enumerate(self.members)
                if m.kind == kind and (not policies or m.policy in policies) and m.name not in self.dropped
            ],
            np.intp,
        )

    def count(self, results: Iterable[EpisodeResult]) -> None:
        """Book episodes of the policy; those against itself and against strangers say nothing."""
        keep = 0.5 ** (1 / HALF_LIFE)
        for result in results:
            if result.opponent.startswith(LIVE_RIVAL):
                self.add(Member(result.opponent, "live", result.opponent.removeprefix(LIVE_RIVAL)))
            place = self._place.get(result.opponent)
            if place is None:
                continue
            row = self._figures[place]
            row[_WON if result.outcome > 0.5 else _LOST if result.outcome < 0.5 else _DRAWN] += 1
            row[_SCORE : _GAMES + 1] *= keep
            row[[_SCORE, _SINCE_SCORE]] += result.outcome
            row[[_GAMES, _SINCE_GAMES]] += 1

    def begin_from(self, a: Floats, b: Floats) -> None:
        """What is known of the win rates against each member from elsewhere, as Beta distributions (a, b)."""
        self._known[: len(self.members)] = np.stack([a, b], axis=1)

    def begin_anew(self) -> None:
        """The policy was frozen: the count since then begins, and what was before weighs less."""
        self._figures[:, [_SINCE_SCORE, _SINCE_GAMES]] = 0
        self._figures[:, [_SCORE, _GAMES]] *= FADE

    def forget(self) -> None:
        """The policy is another one now, of which what was won and lost before says nothing."""
        self._figures[:, _SCORE:] = 0
        self._known[:] = 1.0

    def recent(self, places: NDArray[np.intp] | None = None) -> Tally:
        """All games against the snapshots, or these places, since the policy's last freeze."""
        rows = self._figures[self.places(kind="snapshot") if places is None else places]
        games = float(rows[:, _SINCE_GAMES].sum())
        return Tally(int(games), float(rows[:, _SINCE_SCORE].sum()) / games if games else 0.5)

    def beliefs(self, places: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Parameters (a, b) of the Beta distributions that the policy's win rates have after the games as they have
        faded, from what was known before, else an even prior; a draw is half a win and half a loss."""
        score, games = self._figures[places, _SCORE], self._figures[places, _GAMES]
        return self._known[places, 0] + score, self._known[places, 1] + games - score

    def win_rates(self, newest: int = 256) -> dict[str, float]:
        """Name to win rate of the members met, the newest so many of them."""
        count = len(self.members)
        met = np.flatnonzero(self._figures[:count, _GAMES] > 0)[-newest:]
        rates = self._figures[met, _SCORE] / self._figures[met, _GAMES]
        return {self.members[i].name: float(rate) for i, rate in zip(met.tolist(), rates, strict=True)}

    def rows(self, newest: int = 256) -> list[dict[str, Any]]:
        """The newest members for people: their names, kinds, games, and the win rate against them with its interval."""
        first = max(0, len(self.members) - newest)
        rows = self._figures[first : len(self.members)]
        low, high = wilson(rows[:, _SCORE], rows[:, _GAMES])
        rates = np.divide(rows[:, _SCORE], rows[:, _GAMES], out=np.full(len(rows), 0.5), where=rows[:, _GAMES] > 0)
        games = rows[:, : _LOST + 1].sum(axis=1)
        figures = zip(self.members[first:], games.tolist(), rates.tolist(), low.tolist(), high.tolist(), strict=True)
        return [
            {
                "name": m.name, "kind": m.kind, "policy": m.policy, "games": int(n), "win_rate": rate, "low": lowest,
                "high": highest, "frozen_at": m.frozen_at, "dropped": self.dropped.get(m.name, ""),
            }
            for m, n, rate, lowest, highest in figures
        ]  # fmt: skip

    def as_data(self) -> dict[str, Any]:
        """What a checkpoint keeps; that someone was dropped is forgotten, so that a resumed run tries it again, and
        what is known from elsewhere, which is asked for again."""
        return {
            "members": [list(member) for member in self.members],
            "figures": self._figures[: len(self.members)].tolist(),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Pool:
        pool = cls()
        for member in data["members"]:
            pool.add(Member(*member))
        if pool.members:
            pool._figures[: len(pool.members)] = data["figures"]
        return pool
