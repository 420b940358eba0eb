"""Pool: the opponents of one policy and its win rates against each; old results decay (HALF_LIFE, FADE)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.statistics import Floats, wilson

LIVE_RIVAL = "live:"
"""The prefix of an opponent that is another learning policy; its id follows."""

HALF_LIFE = 200
"""Games against an opponent after which an earlier result weighs half; Vinyals et al. 2019 (Nature 575, supplementary
data, pseudocode of the payoff) decay results by 0.99 a game."""

FADE = 0.9
"""Decay of all results at each freeze, so that members not met for long become uncertain and are tried again."""

NEWEST = 256
"""Members in tables and events."""

Kind = Literal["snapshot", "fixed", "live"]

_WON, _DRAWN, _LOST, _SCORE, _GAMES, _SINCE_SCORE, _SINCE_GAMES = range(7)
"""Columns: the whole run; decayed score and games; score and games since the last freeze."""


class Member(NamedTuple):
    """An opponent that the policy may meet."""

    name: str  # snapshot's name, seat word, or live:POLICY
    kind: Kind
    policy: str = ""  # whose seats it plays; "" of one that plays any
    frozen_at: int = 0  # env step


class Result(Protocol):
    """The result of one episode for the policy of the pool."""

    @property
    def opponent(self) -> str:
        """The member's name; others are not counted."""

    @property
    def outcome(self) -> float:
        """1 won, 0.5 drawn, 0 lost."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Games together."""

    games: int
    win_rate: float  # a draw is half a win; 0.5 without a game


class Pool:
    """Members, oldest first; operations are vectorised over them."""

    def __init__(self) -> None:
        self.members: list[Member] = []
        self.dropped: dict[str, str] = {}  # excluded members, whose results stay, to the reason
        self.index: dict[str, int] = {}  # of each member, by name
        self._figures = np.zeros((0, 7))
        self._priors = np.ones((0, 2))  # of the Beta distributions before the policy's own episodes
        self._mixture: dict[str, float] = {}  # member to its share in an equilibrium of the members

    def names_at(self, places: NDArray[np.intp]) -> list[str]:
        """Names of the members with these indices."""
        return [self.members[place].name for place in places.tolist()]

    def add(self, member: Member) -> None:
        """Add a member, unless its name is known."""
        if member.name not in self.index:
            self.index[member.name] = len(self.members)
            self.members.append(member)
            self._figures = np.vstack([self._figures, np.zeros(7)])
            self._priors = np.vstack([self._priors, np.ones(2)])

    def places(self, *, kind: Kind, policies: Collection[str] = ()) -> NDArray[np.intp]:
        """Indices of the members of a kind (and of `policies`, if given) that still play, oldest first."""
        return np.array([
            i for i, m in enumerate(self.members)
            if m.kind == kind and (not policies or m.policy in policies) and m.name not in self.dropped
        ], np.intp)  # fmt: skip

    def count(self, results: Iterable[Result]) -> None:
        """Count results of the policy; those against itself and unknown opponents are left out."""
        keep = 0.5 ** (1 / HALF_LIFE)
        for result in results:
            if result.opponent.startswith(LIVE_RIVAL):
                self.add(Member(result.opponent, "live", result.opponent.removeprefix(LIVE_RIVAL)))
            place = self.index.get(result.opponent)
            if place is None:
                continue
            row = self._figures[place]
            row[_WON if result.outcome > 0.5 else _LOST if result.outcome < 0.5 else _DRAWN] += 1
            row[_SCORE : _GAMES + 1] *= keep
            row[[_SCORE, _SINCE_SCORE]] += result.outcome
            row[[_GAMES, _SINCE_GAMES]] += 1

    def set_priors(self, a: Floats, b: Floats) -> None:
        """Set the prior Beta distributions (a, b) of the win rates against each member."""
        self._priors = np.stack([a, b], axis=1)

    def set_mixture(self, shares: Mapping[str, float]) -> None:
        """Set the shares of members in an equilibrium of their matches with each other; {} where there is none."""
        self._mixture = dict(shares)

    def mixture(self, places: NDArray[np.intp]) -> Floats:
        """The shares of these members, summing to 1; empty where none of them has one."""
        shares = np.array([self._mixture.get(name, 0.0) for name in self.names_at(places)])
        return shares / shares.sum() if shares.any() else shares[:0]

    def begin_period(self) -> None:
        """Restart the counts since the last freeze, and decay earlier results."""
        self._figures[:, [_SINCE_SCORE, _SINCE_GAMES]] = 0
        self._figures[:, [_SCORE, _GAMES]] *= FADE

    def clear(self) -> None:
        """Clear results and priors, after the policy was reset."""
        self._figures[:, _SCORE:] = 0
        self._priors[:] = 1.0

    def recent(self, places: NDArray[np.intp] | None = None) -> Tally:
        """All games against the snapshots, or these places, since the policy's last freeze."""
        rows = self._figures[self.places(kind="snapshot") if places is None else places]
        games = float(rows[:, _SINCE_GAMES].sum())
        return Tally(int(games), float(rows[:, _SINCE_SCORE].sum()) / games if games else 0.5)

    def beliefs(self, places: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Parameters (a, b) of the Beta distributions of the win rates, from the priors and the decayed results."""
        score, games = self._figures[places, _SCORE], self._figures[places, _GAMES]
        return self._priors[places, 0] + score, self._priors[places, 1] + games - score

    def win_rates(self) -> dict[str, float]:
        """Name to win rate, of the newest members that were met."""
        met = np.flatnonzero(self._figures[:, _GAMES] > 0)[-NEWEST:]
        rates = self._figures[met, _SCORE] / self._figures[met, _GAMES]
        return {self.members[i].name: float(rate) for i, rate in zip(met.tolist(), rates, strict=True)}

    def rows(self, newest: int = NEWEST) -> list[dict[str, Any]]:
        """The newest members as rows of a table: name, kind, games, and win rate with its interval."""
        rows = self._figures[-newest:]
        low, high = wilson(rows[:, _SCORE], rows[:, _GAMES])
        rates = np.divide(rows[:, _SCORE], rows[:, _GAMES], out=np.full(len(rows), 0.5), where=rows[:, _GAMES] > 0)
        games = rows[:, : _LOST + 1].sum(axis=1)
        figures = zip(self.members[-newest:], games.tolist(), rates.tolist(), low.tolist(), high.tolist(), strict=True)
        return [
            {
                "name": m.name, "kind": m.kind, "policy": m.policy, "games": int(n), "win_rate": rate, "low": lowest,
                "high": highest, "frozen_at": m.frozen_at, "dropped": self.dropped.get(m.name, ""),
            }
            for m, n, rate, lowest, highest in figures
        ]  # fmt: skip

    def as_data(self) -> dict[str, Any]:
        """For a checkpoint: without priors, which are read again, and exclusions, so that a resumed run tries again."""
        return {"members": [list(member) for member in self.members], "figures": self._figures.tolist()}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Pool:
        pool = cls()
        for member in data["members"]:
            pool.add(Member(*member))
        pool._figures = np.array(data["figures"], np.float64).reshape(-1, 7)
        return pool
