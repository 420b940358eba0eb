"""Curtain: hides a player's cards from the others at the same screen."""

from __future__ import annotations


class Curtain:
    """Shows the screen to one person at a time, after a press that confirms it.  Controllers pass themselves::

        curtain.sit(seat)        # a match begins
        curtain.wait(seat, word) # a turn is due, to be played with the device of that word
        curtain.hides(seat)      # True: draw nothing of the seat, hear only the press that lifts the curtain
        curtain.lift(seat)       # that press
        curtain.done(seat)       # the turn is played: the curtain falls
        curtain.leave(seat)      # the match, or the seat, is over

    It never hides a single person's seat.
    """

    def __init__(self) -> None:
        self._seats: list[object] = []
        self._waiting: list[object] = []
        self._words: list[str] = []  # devices of the players asked since none waited
        self._lifted = False

    @property
    def together(self) -> bool:
        """Whether several players choose at once, each with a device of their own, and so may choose unseen."""
        return len(self._words) > 1 and len(set(self._words)) == len(self._words)

    @property
    def called(self) -> object | None:
        """The player whose turn it is to look; None without a turn, or for a single person."""
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
        """Ask the player to confirm again, after another scene was shown."""
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
