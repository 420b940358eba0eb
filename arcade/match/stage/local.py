"""LocalStage: an env in this process; RuledActions: applies StageRules (sticky actions, frame skip)."""

from __future__ import annotations

import dis
import io
import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any

import numpy as np

from agents.seats.controller import MOVES, Action, AgentID, packed_start
from agents.spaces import is_legal
from arcade.games.figures import Places
from arcade.games.scores import Points, Reader
from arcade.games.spec import GameError, GameSpec, load_entry
from arcade.match.stage.contract import ContractError, TickCheck, check_ids
from arcade.match.stage.drivers import Driver, make_driver, seat_spaces, without_mask
from arcade.match.stage.episode_states import EpisodeStates, LocalState, copied
from arcade.match.stage.rules import PLAIN, StageRules
from arcade.match.stage.stage import Stage, StageError
from arcade.match.stage.state import StageState
from arcade.match.stage.tick import Frame, Tick, View, same_value
from arcade.match.states.errors import StateError

TRACEBACK_LINES = 16
_RAISE = dis.opmap["RAISE_VARARGS"]
_log = logging.getLogger(__name__)


class LocalStage(Stage):
    """Steps the env at the call itself, so `poll` always has the Tick.

    With `render` each Tick has its frame; without it `look` draws one on demand where `drawable`.  `checked` is as in
    `make_driver`.
    """

    def __init__(
        self, spec: GameSpec, *, render: bool = False, drawable: bool = False, checked: bool = True,
        rules: StageRules = PLAIN,
    ) -> None:  # fmt: skip
        self.spec, self.rules, self._checked, self._render, self.start = spec, rules, checked, render, spec.start
        self._ruled: RuledActions | None = None  # of this episode, where there are rules
        self._render_mode = _render_mode(spec, render=render, drawable=drawable)
        self._env: Any = None
        self._index = 0  # of the tick under way
        self._driver = self._make()
        self._is_used, self._notes = False, spec.can_search
        self._view: Callable[[Any, AgentID | None], View] | None = load_entry(spec.table) if spec.table else None
        self._figures: Callable[[Any], Places] | None = load_entry(spec.figures) if spec.figures else None
        self._observe: dict[str, Callable[[Any], Mapping[AgentID, Any]]] = {}  # by observation type
        self._seed, self._begins_with = 0, ""  # of this episode
        self._read_score: Reader = _no_score  # of this episode
        declared = seat_spaces(self._env, spec)
        self._spaces = {agent: (without_mask(seen), action) for agent, (seen, action) in declared.items()}
        self._other_spaces = _other_spaces(self._env, spec)
        self._check = TickCheck(self._spaces).check
        self._tick: Tick | None = None
        self._newest: Tick | None = None  # also after it was handed over
        self._states = EpisodeStates(spec.stalls)
        self._played: list[Action] = []  # in a game that can be searched

    @property
    def ready(self) -> bool:
        return True

    @property
    def spaces(self) -> Mapping[AgentID, tuple[Any, Any]]:
        return self._spaces

    @property
    def other_spaces(self) -> Mapping[str, Any]:
        return self._other_spaces

    def reset(self, seed: int) -> None:
        if self._is_used and self.spec.keeps_state:
            self._driver = self._make()  # a reset of the old env would not be the seed's own episode
        self._is_used, self._seed, self._begins_with = True, seed, self.start
        self._states = EpisodeStates(self.spec.stalls)
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        self._index = 0
        self._played = []
        self._tick = self._guard(lambda: self._reset_driver(seed))
        self._ruled = RuledActions(self.rules, seed, self._tick, self._spaces) if self.rules.any else None
        self._begin_score(self._tick)
        if self.obs_types:
            self._guard(lambda: self._add_observations(self._tick))
        if self._render:
            self._look(self._tick)
        self._newest = self._tick

    def _reset_driver(self, seed: int) -> Tick:
        tick = self._driver.reset(seed)
        if self._begins_with:
            self._set_start(self._begins_with)
            tick = self._driver.look()
        self._check(tick)
        return tick

    def _set_start(self, start: str) -> None:
        if not self.spec.set_start:
            raise GameError(f"expected {self.spec.id} to begin with its own position, got: {start:.80}")
        try:
            load_entry(self.spec.set_start)(self._env, start)
        except ValueError as error:
            raise GameError(f"expected a position of {self.spec.id}, got: {start:.80} ({error})") from error

    def step(self, actions: Mapping[AgentID, Action]) -> None:
        self._index += 1
        self._states.note(actions)
        if self._notes:
            self._played.extend(actions.values())
        try:
            tick = self._ruled.step(actions, self._driver.step) if self._ruled else self._driver.step(actions)
            self._check(tick)
            tick.score = self._read_score(tick)
            if self.obs_types:
                self._add_observations(tick)
        except BaseException as error:
            raise self._failed(error) from error
        if self._render and (self.draws or not tick.acting):
            self._look(tick)
        self._tick = self._newest = tick

    def replay(self, moves: Sequence[Mapping[AgentID, Action]], anew: bool = False) -> None:
        if anew:
            self.reset(self._seed)
        self._play(moves)

    def _play(self, moves: Sequence[Mapping[AgentID, Action]], *, shown: bool = True) -> None:
        draws, self.draws = self.draws, False
        for actions in moves:
            self.step(actions)
            assert self._tick is not None
            if self._tick.over:
                break
        self.draws = draws
        if self._render and shown and self._tick is not None:
            self._look(self._tick)

    def save(self, *, whole: bool = True) -> StageState:
        tick = self._newest
        if tick is None:
            raise StateError(f"expected an episode of {self.spec.id} to save, got a stage before its first reset")
        if whole:
            self._look_once(tick)
        try:
            return self._states.save(tick.index, copied(tick) if whole else None, *self._parts)
        except StateError as error:
            self.cannot_save = str(error)
            raise

    @property
    def _parts(self) -> tuple[Any, ...]:
        """All that an episode changes, but for the index of the tick."""
        return self._env, self._driver, self._ruled, self._read_score

    def load(self, state: StageState, moves: Sequence[Mapping[AgentID, Action]] = (), *, shown: bool = True) -> None:
        state.check(self._states.episode)
        local: LocalState = state.held
        if local.tick is None and not moves:
            raise StateError("expected moves to play from a state that was not saved whole, got none")
        self._guard(lambda: self._go_back(local))
        self._tick = self._newest = replace(local.tick) if local.tick is not None else None
        if local.moves or moves:
            self._play((*local.moves, *moves), shown=shown)
        else:
            self._complete_observations()

    def play_here(self, moves: Sequence[Mapping[AgentID, Action]], *, shown: bool = True) -> None:
        """As `load`, in a copy of the process that waited at that moment."""
        if moves:
            self._play(moves, shown=shown)
            return
        assert self._newest is not None
        self._tick = replace(self._newest)
        self._look_once(self._tick)
        self._complete_observations()

    def _go_back(self, local: LocalState) -> None:
        self._states.back_at(local)
        if local.start is None:
            self._begin(self._seed)
        else:
            local.start.restore()
            self._env, self._driver, self._ruled, self._read_score = local.start.roots
            self._index = local.start_index
            del self._played[self._index :]

    @property
    def states_size(self) -> int:
        return self._states.size

    def poll(self, timeout: float = 0.0) -> Tick | None:
        tick, self._tick = self._tick, None
        return tick

    def look(self) -> Tick:
        """A Tick with only the present picture, views or words."""
        tick = Tick(0, ())
        self._look(tick)
        return tick

    def _look_once(self, tick: Tick) -> None:
        """Add what a tick shows, where that was left out as it was played."""
        if self._render and not (tick.views or tick.text) and tick.frame is None:
            self._look(tick)

    def _complete_observations(self) -> None:
        """Add the observations that seats asked for since the tick was saved."""
        if self._tick is not None and self.obs_types - self._tick.other_observations.keys():
            self._guard(lambda: self._add_observations(self._tick))

    def _add_observations(self, tick: Tick) -> None:
        """Add the observations of other types that seats asked for."""
        tick.other_observations = {name: self._observed(name) for name in self.obs_types}

    def observe(self, obs_type: str) -> Mapping[AgentID, Any]:
        """The observations of another type at the newest tick, without `obs_types`; raises StageError."""
        seen: Mapping[AgentID, Any] = self._guard(lambda: self._observed(obs_type))
        return seen

    def _observed(self, name: str) -> Mapping[AgentID, Any]:
        if name not in self._observe:
            self._observe[name] = self._observe_moves if name == MOVES else load_entry(self.spec.obs_types[name])
        return self._observe[name](self._env)

    def _observe_moves(self, env: Any) -> Mapping[AgentID, Any]:
        """All seats of a board game see all moves, and the position before them."""
        return dict.fromkeys(self.spec.agents, np.array([*packed_start(self._begins_with), *self._played], np.int64))

    def _look(self, tick: Tick) -> None:
        """Add to the Tick the seats' views where there is a table, else a picture or words."""
        view = self._view
        if view is not None:
            tick.views = self._guard(lambda: {seat: view(self._env, seat) for seat in (None, *self.spec.agents)})
        elif self._render_mode:
            tick.frame, tick.text = self._guard(lambda: _render(self._env))
            if self.locates and tick.frame is not None:
                tick.figures = self._locate()

    def _locate(self) -> Places:
        """Where the figures are; nothing where the game cannot be asked, for example another version of it."""
        if self._figures is None:
            return {}
        try:
            return self._figures(self._env)
        except Exception as error:  # noqa: BLE001  (a match without markers is better than none)
            _log.warning("%s: no places of figures: %s: %s", self.spec.id, type(error).__name__, error)
            self._figures = None
            return {}

    def close(self) -> None:
        env, self._env = self._env, None
        if env is not None:
            try:
                env.close()
            except BaseException as error:  # the results are valid however a game ends
                if is_interrupt(error):
                    raise
                _log.warning("%s failed to close: %s: %s", self.spec.id, type(error).__name__, error)

    def _begin_score(self, tick: Tick) -> None:
        source = self.spec.score.source
        if source is not None:
            self._read_score = self._guard(lambda: source.begin(self._env, self.spec.teams))
            tick.score = self._guard(lambda: self._read_score(tick))

    def _make(self) -> Driver:
        self.close()
        self._env = self._guard(lambda: self.spec.make(render_mode=self._render_mode))
        self._guard(lambda: check_ids(getattr(self._env, "possible_agents", ()), where="possible_agents"))
        driver: Driver = self._guard(lambda: make_driver(self._env, self.spec, checked=self._checked))
        return driver

    def _guard(self, call: Any) -> Any:
        try:
            return call()
        except BaseException as error:
            raise self._failed(error) from error

    def _failed(self, error: BaseException) -> StageError:
        """The error of the game; raises an interrupt from the keyboard again."""
        if is_interrupt(error):
            raise error
        if isinstance(error, ContractError):
            return StageError(self.spec.id, f"the game breaks PettingZoo's contract: {error}")
        if isinstance(error, GameError) and error.code == "not_installed":
            return StageError(self.spec.id, str(error), code=error.code, missing=error.missing)
        lines = "".join(traceback.format_exception(error)).rstrip().splitlines()
        details = "\n".join(lines[-TRACEBACK_LINES:])
        when = f" at tick {self._index}" if self._index else ""
        return StageError(self.spec.id, f"the game failed{when}: {type(error).__name__}: {error}", details=details)


def is_interrupt(error: BaseException) -> bool:
    """Whether it is Ctrl-C, and no KeyboardInterrupt that a game raises by itself.

    Python raises the one of a signal between two instructions; only that of a game comes from a raise statement.
    """
    trace = error.__traceback__
    if not isinstance(error, KeyboardInterrupt) or trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] != _RAISE


def _no_score(tick: object) -> Points:
    return ()


def _other_spaces(env: Any, spec: GameSpec) -> dict[str, Any]:
    """The spaces that policies learn from, by type; "" is the usual one where the env's own is another."""
    known = dict(load_entry(spec.obs_spaces)(env)) if spec.obs_spaces else {}
    return known | ({"": known[spec.plain_obs_type]} if known and spec.learnt_obs_type else {})


def _render_mode(spec: GameSpec, *, render: bool, drawable: bool) -> str | None:
    """The env's render mode; None where its drawing is not needed, as for a table, which is drawn from views.

    Modes other than pictures are for the window alone, since some open one.
    """
    wanted = render or (drawable and spec.render_mode == "rgb_array")
    return spec.render_mode or None if wanted and not spec.table else None


def _render(env: Any) -> tuple[Frame | None, str]:
    """The env's picture, or None and the text that it returns or prints; neither for a game that draws nothing.

    PettingZoo's base classes raise NotImplementedError where a game draws nothing.
    """
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            drawn = env.render()
    except NotImplementedError:
        return None, ""
    if isinstance(drawn, np.ndarray) and drawn.ndim == 3:
        return drawn, ""
    return None, drawn if isinstance(drawn, str) else printed.getvalue().rstrip()


class RuledActions:
    """The executed actions of one episode that begins with the tick `first`; chance follows from the episode's seed."""

    def __init__(self, rules: StageRules, seed: int, first: Tick, spaces: Mapping[AgentID, tuple[Any, Any]]) -> None:
        self._rules, self._newest, self._spaces = rules, first, spaces
        self._rng = np.random.default_rng((seed, 0x571C))  # not what the game, or a seat, draws from that seed
        self._done: dict[AgentID, Action] = {}

    def step(self, sent: Mapping[AgentID, Action], play: Callable[[Mapping[AgentID, Action]], Tick]) -> Tick:
        """The Tick that `play` makes of the executed actions; it holds those that differ from `sent`."""
        done = self._executed(sent)
        self._newest = play(done)
        self._newest.executed = {
            agent: action for agent, action in done.items()
            if action is not sent[agent] and not same_value(action, sent[agent])
        }  # fmt: skip
        return self._newest

    def _executed(self, sent: Mapping[AgentID, Action]) -> dict[AgentID, Action]:
        """The action to execute for `sent`; a repeated one must be legal now."""
        decides, chance = self._rules.decides_at(self._newest.index), self._rules.sticky_actions
        dice = self._rng.random(len(sent)) if decides and chance else None
        masks, done = self._newest.action_masks, dict(sent)
        for place, agent in enumerate(sent):
            again = self._done.get(agent)
            repeats = not decides or (dice is not None and dice[place] < chance)
            if repeats and again is not None and is_legal(again, self._spaces[agent][1], masks.get(agent)):
                done[agent] = again
        self._done |= done
        return done
