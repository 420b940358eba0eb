"""Monitors: the events of a socket's connections, as ZeroMQ reports them."""

from __future__ import annotations

import itertools

import zmq

from agents.wire.admission import context

_numbers = itertools.count(1)


def monitor(socket: zmq.Socket[bytes], events: int) -> zmq.Socket[bytes]:
    """A socket that receives the given events of `socket`, for ``parse_monitor_message``.

    pyzmq's own would have a queue of 1000 events.
    """
    place = f"inproc://monitor-{next(_numbers)}"
    socket.monitor(place, events)
    receiver = context().socket(zmq.PAIR)
    receiver.setsockopt(zmq.RCVHWM, 0)  # a full queue would block all sockets of the process
    receiver.setsockopt(zmq.LINGER, 0)
    receiver.connect(place)
    return receiver
