"""Every seed fixes an Atari episode, also those that the emulator takes for the time of day."""

from __future__ import annotations

import pytest

from arcade.games import find_game
from arcade.games.house.atari_seeds import INSTEAD
from arcade.match.stage.local import LocalStage

DIFFERENT = "atari/entombed_competitive_v3"  # each seed builds a maze of its own


def memory(seed: int) -> bytes:
    with LocalStage(find_game(DIFFERENT)) as stage:
        stage.reset(seed)
        seen: bytes = stage.observe("ram")["first_0"].tobytes()
    return seen


@pytest.mark.parametrize("seed", [0, 2**32])
def test_a_seed_of_no_bits_is_not_the_time_of_day(seed: int) -> None:
    assert memory(seed) == memory(INSTEAD)
    assert memory(seed) != memory(1)
