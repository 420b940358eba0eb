"""Play: one seat's episode of an Atari game, decided from the console's memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from agents.policies.batch import Decide
from agents.seats.controller import Action, ActionMask, AgentID
from arcade.games.players.atari.skill import Skill

Memory = Sequence[int]
"""The 128 bytes of the console, by their address less 0x80."""

RAM, SCENE = "ram", "scene"
"""The observation types of the memory, as the Arcade Learning Environment calls it, and of memory and picture."""

PICTURE, GREY_PICTURE = "rgb_image", "grayscale_image"
"""Those of the picture, as the Arcade Learning Environment calls them; the first one is the env's own."""

_BYTES, _WIDTH = 128, 160
_LAPSE_MS = 400.0  # of a lapse of attention


def read_memory(env: Any) -> Mapping[AgentID, Any]:
    """The console's memory, uint8 (128,), for every seat."""
    raw = env.unwrapped
    return dict.fromkeys(raw.possible_agents, raw.ale.getRAM())


def read_picture(env: Any) -> Mapping[AgentID, Any]:
    """The picture, uint8 (lines, 160, 3), for every seat."""
    raw = env.unwrapped
    return dict.fromkeys(raw.possible_agents, raw.ale.getScreenRGB())


def read_grey_picture(env: Any) -> Mapping[AgentID, Any]:
    """The picture in grey, uint8 (lines, 160, 1), for every seat."""
    raw = env.unwrapped
    return dict.fromkeys(raw.possible_agents, raw.ale.getScreenGrayscale())


def spaces_of(env: Any) -> Mapping[str, Any]:
    """The spaces of the observations that the env can have as its own, by their types."""
    width, height = env.unwrapped.ale.getScreenDims()
    shapes = {RAM: (_BYTES,), PICTURE: (height, width, 3), GREY_PICTURE: (height, width, 1)}
    return {name: spaces.Box(0, 255, shape, np.uint8) for name, shape in shapes.items()}


def read_scene(env: Any) -> Mapping[AgentID, Any]:
    """The console's memory, then its picture line by line in the console's colours, uint8 (128 + lines x 160,)."""
    raw = env.unwrapped
    scene = np.concatenate((raw.ale.getRAM(), np.asarray(raw.ale.getScreen(), np.uint8).ravel()))
    return dict.fromkeys(raw.possible_agents, scene)


def screen_of(scene: Memory) -> NDArray[np.uint8]:
    """The picture of a scene, (lines, 160)."""
    return np.asarray(scene[_BYTES:], np.uint8).reshape(-1, _WIDTH)


def wrapped(off: float, around: float) -> float:
    """The shorter way there, from -around / 2 to around / 2, where `around` leads back to the start."""
    return (off + around / 2) % around - around / 2


def towards(off: float, slack: float, more: str, less: str) -> str:
    """The key that brings nearer what is `off` by so much: `more`, `less`, or "" for less than the slack."""
    return "" if abs(off) < slack else more if off > 0 else less


class Play(ABC):
    """One seat in one episode.

    `decide` is called at every tick with the memory now, of which a player reads its own figure, and the memory that
    it has seen, a reaction time ago, of which it reads all else.  It returns the name of an action, as in "up fire".
    """

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        self.place, self.rng, self.skill = place, rng, skill
        self.reaction = skill.reaction(60)

    @abstractmethod
    def decide(self, now: Memory, seen: Memory) -> str:
        """The action for this tick."""

    def misjudged(self, width: float) -> float:
        """A new error of judgement: normal, of `width` times the skill's error."""
        return float(self.rng.normal()) * width * self.skill.error


MakePlay = Callable[[int, np.random.Generator, Skill], Play]
"""(place of the seat among the game's agents, rng, skill) -> its play."""


def decide_by(play: Play, names: Sequence[str], fps: float) -> Decide:
    """The decisions of a play whose actions have these names, by index, under the limits of its skill."""
    skill, actions = play.skill, {name: index for index, name in enumerate(names)}
    views: deque[Memory] = deque(maxlen=skill.reaction(fps) + 1)
    held, ticks = 0, 0
    seen: Memory = ()
    lapse, left = round(_LAPSE_MS * fps / 1000), 0  # ticks
    chance = skill.absent / (lapse * (1 - skill.absent))  # that a lapse begins in a tick

    def decide(memory: Any, mask: ActionMask | None) -> Action:
        nonlocal held, ticks, left, seen
        now = memory.tolist() if len(memory) == _BYTES else memory  # a list is faster to read
        views.append(now)
        if not left or not skill.keeps_on:
            seen = views[0]
        chosen = actions[play.decide(now, seen)]
        is_absent = left > 0
        if is_absent:
            left -= 1
        elif chance and play.rng.random() < chance:
            is_absent, left = True, lapse
        if ticks % skill.hold == 0 and (skill.keeps_on or not is_absent):
            held = chosen
        ticks += 1
        return held

    return decide
