"""Human limits for an AI seat (reaction time, actions per second and slips), and difficulty levels.

Limits are counted in the game's ticks, so that they have the same effect at any speed and in headless matches.
A level is the snapshot nearest its rating, or its training time where some are unrated; extra weak snapshots don't
shift the levels.  In games whose scripted player has levels, it is that player.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from agents.policies.random import RandomBatch
from agents.seats.controller import EVEN, LEVELS, Action, AgentID, Controller, Insight, SeatError, SeatSpec, Turn
from agents.snapshots.card import SnapshotCard
from agents.snapshots.store import Snapshot, SnapshotError, SnapshotStore
from agents.spaces import idle_action, is_legal

_HIGHEST = {"reaction_ms": 2000.0, "actions_per_second": 1000.0, "noise": 1.0}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an AI player; the default is none."""

    reaction_ms: float = 0.0  # delay from an observation to the action that answers it; 0 to 2000
    actions_per_second: float = 0.0  # choices a second at most, each repeated in between; 0: one at every tick
    noise: float = 0.0  # probability of a random legal action instead of the chosen one; 0 to 1

    def __post_init__(self) -> None:
        for name, highest in _HIGHEST.items():
            if not 0 <= getattr(self, name) <= highest:
                raise SeatError(f"expected 0 <= {name} <= {highest:g}, got: {getattr(self, name):g}")

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return self != Limits()

    @property
    def for_turns(self) -> bool:
        """Whether they all apply to a turn-based game: only noise does."""
        return not self.reaction_ms and not self.actions_per_second

    @property
    def text(self) -> str:
        """``200 ms, 6 actions/s, noise 0.1``; "" for none."""
        forms = {"reaction_ms": "{:g} ms", "actions_per_second": "{:g} actions/s", "noise": "noise {:g}"}
        return ", ".join(forms[name].format(value) for name, value in asdict(self).items() if value)

    def changed(self, options: Iterable[tuple[str, str]]) -> Limits:
        """These limits, replaced by the options of a seat word; raises SeatError for an invalid option."""
        changes = {}
        for name, value in options:
            if name not in _HIGHEST:
                raise SeatError(f"expected one of {', '.join(sorted(_HIGHEST))}, got: {name!r}")
            changes[name] = _number(name, value)
        return replace(self, **changes)

    def as_options(self) -> tuple[tuple[str, str], ...]:
        """The limits that are set, as options of a seat word."""
        return tuple((name, f"{value:.12g}") for name, value in asdict(self).items() if value)


def _number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise SeatError(f"expected a number for {name}, got: {value!r}")
    return number


class LimitedController(Controller):
    """Another controller under `limits`; closes it too.

    It observes and answers every turn; its answers are delayed, repeated or replaced by slips.  Until its first answer
    takes effect the seat is idle.  Where a mask forbids a repeated or delayed action, the seat plays the idle action.
    In a `turn_based` game a slip is another action that the inner controller holds likely, where its insight says so.
    The label includes the limits, or the name of their `level`, since they make it another player: "volley-7 (hard)".
    """

    def __init__(self, inner: Controller, limits: Limits, *, level: str = "", turn_based: bool = False) -> None:
        self.inner, self.limits, self.level, self._turn_based = inner, limits, level, turn_based
        self._suffix = (level or limits.text) if limits.any else ""
        self.kind, self.patience = inner.kind, inner.patience
        self._inner_label = ""
        self._follow()
        self._turn: Turn | None = None
        self._begin()

    def reset(self, seat: SeatSpec, *, seed: int) -> None:
        limits, self._seat = self.limits, seat
        self._delay = round(limits.reaction_ms * seat.fps / 1000)  # ticks
        # ticks from one choice to the next
        self._period = max(1.0, seat.fps / limits.actions_per_second) if limits.actions_per_second else 1.0
        self.inner.reset(seat, seed=seed)
        self._slips = RandomBatch([seat])
        self._slips.begin(np.zeros(1, np.intp), [seed])
        self._dice = np.random.default_rng((seed, 1))  # other numbers than the inner controller draws
        self._begin()
        self._follow()

    def _begin(self) -> None:
        self._turn, self._action = None, None
        self._previous = 0  # the tick of the turn before the newest
        self._answers: deque[tuple[int, Action]] = deque()  # answers that have not taken effect, after their tick
        self._due: Action | None = None  # the newest answer that may take effect
        self._held: Action | None = None
        self._choose_at = -math.inf  # the tick of the next choice

    @property
    def silent(self) -> bool:
        return self.inner.silent

    def why_absent(self) -> str:
        return self.inner.why_absent()

    def _follow(self) -> None:
        inner = self.inner
        if inner.label is not self._inner_label:
            self._inner_label = inner.label
            self.label = f"{inner.label} ({self._suffix})" if self._suffix else inner.label
        self.rated, self.obs_type, self.other_types = inner.rated, inner.obs_type, inner.other_types

    def observe(self, turn: Turn) -> None:
        if self._turn is not None:
            self._previous = self._turn.tick
        self._turn, self._action = turn, None
        self.inner.observe(turn)

    def act(self) -> Action | None:
        """None while the inner controller has no answer, so that late actions are counted as without limits."""
        if self._action is None and self._turn is not None:
            answer = self.inner.act()
            if answer is not None:
                self._answers.append((self._turn.tick, answer))
                self._action = self._play(self._turn)
                self._follow()
        return self._action

    def stale(self) -> Action | None:
        """The action that takes effect now although the inner controller is late."""
        if self._turn is None:
            return None
        answer = self.inner.stale()
        if answer is not None:  # its turn is unknown: of the last one at best
            self._answers.append((self._previous, answer))
        return self._play(self._turn)

    def _play(self, turn: Turn) -> Action:
        while self._answers and self._answers[0][0] <= turn.tick - self._delay:
            self._due = self._answers.popleft()[1]
        if self._due is not None and turn.tick >= self._choose_at - 1e-6:  # thirds of a tick add up
            slips = self.limits.noise and self._dice.random() < self.limits.noise
            self._held = self._slip(turn) if slips else self._due
            on_time = turn.tick - self._choose_at < 1  # keep the fraction of a tick, or it would act too seldom
            self._choose_at = (self._choose_at if on_time else turn.tick) + self._period
        space, mask = self._seat.action_space, turn.action_mask
        held = self._held
        return held if held is not None and is_legal(held, space, mask) else idle_action(space, mask)

    def _slip(self, turn: Turn) -> Action:
        """Draw another action than the chosen one by its probability; any legal one without insight."""
        insight = self.inner.insight() if self._turn_based else None
        if insight is not None and len(insight.parts) == 1:
            shares = np.array(insight.shares) * (1 if turn.action_mask is None else np.asarray(turn.action_mask))
            shares[self._due] = 0
            if shares.sum() > 0:
                return int(self._dice.choice(len(shares), p=shares / shares.sum()))
        return self._slips.act_one(0, None, turn.action_mask)

    def finish(self, reward: float, *, terminated: bool) -> None:
        self.inner.finish(reward, terminated=terminated)
        self._follow()

    def close(self) -> None:
        self.inner.close()

    def insight(self) -> Insight | None:
        return self.inner.insight()

    def outlook(self) -> float | None:
        return self.inner.outlook()

    def report(self) -> dict[str, Any]:
        level = {"level": self.level} if self.level else {}
        return {**self.inner.report(), **level, "limits": asdict(self.limits)}


@dataclass(frozen=True, slots=True)
class Level:
    """One difficulty level."""

    rating: float  # the place of its snapshot between the lowest rating of the pool, 0, and the highest, 1
    training: float  # its env steps as a share of the longest training, in (0, 1]; for unrated pools
    real_time: Limits  # its limits in a real-time game
    turn_based: Limits  # its limits in a turn-based game


# People react to a picture after 200 to 300 ms, and press six to ten keys a second in play.
RULES: Mapping[str, Level] = {
    "easy": Level(0.35, 0.16, Limits(300, 5, 0.2), Limits(noise=0.35)),
    "normal": Level(0.55, 0.25, Limits(220, 8, 0.05), Limits(noise=0.15)),
    "hard": Level(0.8, 0.4, Limits(120, 15), Limits(noise=0.04)),
    "expert": Level(1.0, 1.0, Limits(), Limits()),
}
assert tuple(RULES) == LEVELS


def limits_of(level: str, *, turn_based: bool) -> Limits:
    """The limits of a level in a game of that kind; none for `even`, see `agents.seats.even`."""
    if level == EVEN:
        return Limits()
    rule = RULES[level]
    return rule.turn_based if turn_based else rule.real_time


def level_of(limits: Limits, *, turn_based: bool) -> str:
    """The name of the level that has just these limits, "" where none has."""
    return next((name for name in RULES if limits.any and limits_of(name, turn_based=turn_based) == limits), "")


def snapshot_of(level: str, game: str, agent: AgentID, store: SnapshotStore) -> Snapshot:
    """The snapshot that plays `level` on that seat; skips snapshots that cannot be loaded.

    Raises SnapshotError where the store has none for the seat.
    """
    cards = [card for card in store.list(game) if card.plays(agent)]
    for card in _nearest_first(RULES[level], cards, store):
        try:
            return store.get(card.name, game=game)
        except SnapshotError:
            continue  # kept in the store's `refused`
    return store.get("latest", game=game, agent=agent)  # raises, listing the snapshots


def _nearest_first(level: Level, cards: Sequence[SnapshotCard], store: SnapshotStore) -> list[SnapshotCard]:
    """By distance from the level's rating or training time; of equals the newest first."""
    newest = cards[::-1]
    ratings = {card.name: store.rating(card.game, card.name) if store.rating else None for card in cards}
    known = {name: rating for name, rating in ratings.items() if rating is not None}
    if len(known) == len(cards) > 0:
        low, high = min(known.values()), max(known.values())
        aim = low + level.rating * (high - low)
        return sorted(newest, key=lambda card: abs(known[card.name] - aim))
    steps = max(1.0, level.training * max((card.step for card in cards), default=0))
    return sorted(newest, key=lambda card: abs(math.log(max(1, card.step) / steps)))
