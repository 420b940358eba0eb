"""HostChecks: what a guest does not take from its host."""

from __future__ import annotations

from collections.abc import Callable

from agents.spaces import conform
from arcade.language import N_, _
from arcade.together import messages
from arcade.together.local_play import LocalPlay
from arcade.together.modes import MODES, Mode, mode_named
from arcade.together.phrases import EVERY
from arcade.together.rollback import same_moves
from arcade.together.terms import SessionError

MODE_NAMES = ", ".join(mode.name for mode in MODES)

LEAST_RATE = 0.01
"""Ticks a second of a match that has a rate."""

MOST_FORGOTTEN = 256
"""Sealed ticks in a match that the next hosts may forget: a host that is lost takes the newest of them along."""

_NEVER_SENT = N_("expected inputs of this machine as it sent them, got some that it never sent")

MOST_DIFFERENCES = 16
"""Times in a match that a machine plays it anew because the host says so."""


class HostChecks:
    """Of one guest; the checks raise SessionError, which ends its part of the match."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._said_at = dict[int, float]()  # of machines, by number
        self._unsent = 0  # the first tick of which this machine may have sent an input
        self._differences = self._forgotten = 0

    def lets_speak(self, machine: int) -> bool:
        """Whether a machine may say something now: no host fills the screen with phrases and news of others."""
        now = self._clock()
        is_free = now - self._said_at.get(machine, now - EVERY) >= EVERY
        if is_free:
            self._said_at[machine] = now
        return is_free

    def check_welcome(self, welcome: messages.Welcome) -> Mode:
        """The mode of the offer; refuses one that is unknown, and a rate at which nothing would ever happen."""
        mode = mode_named(welcome.mode)
        if mode is None or mode.is_secret != bool(welcome.commitment):
            words = _("expected a match in one of these modes: {modes}, got another of the host")
            raise SessionError(words.format(modes=MODE_NAMES))
        if 0 < welcome.rate < LEAST_RATE:
            words = _("expected {least} ticks a second or more, got {rate:g} of the host")
            raise SessionError(words.format(least=LEAST_RATE, rate=welcome.rate))
        return mode

    def check_kept(self, kept: int, sealed: int) -> None:
        """Refuse a next host that keeps `kept` of the ticks that are sealed here, and would play the others anew."""
        self._forgotten += max(0, sealed - kept)
        if self._forgotten > MOST_FORGOTTEN:
            words = _("expected the next host to keep what was sealed, {sealed} ticks, got {kept} of them")
            raise SessionError(words.format(sealed=sealed, kept=kept))

    def check_begin(self, play: LocalPlay, following: int) -> None:
        """Refuse a match that begins with inputs of this machine, which are next at tick `following`.

        In a game by turns others may have moved before the news of the beginning came.
        """
        if following and play.own and not play.spec.turn_based:
            raise SessionError(_(_NEVER_SENT))
        self._unsent = following

    def check_inputs(self, play: LocalPlay, first: int) -> None:
        """Refuse sealed inputs from tick `first` on that are not what this machine has sent for its seats."""
        for tick in range(first, len(play.log)):
            sealed = play.log[tick]
            if not self._unsent <= tick < play.inputs.next and any(agent in sealed for agent in play.first_own):
                raise SessionError(_(_NEVER_SENT))
            for agent, action in play.inputs.at(tick).items():
                sent = conform(action, play.stage.spaces[agent][1])
                if agent in sealed and not same_moves({agent: sent}, {agent: sealed[agent]}):
                    words = _("expected the input of {seat} at tick {tick} as it was sent, got another")
                    raise SessionError(words.format(seat=play.spec.seat_title(agent), tick=tick))

    @staticmethod
    def check_handover(play: LocalPlay, handover: messages.Handover, number: int) -> None:
        """Refuse to give a seat of this machine, which has that number, to another one."""
        if handover.player.peer != number and handover.seat in {str(agent) for agent in play.own}:
            words = _("expected to keep {seat}, got a host that gives it to another machine")
            raise SessionError(words.format(seat=play.spec.seat_title(handover.seat)))

    def check_difference(self) -> None:
        """Refuse to play a match anew for ever."""
        self._differences += 1
        if self._differences > MOST_DIFFERENCES:
            raise SessionError(_("expected a host that comes to the same result, got one that always has another"))

    @staticmethod
    def is_forfeit_of_ours(play: LocalPlay | None, end: messages.End | None) -> bool:
        """Whether the host has ended the match as a forfeit of a seat of this machine."""
        if end is None or play is None or play.result is None:
            return False
        return str(play.result.loser) in {str(agent) for agent in play.own}


def no_inputs(error: ValueError) -> SessionError:
    """For inputs of the host that are none of the game."""
    return SessionError(_("expected inputs of the game from the host, got: {error}").format(error=error))
