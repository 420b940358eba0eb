"""Curtain: hides a player's cards from the others at the same screen."""

from __future__ import annotations


class Curtain:
    """Shows the screen to one person at a time, after a press that confirms it.  Controllers pass themselves::

        curtain.sit(seat)        # a match begins
        curtain.wait(seat, word) # a turn is due, with the device of that word
        curtain.hides(seat)      # True: draw nothing of the seat, obey only the press that lifts the curtain
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
        """The player who may look next; None without a turn, or for a single person."""
        return self._waiting[0] if self._waiting and len(self._seats) > 1 else None

    def sit(self, seat: object) -> None:
        self.leave(seat)
        self._seats.append(seat)

    def wait(self, seat: object, word: str) -> None:
        self.done(seat)
        self._waiting.append(seat)
        self._words.append(word)

    def hides(self, seat: object) -> bool:
        return len(self._seats) > 1 and not (self._lifted and self.called is seat)

    def lift(self, seat: object) -> None:
        """Ignored where it is another player's turn to look."""
        self._lifted = self._lifted or self.called is seat

    def fall(self) -> None:
        """Ask the player to confirm again, after another scene was shown."""
        self._lifted = False

    def done(self, seat: object) -> None:
        if seat in self._waiting:
            if self._waiting[0] is seat:
                self._lifted = False
            self._waiting.remove(seat)
        if not self._waiting:
            self._words.clear()

    def leave(self, seat: object) -> None:
        self.done(seat)
        if seat in self._seats:
            self._seats.remove(seat)
