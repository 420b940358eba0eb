"""Which recordings are held out: the same whoever asks."""

import pytest

from arcade.recordings.query import held_out

IDS = {f"volley-20261121-{number:06d}": number for number in range(1000)}


def some(start, end):
    return dict(list(IDS.items())[start:end])


def test_about_the_share_asked_for_is_held_out_and_recordings_that_come_later_move_none():
    first = held_out(some(0, 500), share=0.2)
    assert len(first) == pytest.approx(100, abs=30)
    assert held_out(dict(reversed(IDS.items())), share=0.2) & some(0, 500).keys() == first


@pytest.mark.parametrize("count", [2, 3, 5])
def test_of_few_recordings_some_are_for_either(count):
    for begin in range(0, 50, count):
        ids = some(begin, begin + count)
        assert 1 <= len(held_out(ids, share=0.05)) < count
        assert 1 <= len(held_out(ids, share=0.99)) < count


def test_of_one_recording_nothing_is_held_out():
    assert held_out(some(0, 1)) == frozenset()


def test_a_match_and_what_goes_on_from_it_are_on_one_side():
    again = {f"{id}-again": seed for id, seed in IDS.items()}
    apart = held_out({**IDS, **again})
    assert apart == held_out(IDS) | {f"{id}-again" for id in held_out(IDS)}


def test_the_same_matches_recorded_again_are_split_alike():
    again = {f"volley-20270101-{number:06d}": seed for number, seed in enumerate(IDS.values())}
    assert {IDS[id] for id in held_out(IDS)} == {again[id] for id in held_out(again)}


@pytest.mark.parametrize("count", [2, 3, 5])
def test_takes_that_all_have_one_seed_count_as_matches_of_their_own(count):
    assert 1 <= len(held_out(dict.fromkeys(some(0, count), 7))) < count
