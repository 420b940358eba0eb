"""From hands to actions: which action of a seat's space the controls that count now mean.

The rows of the seat's SeatControls say it; each style of controls has a map of its own.
"""

from arcade.controls.action_maps.base import ActionMap
from arcade.controls.action_maps.make import make_action_map, seat_controls, seat_map

__all__ = ["ActionMap", "make_action_map", "seat_controls", "seat_map"]
