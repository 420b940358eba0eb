"""Recordings on the screen: the list, its totals, and the buttons to keep, rate, name, tag and discard one."""
