"""GameSpec: one entry of the catalogue, known without importing the game."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from agents.errors import ErrorCode, UserError
from agents.ladder.ratings.rows import GameFacts
from agents.seats.controller import MOVES, AgentID
from arcade.games.controls import CHOOSE, SeatControls
from arcade.games.exact import exactness_of
from arcade.games.naming import named_controls
from arcade.games.rules import Rules, rules_of
from arcade.games.scores import RETURNS, Score
from arcade.games.texts import translated
from arcade.language import _

Outcome = Literal["versus", "cooperative", "mixed"]

KNOWN = "known"
"""The observations with all that a seat knows of a hand of cards, from which the hidden ones can be drawn."""

IMAGINED = "imagined"
"""The observations with hidden cards that the seat takes for possible: OpenSpiel's text as uint8 (length,)."""


class Missing(NamedTuple):
    """A module that a game needs and that is not installed."""

    module: str
    command: str = ""  # that installs it; "" where none is known


class GameError(UserError):
    """A game that is unknown, cannot be imported, or breaks PettingZoo's contract; `missing` is what it lacks."""

    def __init__(self, text: str, *, code: ErrorCode = "invalid", missing: Missing | None = None) -> None:
        super().__init__(text, code=code)
        self.missing = missing


class NotOpenedError(GameError):
    """A ``module:function`` that a file names and that was never opened on this machine."""

    def __init__(self, word: str) -> None:
        super().__init__(
            f"expected a game of the catalogue, or one that was opened on this machine, got: {word}, which is code "
            f"that has never been opened here; if you trust it, open it once: arcade play {word}"
        )
        self.word = word


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """The facts of a game, known before its env is made."""

    id: str  # "family/name", or "module:function" for a third-party game
    title: str
    entry: str  # "module:function" that returns a ParallelEnv or an AECEnv; takes render_mode and `kwargs`
    agents: tuple[AgentID, ...]  # all possible agents, in seat order
    teams: tuple[tuple[AgentID, ...], ...]  # each agent in exactly one; one team: cooperative
    turn_based: bool  # True: the match waits for the agent to act
    fps: float  # ticks a second at normal speed, the game's own render_fps
    outcome: Outcome = "versus"
    score: Score = RETURNS  # what players count, and how it is read
    roles: Mapping[AgentID, str] = field(default_factory=dict)  # for seats that need different skills; {}: all alike
    kwargs: Mapping[str, Any] = field(default_factory=dict)  # handed to the entry, e.g. {"team_size": 2}
    match_kwargs: Mapping[str, Any] = field(
        default_factory=dict
    )  # over `kwargs` in matches that count, not in training
    people_kwargs: Mapping[str, Any] = field(default_factory=dict)  # over both when a person plays
    summary: str = ""  # one line: what a player does
    rules: Rules | None = None  # how it is played, for who does not know it
    requires: tuple[str, ...] = ()  # modules that must be importable
    pip: str = ""  # the packages to install when one is missing
    scripted: str = ""  # "module:function" -> (observation, mask, rng) -> action, or a class of it; "" for none
    has_levels: bool = False  # the scripted player takes `level=`, in turn-based games `mistakes=` too
    obs_types: Mapping[str, str] = field(
        default_factory=dict
    )  # more observations that AI seats may have, by name: "module:function" -> (env) -> {agent: observation}
    obs_spaces: str = ""  # "module:function" -> (env) -> {one of them: its space}: those that policies can learn from
    obs_argument: str = ""  # the entry's argument that names the env's own observations, as `obs_spaces` does
    plain_obs_type: str = ""  # its value where it is not given
    scripted_obs_type: str = ""  # the one of them that the scripted player decides from; "": the env's own
    batch: str = ""  # "module:Class" that steps many envs at once, None for some settings; "" for none
    action_names: tuple[str, ...] = ()  # for Discrete spaces, index to words
    seat_action_names: Mapping[AgentID, tuple[str, ...]] = field(default_factory=dict)  # for seats whose names differ
    seat_titles: Mapping[AgentID, str] = field(default_factory=dict)  # what people read; {}: "Player 1", "Player 2" …
    seat_notes: Mapping[AgentID, str] = field(default_factory=dict)  # how to tell the seats apart on the screen
    seat_colours: Mapping[AgentID, tuple[int, int, int]] = field(default_factory=dict)  # of the figures, red green blue
    figures: str = ""  # "module:function" -> (env) -> where the figure of each seat is in the picture: figures.Places
    mirrored: bool = False  # the first of two teams plays on the right of the picture
    render_mode: str = "rgb_array"  # "ansi" or "human": text, returned or printed; "": the env draws nothing
    sees_picture: bool = False  # seats observe its picture, which is therefore always drawn
    draws_clock: bool = False  # the game's own picture shows its time
    turns_per_move: int = 1  # turns that players count as one move: 2 in chess
    counts: str = "move"  # what a turn is called: "move", "turn", "round" or "action"
    shape: tuple[int, int] | None = None  # width and height that its picture had on a screen; None: square pixels
    table: str = ""  # "module:function" -> the facts that a seat may know, drawn instead of the env's own picture
    secret: bool = False  # others at the same screen must not see the cards or choices of a seat
    long_seeds: bool = False  # its reset makes use of seeds up to 2**63, not only up to 2**32
    controls: Mapping[AgentID, SeatControls] = field(default_factory=dict)  # by agent, "*" for all others
    set_start: str = ""  # "module:function" -> (env, text): puts a newly reset env at that position; "": it cannot
    start: str = ""  # the position that episodes begin with, as `set_start` reads it; "": the game's own
    openspiel: str = ""  # OpenSpiel's name of the very same game, with the same numbers for actions; "" for none
    mend: str = ""  # "module:function" -> (env): corrects a new env in place, before its first reset; "" for none
    keeps_state: bool = False  # reset leaves state of the last episode behind; only a new env repeats one
    stalls: bool = False  # its emulator stops in the middle of a picture at times, where it cannot be saved
    broken: str = ""  # why a listed game cannot be played; "" if it can

    @property
    def family(self) -> str:
        return self.id.partition("/")[0] if "/" in self.id else "third-party"

    @property
    def stem(self) -> str:
        """The id without the family, as a part of file names: what runs and tournaments are named after."""
        return re.sub(r"[^A-Za-z0-9._-]+", "-", self.id.rpartition("/")[2]).strip("-")

    @property
    def seats(self) -> int:
        return len(self.agents)

    @property
    def is_board_game(self) -> bool:
        """Whether two sides take turns and nothing is hidden, so that clocks, resignation and draws make sense."""
        return self.turn_based and len(self.teams) == 2 and not self.secret

    @property
    def exact(self) -> bool:
        """Whether a seed and actions repeat an episode exactly, as measured; False for unknown games."""
        found = exactness_of(self.id)
        return found is not None and found.exact

    @property
    def saves(self) -> bool:
        """Whether a stage can save its state and go back to it exactly, as measured; False for unknown games."""
        found = exactness_of(self.id)
        return found is not None and found.saves

    @property
    def forks(self) -> bool:
        """Whether only copies of the whole process go back to a moment exactly, as measured."""
        found = exactness_of(self.id)
        return found is not None and found.forks

    @property
    def can_search(self) -> bool:
        """Whether a player can think ahead by the moves so far: a board game that is exact and saves its positions."""
        return self.is_board_game and ((self.exact and self.saves) or bool(self.openspiel))

    @property
    def search_obs_type(self) -> str:
        """The observations that a search begins from: the moves so far, or what the seat knows where cards are hidden;
        "" where there are neither."""
        if self.can_search:
            return MOVES
        return next((name for name in (IMAGINED, KNOWN) if name in self.obs_types), "")

    def team_of(self, agent: AgentID) -> int:
        """Return the index of the agent's team."""
        return next(i for i, team in enumerate(self.teams) if agent in team)

    def side_of(self, team: int) -> int:
        """Return the side of the picture that the team plays on: 0 left, 1 right; 0 for the first of many teams."""
        side = min(team, 1)
        return 1 - side if self.mirrored else side

    def moves_at(self, tick: int) -> int:
        """Return the moves of a turn-based game by that tick, begun ones too, as its players count them."""
        return -(-tick // self.turns_per_move)

    def seat_title(self, agent: AgentID) -> str:
        """Return what people read for a seat, as in "Left"; `agent` may also be the id as text, as in a result."""
        words = [str(one) for one in self.agents]
        if str(agent) not in words:
            return str(agent)  # of a recording by another version of the game
        place = words.index(str(agent))
        if title := self.seat_titles.get(self.agents[place], ""):
            return translated(title)
        return _("Player {number}").format(number=place + 1) if self.seats > 1 else _("Player")

    def facts(self) -> GameFacts:
        """Return the facts that ratings depend on."""
        return GameFacts(
            id=self.id,
            title=self.title,
            teams=tuple(tuple(map(str, team)) for team in self.teams),
            roles={str(agent): role for agent, role in self.roles.items()},
            cooperative=len(self.teams) == 1,
        )

    def names_of(self, agent: AgentID) -> tuple[str, ...]:
        """Return the names of the agent's Discrete actions, by index; () where none are known."""
        return self.seat_action_names.get(agent, self.action_names)

    @property
    def own_obs_type(self) -> str:
        """The name of the env's own observations, "" where they have none."""
        return str(self.kwargs.get(self.obs_argument, self.plain_obs_type))

    @property
    def learnt_obs_type(self) -> str:
        """The `obs_type` of a policy that learns from the env's own observations: "" where they are the usual ones."""
        return "" if self.own_obs_type == self.plain_obs_type else self.own_obs_type

    def shown_as(self, obs_type: str) -> str:
        """Return what a player of that `obs_type` is shown beside the env's own observations, "" for these."""
        wanted = obs_type or self.plain_obs_type
        return "" if wanted == self.own_obs_type else wanted

    def observing(self, obs_type: str) -> GameSpec:
        """Return the game whose env has those observations as its own; raises GameError where it cannot."""
        if not obs_type:
            return self
        if not self.obs_argument or obs_type not in self.obs_types:
            raise GameError(f"expected a game whose seats can observe {obs_type}, got: {self.id}")
        return replace(self, kwargs={**self.kwargs, self.obs_argument: obs_type})

    def for_matches(self) -> GameSpec:
        """Return the game as it is played for a result, for example twenty hands of poker instead of one."""
        return replace(self, kwargs={**self.kwargs, **self.match_kwargs}) if self.match_kwargs else self

    def for_people(self) -> GameSpec:
        """Return the game as people play it, for example with a longer match."""
        own = {**self.match_kwargs, **self.people_kwargs}
        return replace(self, kwargs={**self.kwargs, **own}) if own else self

    def declares_controls(self, agent: AgentID) -> bool:
        """Return whether the game itself declares controls for the agent's seat."""
        return agent in self.controls or "*" in self.controls

    def controls_of(self, agent: AgentID) -> SeatControls:
        """Return the controls of the agent's seat: as declared, else guessed from its action names."""
        if self.declares_controls(agent):
            return self.controls.get(agent) or self.controls["*"]
        return CHOOSE if self.turn_based else named_controls(self.names_of(agent))

    def make(self, *, render_mode: str | None = None) -> Any:
        """Build the env (a ParallelEnv or an AECEnv, not yet reset); raises GameError with a remedy."""
        if self.broken:
            raise GameError(f"expected a game that can be played, got: {self.id}, {self.broken}")
        mode = render_mode or (self.render_mode if self.sees_picture else None)
        try:
            env = make_env(load_entry(self.entry, hint=self.pip), render_mode=mode, kwargs=self.kwargs)
        except ModuleNotFoundError as error:
            if self.pip and (error.name or "").partition(".")[0] in {one.partition(".")[0] for one in self.requires}:
                raise not_installed(error, self.pip) from error
            raise
        if self.mend:
            load_entry(self.mend)(env)
        return env


def pettingzoo_game(
    id: str, title: str, summary: str, agents: tuple[AgentID, ...], titles: tuple[str, ...] = (),
    notes: tuple[str, ...] = (), **more: Any,
) -> GameSpec:  # fmt: skip
    """Return the spec of a game of PettingZoo, from its id "family/name" and `more` fields.

    `titles` and `notes` of the seats are in seat order.  By default the game is in real time, and every agent plays
    for itself.
    """
    family, _slash, name = id.partition("/")
    facts: dict[str, Any] = {
        "entry": f"pettingzoo.{family}.{name}:parallel_env",
        "teams": tuple((agent,) for agent in agents),
        "turn_based": False,
        "requires": ("pettingzoo", "pygame"),
        "pip": f'"pettingzoo[{family}]"',
        "rules": rules_of(id),
        "seat_titles": dict(zip(agents, titles, strict=False)),
        "seat_notes": {agent: note for agent, note in zip(agents, notes, strict=False) if note},
    } | more
    facts.setdefault("outcome", "cooperative" if len(facts["teams"]) == 1 else "versus")
    return GameSpec(id=id, title=title, summary=summary, agents=agents, **facts)


def make_env(function: Any, *, render_mode: str | None = None, kwargs: Mapping[str, Any] | None = None) -> Any:
    """Call an env function, with ``render_mode`` only if it takes one."""
    try:
        known = inspect.signature(function).parameters
        takes_mode = "render_mode" in known or any(p.kind is p.VAR_KEYWORD for p in known.values())
    except (TypeError, ValueError):
        takes_mode = True
    mode = {"render_mode": render_mode} if takes_mode else {}
    return function(**mode, **(kwargs or {}))


def load_entry(entry: str, *, hint: str = "") -> Any:
    """Import the object that ``module:function`` names, also from the current directory.

    Raises GameError, with the pip command for a missing package.
    """
    module_name, _colon, name = entry.partition(":")
    try:
        module = _import_also_from_here(module_name)
    except ImportError as error:
        if hint:
            raise not_installed(error, hint, module_name) from error
        words = f"expected to import {module_name!r}, got: {error}; looked in {os.getcwd()} too"
        raise GameError(words, code="not_installed", missing=Missing(error.name or module_name)) from error
    if not hasattr(module, name):
        raise GameError(f"expected {module_name!r} to have a function {name!r}, got a module without it")
    return getattr(module, name)


def not_installed(error: ImportError, pip: str, module: str = "") -> GameError:
    """Return the error of a module, else of what it needs, that is missing, with the pip command."""
    missing = Missing(error.name or module, f"pip install {pip}")
    words = f"expected to import {module or error.name!r}, got: {error}; install it with: {missing.command}"
    return GameError(words, code="not_installed", missing=missing)


def _import_also_from_here(module_name: str) -> Any:
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        here = os.getcwd()
        if error.name != module_name.partition(".")[0] or here in sys.path:
            raise
        sys.path.append(here)  # last, so that a stray file shadows no package
        importlib.invalidate_caches()
        return importlib.import_module(module_name)
