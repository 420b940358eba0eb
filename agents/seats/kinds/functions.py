"""``random``, ``idle``, ``scripted`` and ``python``: seats that code decides for."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from agents.seats.choice import LEVELS, SeatChoice, SeatError
from agents.seats.controller import Controller, SeatSpec
from agents.seats.kinds.kind import NamedSeatKind, SeatContext, SeatKind

if TYPE_CHECKING:
    from agents.policies.batch import BatchPolicy


class Random(SeatKind):
    """Draws evenly from the legal actions."""

    name = form = "random"
    title = "random moves"
    is_vectorised = True
    takes_limits = True

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.random import RandomController  # gymnasium takes long to import

        return RandomController()

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.random import RandomBatch

        return RandomBatch(places)


class Idle(SeatKind):
    """Does nothing."""

    name = form = "idle"
    title = "empty"

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.random import IdleController  # gymnasium takes long to import

        return IdleController()


class Python(NamedSeatKind):
    """Any function of (observation, action_mask, rng), imported when a seat is made."""

    name, form = "python", "python:module:function"
    takes_limits = True

    def check(self, argument: str) -> None:
        if argument.count(":") != 1:
            raise SeatError(f"expected {self.form}")

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.functions import FunctionController, load_function  # gymnasium takes long to import

        return FunctionController(load_function(choice.argument), label=choice.argument)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.functions import FunctionBatch, load_function

        return FunctionBatch(load_function(choice.argument), places, label=choice.argument)


class Scripted(SeatKind):
    """The game's own player; many seats are asked together where its module has `play_batch` beside `play`.

    One that takes a keyword ``level`` searches: it plays any difficulty level, normal if none is named, and a live
    seat of it thinks in a process of its own.
    """

    name = form = "scripted"
    title = "scripted player"
    settings = ("level",)
    is_vectorised = True
    takes_limits = True

    def describe(self, choice: SeatChoice) -> str:
        return ", ".join((self.title, *(value for _, value in choice.settings)))

    def make(self, choice: SeatChoice, seat: SeatSpec, context: SeatContext) -> Controller:
        from agents.policies.functions import FunctionController  # gymnasium takes long to import

        play, level = _function(context, seat.game), _level(choice)
        label = ", ".join((self.name, *([level] if choice.settings else [])))
        if "level" in inspect.signature(play).parameters:
            from agents.engines.thinking import ThinkingController

            return ThinkingController(context.scripted, level=level, label=label)
        if choice.settings:
            raise SeatError(f"expected scripted without a level in {seat.game}, got: {choice}")
        return FunctionController(play, label=label)

    def make_policy(self, choice: SeatChoice, places: Sequence[SeatSpec], context: SeatContext) -> BatchPolicy:
        from agents.policies.functions import FunctionBatch, VectorBatch

        play = _function(context, places[0].game if places else "this game")
        if "level" in inspect.signature(play).parameters:
            return FunctionBatch(partial(play, level=_level(choice)), places, label=str(choice))
        vectorised = getattr(sys.modules[play.__module__], f"{play.__name__}_batch", None)
        if vectorised is None:
            return FunctionBatch(play, places, label=self.name)
        return VectorBatch(lambda observations, masks, draws: vectorised(observations, draws), label=self.name)


def _level(choice: SeatChoice) -> str:
    level = dict(choice.settings).get("level", "normal")
    if level not in LEVELS:
        raise SeatError(f"expected scripted?level={'|'.join(LEVELS)}, got: {choice}")
    return level


def _function(context: SeatContext, game: str) -> Callable[..., Any]:
    from agents.policies.functions import load_function

    if not context.scripted:
        raise SeatError(f"expected a game with a scripted player, got {game}, which ships none; try random")
    return load_function(context.scripted)
