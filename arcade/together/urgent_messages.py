"""Urgent messages: inputs and sealed ticks by datagrams, each with the newest few ticks, so that one may be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agents.wire.messages import ProtocolError
from arcade.together.hosting.guests import Guest, Guests
from arcade.together.input_log import Inputs, foretold
from arcade.together.local_play import LocalPlay
from arcade.together.messages import (
    URGENT_FROM_HOST,
    URGENT_FROM_PEER,
    Foretold,
    Input,
    Message,
    Ping,
    Ticks,
    decode,
    encode,
)  # fmt: skip
from arcade.together.ways.datagrams import MAX_BYTES, HostDatagrams, PeerDatagrams

REPEATED = 8
"""Ticks of one datagram: so many in a row may be lost."""


def _frame(make: Callable[[int], Message | None], count: int = REPEATED) -> bytes | None:
    """The frame of as many ticks as a datagram holds; None for none."""
    while count:
        message = make(count)
        if message is None:
            return None
        frame = encode(message)
        if len(frame) <= MAX_BYTES:
            return frame
        count //= 2
    return None


class GuestUrgentMessages:
    """Of a machine that has joined; `channel` has its datagrams, None without any."""

    def __init__(self, channel: Callable[[], PeerDatagrams | None]) -> None:
        self._channel = channel

    def own_input(self, play: LocalPlay) -> None:
        """Send the newest inputs of this machine."""
        channel = self._channel()
        if channel is not None and play.terms.rate and (frame := _frame(play.inputs.recent)) is not None:
            channel.send(frame)

    def ping(self, ping: Ping) -> None:
        """Let the host, and the routers between, know where this machine is."""
        channel = self._channel()
        if channel is not None:
            channel.send(encode(ping))

    def hear(self) -> Iterator[Foretold | Ticks]:
        """What has come; damaged messages are dropped, since all of it comes again."""
        channel = self._channel()
        for frame in channel.hear() if channel is not None else ():
            if (message := _read(frame, URGENT_FROM_HOST)) is not None:
                yield message


class HostUrgentMessages:
    """Of the host, with its guests."""

    def __init__(self, channels: HostDatagrams | None, guests: Guests, clock: Callable[[], float]) -> None:
        self._channels, self._guests, self._clock = channels, guests, clock

    def admit(self, guest: Guest) -> None:
        """Give a machine its channel."""
        if self._channels is not None and not guest.channel:
            guest.channel, guest.channel_key = self._channels.admit()

    def forget(self, guest: Guest) -> None:
        if self._channels is not None and guest.channel:
            self._channels.forget(guest.channel)

    def hear(self) -> Iterator[tuple[Guest, Input]]:
        """The inputs that have come; of each machine as many a second as it needs."""
        now = self._clock()
        for name, frame in self._channels.hear() if self._channels is not None else ():
            guest, message = self._guests.with_channel(name), _read(frame, URGENT_FROM_PEER)
            if guest is not None and isinstance(message, Input) and guest.datagrams.take(1, now):
                yield guest, message

    def own_input(self, play: LocalPlay) -> None:
        """Send the newest inputs of the host's own seats."""
        if not play.terms.rate or self._channels is None:
            return

        def make(count: int) -> Foretold | None:
            found = play.inputs.recent(count)
            return Foretold(tick=found.tick, seats=found.seats) if found is not None else None

        self._send(_frame(make), None)

    def foretell(self, checked: Mapping[int, Inputs], sender: Guest) -> None:
        """Pass on the inputs of a machine to the others."""
        told = foretold(checked)
        if told is not None:
            self._send(encode(told), sender)

    def ticks(self, play: LocalPlay) -> None:
        """Send the newest sealed ticks."""
        if play.terms.rate and self._channels is not None:
            self._send(_frame(lambda count: play.log.message(max(0, len(play.log) - count))), None)

    def _send(self, frame: bytes | None, but: Guest | None) -> None:
        if frame is None or self._channels is None:
            return
        for guest in self._guests:
            if guest is not but and guest.channel and guest.is_live:
                self._channels.send(guest.channel, frame)


def _read(frame: bytes, kinds: Any) -> Any:
    try:
        return decode(frame, kinds, most=MAX_BYTES)
    except ProtocolError:
        return None
