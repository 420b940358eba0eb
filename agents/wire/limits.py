"""Every number that bounds the wire: sizes of a message, what a peer may send and hold, how long a seat waits."""

from __future__ import annotations

# A message
MAX_MESSAGE_BYTES = 16 * 2**20
MAX_REQUEST_BYTES = 4 * 2**20  # to a server
MAX_STRING_BYTES = 64 * 2**10
MAX_LIST = 4096  # entries of a list
MAX_MAP = 1024  # entries of a map
MAX_PARTS = 2**15  # lists and maps of one value, each of which costs far more memory than it has bytes
MAX_DIMS = 8  # axes of an array
MAX_ARRAY_BYTES = 2**30  # of an array's sizes multiplied, each at least 1: numpy bounds this even for an empty array
MAX_NAME = 200  # characters
MAX_ERROR_TEXT = 2000  # characters

# A remote seat and its server
SILENCE = 1.0
"""Seconds without an answer after which the server counts as silent; also the least time between two hellos."""
HELLO_SECONDS = 5.0
"""Seconds from the first hello without a welcome after which the seat is given up."""
ANSWER_SECONDS = 20.0
"""Seconds of a match without one action after which the seat is given up."""
LOST_SECONDS = 5.0
"""Seconds without an action at the end of a match after which it is lost for the seat; SILENCE where its connection
is gone, or no action ever came."""
RETRY_SECONDS = 0.25
"""From an answer that was none to the next request for the same turn."""
MAX_WRONG = 3
"""Wrong answers, one after another, after which the seat is given up."""
MAX_UNASKED = 64
"""Replies beyond one to each request, after which the seat is given up."""
MAX_REPLY_BYTES = 2**20  # one reply to a seat
MAX_REPLIES = 64  # that wait in a seat's socket
MAX_REPLIES_READ = 64  # by one call of a seat

# A peer of a server
MESSAGES_A_SECOND = 5_000
"""Beyond these, and BYTES_A_SECOND, a peer's acts are taken a few at a time between those of others, and its other
requests are refused as busy."""
BURST_MESSAGES = 5_000
BYTES_A_SECOND = 64 * 2**20
BURST_BYTES = 64 * 2**20
COST_OF_HELLO, COST_OF_GET, COST_OF_LIST = 10, 20, 200  # messages that one counts as
COST_OF_MALFORMED = 10  # the same
MAX_FRAMES = 3  # of a message: the client's identity, a REQ client's empty frame, the message itself
MAX_SMALL_BYTES = 256 * 2**10  # a request; an act of a seat with larger observations may have their size
MAX_SEATS_A_PEER = 4096
MAX_PEERS = 16_384  # remembered at once
CONTROL_A_SECOND = 200  # requests to a trainer

# Work
MAX_DRAIN = 1024  # messages taken before any is answered
MAX_DRAIN_OVER = 8  # the same, of a peer beyond its limits
MAX_SMALL_DRAIN = 64 * 2**10  # bytes of a peer beyond its limits
NARROW_AFTER = 16  # messages beyond the limits, after which the connection is slowed down
NARROW_SECONDS = 1.0
NARROW_BYTES, WIDE_BYTES = 4 * 2**10, 256 * 2**10  # of the receive buffer of a connection: slowed down, and again not
MAX_SEATS = 65_536  # of a server
IDLE_SECONDS = 60.0  # a seat without an act may be forgotten where the server is full

# Replies and events
MAX_UNREAD = 16_384  # replies that wait for a peer; later ones are dropped
MAX_UNREAD_BYTES = 4 * 2**20  # the same
MAX_UNREAD_ALL_BYTES = 64 * 2**20  # beyond these in all, a client keeps its even share: one key may have many clients
MAX_SENT = 256  # messages that wait in a socket to leave to one peer
PART_BYTES = 64 * 2**10  # of a snapshot in one reply
MAX_LISTED = 1000  # snapshots in one reply
MAX_LISTED_BYTES = 256 * 2**10  # of the cards in one reply
HANDSHAKE_MS = 5_000  # for a new connection to show its key
MAX_REQUESTS_WAITING = 32  # of a peer, in the server's socket
MAX_WAITING_BYTES = 160 * 2**20  # of a connection: those requests, and more
MAX_UNFINISHED_BYTES = 16 * 2**20  # received of one message, more than the buffers of a kernel; then it is cut off
MAX_EVENT_BYTES = 4 * 2**20
MAX_EVENTS_WAITING = 256  # in a subscriber's socket
MAX_UNREAD_REPLY_BYTES = 32 * 2**20  # received and not read; then the server is cut off
MAX_UNREAD_EVENT_BYTES = 64 * 2**20  # the same, of a subscriber
