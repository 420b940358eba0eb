"""Every seed fixes an Atari episode, also those that the emulator takes for the time of day."""

from __future__ import annotations

import pytest

from arcade.games import find_game
from arcade.games.house.atari_seeds import INSTEAD

DIFFERENT = "atari/entombed_competitive_v3"  # each seed builds a maze of its own


def memory(seed: int) -> bytes:
    env = find_game(DIFFERENT).make()
    env.reset(seed=seed)
    seen: bytes = env.unwrapped.ale.getRAM().tobytes()
    env.close()
    return seen


@pytest.mark.parametrize("seed", [0, 2**32])
def test_a_seed_that_ends_in_32_bits_of_0_is_not_the_time_of_day(seed: int) -> None:
    assert memory(seed) == memory(INSTEAD)
    assert memory(seed) != memory(1)
