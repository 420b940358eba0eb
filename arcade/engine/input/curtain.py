"""Curtain: hides one player's secrets from the others at the same screen."""

from __future__ import annotations


class Curtain:
    """Lets one person look at a time, and only when that one says to be alone.

    The seats' controllers call it, with themselves as `who`::

        curtain.sit(who)        # a match begins
        curtain.wait(who, word) # a turn is due, to be played with the device of that word
        curtain.hides(who)      # True: show nothing of it, hear nothing but the press that lifts the curtain
        curtain.lift(who)       # that press
        curtain.done(who)       # the turn is played: the curtain falls
        curtain.leave(who)      # the match, or the seat, is over

    A person who sits alone never meets it.  Players are called in turn.  Where several are asked at once and
    each has a device, `together` is true until all have played: they may choose unseen, with no look at the screen.
    """

    def __init__(self) -> None:
        self._seats: list[object] = []
        self._waiting: list[object] = []
        self._words: list[str] = []  # devices of the players asked since none waited
        self._lifted = False

    @property
    def together(self) -> bool:
        return len(self._words) > 1 and len(set(self._words)) == len(self._words)

    @property
    def called(self) -> object | None:
        """The player whose turn it is to look; None while no turn is due, or one person sits alone."""
        return self._waiting[0] if self._waiting and len(self._seats) > 1 else None

    def sit(self, who: object) -> None:
        self.leave(who)
        self._seats.append(who)

    def wait(self, who: object, word: str) -> None:
        self.done(who)
        self._waiting.append(who)
        self._words.append(word)

    def hides(self, who: object) -> bool:
        return len(self._seats) > 1 and not (self._lifted and self.called is who)

    def lift(self, who: object) -> None:
        """Ignored where it is another player's turn to look."""
        self._lifted = self._lifted or self.called is who

    def fall(self) -> None:
        """The player must say once more to be alone: the screen was given up for a while."""
        self._lifted = False

    def done(self, who: object) -> None:
        if who in self._waiting:
            if self._waiting[0] is who:
                self._lifted = False
            self._waiting.remove(who)
        if not self._waiting:
            self._words.clear()

    def leave(self, who: object) -> None:
        self.done(who)
        if who in self._seats:
            self._seats.remove(who)
