"""Inspects an unknown game by making its env once, in a child process.

An unknown env may print, hang, crash or quit pygame, so it is never made in the calling process.
The child, ``python -m arcade.games.third_party.probe MODULE:FUNCTION``, writes its answer as a line of hexadecimal
msgpack.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from typing import Any

from agents.errors import ErrorCode
from agents.platform.children import end_with_parent, start_child
from agents.seats.controller import AgentID
from arcade.games.spec import GameError, GameSpec, Missing, load_entry, make_env

LIMIT = 60.0  # seconds for the child to import the game, make it and reset it
DEFAULT_FPS = 30.0  # for a game whose metadata name no render_fps
_MARK = "arcade-probe:"  # prefix of the answer; the game's own output lacks it
_LAST_LINES = 6

Answer = GameSpec | tuple[str, ErrorCode, Missing | None] | None
"""The spec, an error's message, code and missing module, or None where the word names a GameSpec itself."""


def probe_in_child(word: str, *, limit: float = LIMIT) -> GameSpec:
    """Return the spec that ``module:function`` names, or that of the env that it makes.

    Raises GameError with the end of the child's traceback.
    """
    quiet = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    quiet["PYTHONPATH"] = os.pathsep.join(part or os.getcwd() for part in sys.path)
    try:
        child = _run([sys.executable, "-m", "arcade.games.third_party.probe", word], quiet, limit)
    except subprocess.TimeoutExpired as error:
        raise GameError(f"expected {word!r} to make its env within {limit:g} s, got nothing") from error
    answer = _read_answer(word, child)
    if isinstance(answer, tuple):
        text, code, missing = answer
        raise GameError(text, code=code, missing=missing)
    spec: GameSpec = answer or load_entry(word)
    return spec


def _run(command: list[str], env: dict[str, str], limit: float) -> subprocess.CompletedProcess[str]:
    pipe = subprocess.PIPE
    with start_child(
        command, env=env, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, errors="replace"
    ) as child:
        try:
            out, err = child.communicate(timeout=limit)
        finally:
            child.kill()
    return subprocess.CompletedProcess(command, child.returncode, out, err)


def _read_answer(word: str, child: subprocess.CompletedProcess[str]) -> Answer:
    import msgspec  # on demand: most games are known

    for line in reversed(child.stdout.splitlines()):
        if line.startswith(_MARK):
            answer: Answer = msgspec.msgpack.decode(bytes.fromhex(line.removeprefix(_MARK)), type=Answer)
            return answer
    ending = "\n".join(child.stderr.rstrip().splitlines()[-_LAST_LINES:])
    raise GameError(f"expected {word!r} to make a PettingZoo env, got exit code {child.returncode}:\n{ending}")


def look_at(env: Any, *, word: str, may_play: bool = False) -> GameSpec:
    """Reset a PettingZoo env, or where it `may_play` play a little, and return its spec.

    An env declares no teams: they are guessed from rewards and names.  Raises GameError for other objects.
    """
    from arcade.games.third_party import sides
    from arcade.games.third_party.guess import guess  # needs numpy, which callers avoid

    is_aec = hasattr(env, "agent_iter") and hasattr(env, "observe")
    if not is_aec and not (hasattr(env, "step") and hasattr(env, "observation_space")):
        raise GameError(f"expected {word} to return a PettingZoo AECEnv or ParallelEnv, got: {env!r}")
    env.reset(seed=0)
    spaces = _action_spaces(env, word)
    metadata = getattr(env, "metadata", None) or {}
    turn_based = is_aec and not metadata.get("is_parallelizable", False)
    guesses = {agent: guess(env, agent, space, turn_based=turn_based) for agent, space in spaces.items()}
    outcome, teams = sides.guess_sides(env, tuple(spaces), may_play=may_play)
    return GameSpec(
        id=word,
        title=_title(str(metadata.get("name") or word.partition(":")[0].rpartition(".")[2])),
        entry=word,
        agents=tuple(spaces),
        teams=teams,
        turn_based=turn_based,
        fps=_fps(metadata.get("render_fps")),
        render_mode=_render_mode(metadata.get("render_modes")),
        outcome=outcome,
        seat_titles=sides.titles(tuple(spaces)),
        summary="A game from outside the catalogue.",
        seat_action_names={agent: names for agent, (names, _) in guesses.items() if names},
        controls={agent: controls for agent, (_, controls) in guesses.items()},
    )


def _action_spaces(env: Any, word: str) -> dict[AgentID, Any]:
    agents = list(getattr(env, "possible_agents", None) or env.agents)
    strange = [agent for agent in agents if isinstance(agent, bool) or not isinstance(agent, (str, int))]
    if strange or not agents:
        raise GameError(f"expected {word} to have agents with str or int ids, got: {strange or agents!r}")
    if len(set(agents)) < len(agents):
        raise GameError(f"expected {word} to have each agent id once, got: {agents!r}")
    for agent in agents:
        env.observation_space(agent)
    # Plain numbers and texts, as messages hold them, in place of NumPy's or an enum's.
    plain = {agent: int(agent) if isinstance(agent, int) else str.__str__(agent) for agent in agents}
    return {plain[agent]: env.action_space(agent) for agent in agents}


def _fps(value: Any) -> float:
    usable = isinstance(value, (int, float)) and math.isfinite(value) and value > 0
    return float(value) if usable else DEFAULT_FPS


def _render_mode(modes: Any) -> str:
    """Return the best render mode of an env; "rgb_array" where it declares none."""
    if not isinstance(modes, (list, tuple)):
        return "rgb_array"
    return next((mode for mode in ("rgb_array", "ansi", "human") if mode in modes), "")


def _title(name: str) -> str:
    """Return a name for people: ``simple_tag_v3`` is Simple Tag, ``CaptureTheFlag-v0`` Capture The Flag."""
    plain = re.sub(r"[_-]v\d+$", "", name)
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+", " ", plain).split()
    return " ".join(word if word.isupper() else word.capitalize() for word in words) or "Untitled"


def _answer(word: str) -> Answer:
    try:
        entry = load_entry(word)
        if isinstance(entry, GameSpec):
            return None
        if not callable(entry):
            raise GameError(f"expected {word!r} to name a function that makes an env, got: {entry!r}")
        return look_at(make_env(entry), word=word, may_play=True)
    except GameError as error:
        return str(error), error.code, error.missing


if __name__ == "__main__":
    import msgspec

    end_with_parent()
    print(f"\n{_MARK}{msgspec.msgpack.encode(_answer(sys.argv[1])).hex()}", flush=True)
    os._exit(0)  # also ends the env's remaining threads
