"""GuestViews: takes the host's views at a machine that does not run the game, and asks for what is missing."""

from __future__ import annotations

from collections.abc import Callable

from arcade.language import _
from arcade.together.local_play import LocalPlay
from arcade.together.messages import Message, Reveal, View, Want
from arcade.together.terms import SessionError
from arcade.together.views.view_play import ViewPlay

ASK_EVERY = 1.0

REVEAL_PATIENCE = 30.0
"""Seconds in which a host that answers must show the whole match at its end."""


class GuestViews:
    """Of one guest, whose `play` is there once it has joined."""

    def __init__(self, send: Callable[[Message], None], play: Callable[[], LocalPlay | None]) -> None:
        self._send, self._play = send, play
        self._asked_at = 0.0
        self._shown_at: float | None = None  # the end was shown then

    def on_view(self, message: View) -> None:
        """Take a view; raises SessionError for what is no view of the game."""
        play = self._play()
        if not isinstance(play, ViewPlay):
            return
        try:
            play.take_view(message)
        except ValueError as error:
            raise SessionError(
                _("expected views of the game from the host, got: {error}").format(error=error)
            ) from error

    def on_reveal(self, message: Reveal) -> None:
        play = self._play()
        if isinstance(play, ViewPlay) and play.is_shown:
            play.reveal(message)
            if play.terms.mode.is_secret:
                self._send(Want(tick=0))

    def update(self, now: float) -> None:
        """Ask for the whole match once its end was shown."""
        play = self._play()
        if not isinstance(play, ViewPlay) or play.shown is None or not play.shown.over or play.result is not None:
            return
        self._shown_at = now if self._shown_at is None else self._shown_at
        if now - self._shown_at > REVEAL_PATIENCE:
            play.give_up()
        elif now - self._asked_at >= ASK_EVERY:
            self._asked_at = now
            self._send(Want(tick=len(play.log)))
