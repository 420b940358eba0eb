"""Which takes are held out: the same whoever asks."""

import pytest

from arcade.demos.split import held_out

IDS = [f"volley-20261121-{number:06d}" for number in range(1000)]


def test_about_the_share_asked_for_is_held_out_and_takes_that_come_later_move_none():
    first = held_out(IDS[:500], share=0.2)
    assert len(first) == pytest.approx(100, abs=30)
    assert held_out(reversed(IDS), share=0.2) & set(IDS[:500]) == first


@pytest.mark.parametrize("count", [2, 3, 5])
def test_of_few_takes_some_are_for_either(count):
    for begin in range(0, 50, count):
        ids = IDS[begin : begin + count]
        assert 1 <= len(held_out(ids, share=0.05)) < count
        assert 1 <= len(held_out(ids, share=0.99)) < count


def test_of_one_take_nothing_is_held_out():
    assert held_out(IDS[:1]) == frozenset()
