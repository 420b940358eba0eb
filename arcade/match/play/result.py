"""MatchResult, SeatChange and RecordingSource: a match as plain data; Recorder: receives its ticks."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any, Literal

from agents.ladder.ratings.rows import CUT_SHORT, why_unrated
from agents.seats.controller import Action, AgentID, Controller
from arcade.games.scores import Points
from arcade.games.spec import GameSpec
from arcade.match.stage.tick import Tick

NOT_ASKED = "without --ladder headless matches do not count"

Ending = Literal["finished", "max_ticks", "resigned", "out_of_time", "agreed", "forfeit", "quit", "failed"]
ChangeReason = Literal["policy", "join", "leave", "takeover", "give back"]
"""Another policy in an AI seat; a person who joined or left; a person who took over and gave back."""

_PACKAGES = (
    "pettingzoo-arcade", "pettingzoo", "mpe2", "multi-agent-ale-py", "gymnasium", "numpy", "onnxruntime", "pymunk",
    "Box2D", "rlcard", "open-spiel", "chess",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SeatChange:
    """Another controller in a seat in mid-match, or another policy of the same one."""

    tick: int  # the first tick that the new one decided
    agent: str
    label: str
    why: ChangeReason = "policy"
    left: dict[str, Any] = field(default_factory=dict)  # what the controller that gave the seat up reports of its play


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """One match, as plain data: agent ids are text, so that it goes into JSON and SQLite as it is."""

    game: str  # catalogue id
    seed: int | None  # None: of a match with secrets whose host was lost before it told them
    ticks: int
    seconds: float  # wall clock from reset to end, pauses included
    ended: Ending
    lineup: dict[str, str]  # agent -> its controller's label at its first answer, at the start where it gave none
    returns: dict[str, float]  # agent -> undiscounted sum of its rewards
    teams: list[list[str]]
    placements: dict[str, int]  # agent -> 1 is best; ties share the better place; the same within a team
    late: dict[str, int]  # agent -> ticks at which its controller had no answer
    actions: str = ""  # a digest of all actions and the first observations; equal for matches that repeat each other
    score: list[float | None] = field(default_factory=list)  # of each team, as the game counts; []: see `returns`
    changes: list[SeatChange] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)  # what changes strength: speed, AI limits
    seats: dict[str, dict[str, Any]] = field(default_factory=dict)  # agent -> what its controller reports of its play
    rewinds: list[tuple[int, int]] = field(default_factory=list)  # (from tick, to tick), in order
    loser: str = ""  # the agent that resigned, ran out of time or failed, "" for none; `placements` count it as a loss
    error: str = ""  # why it failed, "" otherwise
    rated: bool = True  # False: nothing for the ladder, which has others even where they do not count; but see `kept`
    unrated: str = ""  # why it does not count on the ladder, "" where it does

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def judged(self, unrated: str = "") -> MatchResult:
        """Return the result with `rated` and `unrated` as the ladder counts; `unrated` is a reason of the caller."""
        facts = {name: getattr(self, name) for name in ("error", "changes", "rated", "unrated", "seats")}
        row = {"ended": self.ended, "ticks": self.ticks, "teams": self.teams, "settings": {**self.settings, **facts}}
        why = unrated or why_unrated(row)
        rated = self.rated and not unrated and not self.error and why != CUT_SHORT
        return replace(self, rated=rated, unrated=why)

    @property
    def kept(self) -> bool:
        """Whether the ladder has it: also a match that was cut short, which does not count."""
        return self.rated or self.unrated == CUT_SHORT

    def outcome(self, agent: str) -> Literal["win", "draw", "loss"]:
        """The outcome of an agent's team as the ladder counts: alone in the first place is a win, sharing it a draw."""
        if self.placements[agent] > 1:
            return "loss"
        return "win" if sum(self.placements[team[0]] == 1 for team in self.teams) == 1 else "draw"


@dataclass(frozen=True, kw_only=True)
class RecordingSource:
    """The controller of a seat, as plain data, from a tick on until the seat's next source."""

    tick: int  # its first decision is the one that led from this tick to the next
    agent: str
    kind: str  # that of its seat word: keyboard, gamepad, snapshot, pool, scripted, remote …
    label: str  # as in results; in a recording "person 1" for a person who did not agree to be named
    person: str = ""  # the name that the person agreed to have here, "" otherwise
    human: bool = False
    device: str = ""  # a label, with the GUID of a gamepad; "" where there is none
    snapshot: str = ""  # the name of the snapshot that decides, "" where none does
    takeover: bool = False  # a person sits in for AI, until it is given back

    def __post_init__(self) -> None:
        wrong = [name for name, value in vars(self).items() if type(value) is not _KINDS.get(name, str)]
        if wrong or self.tick < 0:
            raise ValueError(f"expected a source with text, flags and a tick, got: {self!r:.200}")

    @classmethod
    def of(cls, agent: AgentID, controller: Controller, tick: int = 0) -> RecordingSource:
        """The source of the decisions of `controller` from a tick on."""
        report, human = controller.report(), controller.is_human
        device = " ".join(str(report[part]) for part in ("device", "pad") if part in report)
        return cls(
            tick=tick, agent=str(agent), kind=str(controller.kind), label=str(controller.label), human=bool(human),
            person=controller.person if human else "", device=device if human else "",
            snapshot=str(report.get("snapshot", "")),
        )  # fmt: skip


_KINDS = {"tick": int, "human": bool, "takeover": bool}


class Recorder:
    """Receives all events of a match in order: `tick` once for the reset and once for each step.

    Times are seconds since the match began, pauses included.
    """

    def start(
        self, spec: GameSpec, seed: int, settings: Mapping[str, Any], sources: Sequence[RecordingSource]
    ) -> None:  # fmt: skip
        """The match begins, with a source for each seat."""

    def tick(self, tick: Tick, actions: dict[AgentID, Action], seconds: float) -> None:
        """`actions` led to `tick`; none to the reset."""

    def changed(self, change: SeatChange, source: RecordingSource) -> None:
        """From `change.tick` on another controller, or another policy of it, decides for the seat."""

    def answered(self, source: RecordingSource) -> None:
        """The controller answered for the first time; only then is a remote's name known."""

    def rewound(self, tick: Tick, seconds: float) -> None:
        """Play resumes from `tick`; later ones are void."""

    def finish(self, result: MatchResult) -> None:
        """The match is over."""


def placements(
    spec: GameSpec,
    returns: Mapping[AgentID, float],
    score: Points = (),
    *,
    loser: AgentID | None = None,
    drawn: bool = False,
) -> dict[str, int]:
    """Teams in the order of their score, best first, or of their mean return where the score does not decide.

    Equal teams share a place ("1, 2, 2, 4").  The team of a `loser` is the last, and teams
    that have `drawn` by agreement are equal, whatever their scores.
    """
    means = [sum(float(returns[agent]) for agent in team) / len(team) for team in spec.teams]  # some pay in numpy
    if score and spec.score.decides:
        means = [-(value or 0.0) if spec.score.lower_wins else value or 0.0 for value in score]
    if loser is not None:
        means = [-float(team == spec.team_of(loser)) for team in range(len(means))]
    if drawn:
        means = [0.0] * len(means)
    places = [1 + sum(other > mean for other in means) for mean in means]
    return {str(agent): places[spec.team_of(agent)] for agent in spec.agents}


@cache
def versions() -> Mapping[str, str]:
    """Versions of Python and of each package that a result can depend on; "" for one that is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # takes long to import

    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = ""
    return found
