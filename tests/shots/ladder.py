"""Pictures of the ladder: of a game of two players, of one that is played together, and of one not played yet."""

from __future__ import annotations

import itertools
import random

from agents.files import home
from agents.ladder.ladder import Ladder
from arcade.scenes import routes
from arcade.scenes.home.profile import ProfileScene
from arcade.scenes.ladder.ladder_scene import LadderScene
from tests.shots.camera import SEED, Shots

STRENGTHS = {"volley-000300": 5.0, "volley-000200": 3.4, "Ann": 2.6, "scripted": 2.2, "volley-000100": 1.0, "Bo": 0.7}
RING = ("rock-12", "paper-12", "scissors-12")
SCORES = {"ppo-000300": 82.0, "ppo-000100": 51.0, "Ann": 60.0, "random": 6.0}
ALIKE, TOGETHER, UNPLAYED = "house/volley", "butterfly/pistonball_v6", "classic/go_v5"
PAGES = ("", "-over-time", "-all-pairs", "-two-players", "-rings", "-statistics")


def take_ladder(shots: Shots) -> None:
    """Of results that nobody played."""
    with Ladder(home() / "ladder.sqlite") as ladder:
        add_duels(ladder)
        _together(ladder)
    scene = _show(shots, ALIKE)
    for page, name in zip(scene.pages, PAGES, strict=True):
        scene.turn_to(page)
        shots.take(f"ladder{name}")
    scene = _show(shots, TOGETHER)
    shots.take("ladder-scores")
    scene.turn_to(scene.pages[2])
    shots.take("ladder-partners")
    _show(shots, UNPLAYED)
    shots.take("ladder-empty")
    _profile(shots)


def _profile(shots: Shots) -> None:
    shots.engine.reset_to(routes.Profile("Ann"))
    profile = shots.engine.scene
    assert isinstance(profile, ProfileScene)
    shots.until(lambda: profile.sheet is not None, what="the matches of a person")
    for page, name in zip(profile.pages, ("", "-ratings", "-achievements"), strict=True):
        profile.turn_to(page)
        shots.take(f"profile{name}")


def _show(shots: Shots, game: str) -> LadderScene:
    scene = LadderScene(shots.services, routes.Ladder(game))
    shots.show(scene)
    shots.until(lambda: scene.book.read, what=f"the ladder of {game}")
    return scene


def add_duels(ladder: Ladder) -> None:
    """Players of all strengths, then three of whom each beats the next."""
    chance = random.Random(SEED)
    pairs = list(itertools.permutations(STRENGTHS, 2)) * 5
    chance.shuffle(pairs)
    for left, right in pairs:
        share = STRENGTHS[left] / (STRENGTHS[left] + STRENGTHS[right])
        _add_duel(ladder, left, right, left_wins=chance.random() < share)
    for number, name in enumerate(RING * 4):
        _add_duel(ladder, name, "Ann", left_wins=number % 2 == 0)
    for number in range(45):
        place = number % 3
        _add_duel(ladder, RING[place], RING[(place + 1) % 3], left_wins=number < 39)


def _add_duel(ladder: Ladder, left: str, right: str, *, left_wins: bool) -> None:
    ladder.add({
        "game": ALIKE, "lineup": {"left_0": left, "right_0": right}, "teams": [["left_0"], ["right_0"]],
        "placements": {"left_0": 1 if left_wins else 2, "right_0": 2 if left_wins else 1},
    })  # fmt: skip


def _together(ladder: Ladder) -> None:
    chance = random.Random(SEED)
    seats = ["piston_0", "piston_1"]
    for pair in itertools.product(SCORES, repeat=2):
        for _ in range(4):
            score = sum(SCORES[name] for name in pair) / 2 + chance.gauss(0, 6)
            ladder.add({
                "game": TOGETHER, "lineup": dict(zip(seats, pair, strict=True)), "teams": [seats],
                "placements": dict.fromkeys(seats, 1), "returns": dict.fromkeys(seats, score),
            })  # fmt: skip
