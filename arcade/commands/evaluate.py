"""What ``arcade evaluate`` does, behind its options."""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agents.errors import UserError
from agents.home import folder, home

if TYPE_CHECKING:  # as in playing: not to be waited for by `arcade --help`
    from agents.snapshots.store import SnapshotStore
    from arcade.match.batch.evaluation import Evaluation
    from arcade.match.batch.in_process import LocalMatches
    from arcade.match.batch.plan import Played
    from arcade.match.stage.local import LocalStage


class EvaluateError(UserError):
    """Options that do not go together."""


@dataclass(frozen=True, kw_only=True)
class EvaluateRequest:
    """The options of ``arcade evaluate``; see its help."""

    game: str
    seats: tuple[str, ...] = ()
    episodes: int = 100
    seed: int | None = None
    max_ticks: int | None = None
    swap: bool | None = None  # None: where the lineup allows it
    workers: int | None = None  # None: as many as are worth their start
    sticky_actions: float = 0.0
    frame_skip: int = 1
    ladder: bool = False
    as_json: bool = False

    def __post_init__(self) -> None:
        if self.seed is not None and self.seed >= 2**32:
            raise EvaluateError(f"expected --seed < 2**32, got: {self.seed}")


def evaluate(request: EvaluateRequest) -> int:
    """Play, print what came of it, and return the exit status: 1 where a match failed."""
    from arcade.commands import evaluate_text
    from arcade.commands.play import ai_lineup
    from arcade.games import open_game
    from arcade.match.batch.evaluation import Evaluation, pin, summarise
    from arcade.match.batch.in_process import LocalMatches
    from arcade.match.play.lineup import open_store
    from arcade.match.stage.rules import StageRules

    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    spec, store = open_game(request.game), open_store(folder("snapshots"))
    lineup = pin(ai_lineup(spec, request.seats, store), spec, store)
    rules = StageRules(sticky_actions=request.sticky_actions, frame_skip=request.frame_skip)
    rules.check(spec)
    evaluation = Evaluation(
        spec=spec, lineup=lineup, episodes=request.episodes, max_ticks=request.max_ticks, rules=rules,
        seed=secrets.randbelow(2**31) if request.seed is None else request.seed,
    )  # fmt: skip
    with LocalMatches(evaluation.plan(store)) as matches:
        stage = matches.prepare(range(spec.seats))
        why_not_swap = _why_not_swap(request, stage, evaluation, store)
        evaluation = replace(evaluation, swap=not why_not_swap)
        began = time.perf_counter()
        played = _play(request, evaluation, matches)
        seconds = time.perf_counter() - began
    data = summarise(evaluation, played, store=store) | {"why_not_swapped": why_not_swap}
    data["timing"] = {"seconds": seconds, "ticks_per_second": data["ticks"] / seconds}
    print(json.dumps(data)) if request.as_json else evaluate_text.print_evaluation(data)
    evaluate_text.print_failures(data["failures"])
    return 1 if data["failures"] else 0


def _why_not_swap(request: EvaluateRequest, stage: LocalStage, evaluation: Evaluation, store: SnapshotStore) -> str:
    """Why the players keep their sides, "" where they change them.  Raises EvaluateError where --swap is impossible."""
    from arcade.match.play.sides import why_not_swap

    if request.swap is False:
        return "--no-swap was given"
    reason = why_not_swap(stage, evaluation.lineup, store=store) if request.episodes > 1 else "one match has one side"
    if reason and request.swap:
        raise EvaluateError(f"expected players that can change sides with --swap, got: {reason}; leave it out")
    return reason


def _play(request: EvaluateRequest, evaluation: Evaluation, matches: LocalMatches) -> list[Played]:
    from agents.ladder.ladder import Ladder
    from arcade.commands.evaluate_text import watched
    from arcade.match.batch.processes import play_in_order

    results = play_in_order(matches, evaluation.fixtures(), workers=request.workers)
    with ExitStack() as stack:
        ladder = stack.enter_context(Ladder(home() / "ladder.sqlite")) if request.ladder else None
        played = []
        for one in watched(results, evaluation.episodes, quiet=request.as_json):
            played.append(one)
            if ladder and one.result and one.result.rated:
                ladder.add(one.result.as_json())
    return played
