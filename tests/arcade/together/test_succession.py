"""The host of a match is lost, as a real process, and another machine takes its place."""

from __future__ import annotations

import signal

import pytest

from tests.support.online import WAYS, check_alike, check_finished, check_host_comes_back, check_host_replaced, host


@pytest.mark.parametrize("way", WAYS)
def test_a_host_without_seats_that_is_killed_is_replaced_and_nothing_is_lost(arcades, way):
    check_host_replaced(arcades, host(arcades, "volley", "--max-ticks", 900, "--no-record"), way)


def test_a_host_that_is_killed_comes_back_as_a_guest_of_the_next_host(arcades):
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 600, "--name", "Ada")
    check_host_comes_back(arcades, one, home="0")


@pytest.mark.parametrize("watchers", [0, 1])
def test_a_host_that_was_only_away_plays_on(arcades, watchers):
    """Without others its guest goes back to it; where others have come over to the next host, it does so itself."""
    one = host(arcades, "volley", "--seat", "left_0=scripted", "--max-ticks", 600, "--name", "Ada")
    others = [arcades("join", one.code, "--watch", "--name", "Cy") for _ in range(watchers)]
    for _ in others:
        one.wait_for("Cy")  # before the match, which is short
    two = arcades("join", one.code, "--seat", "right_0=random", "--name", "Ada")
    for each in (two, *others):
        each.wait_for("begins")
    one.process.send_signal(signal.SIGSTOP)
    two.wait_for("the match continues, hosted by Ada 2")  # after some seconds also without the others
    for each in others:
        each.wait_for("the host is back")
    one.process.send_signal(signal.SIGCONT)
    (one if watchers else two).wait_for("is the host now")
    for each in (one, two, *others):
        assert each.end()["agreed"], each.lines
    check_alike(one, two, *others)


def test_two_next_hosts_become_one(arcades):
    """One was away while the host was lost and another machine took its place: it believes that it is its turn, too."""
    one = host(arcades, "volley", "--max-ticks", 900, "--no-record")
    two = arcades("join", one.code, "--seat", "left_0=scripted", "--name", "Ada")
    one.wait_for("Ada")
    three = arcades("join", one.code, "--seat", "right_0=random", "--name", "Bob")
    for each in (two, three):
        each.wait_for("begins")
    three.process.send_signal(signal.SIGSTOP)
    one.kill()
    two.wait_for("the match continues, hosted by Ada")
    three.process.send_signal(signal.SIGCONT)
    check_finished(two, three)
