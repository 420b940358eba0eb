"""Matches: a stage, its seats, the fixed tick, results and replays.  Nothing here opens a window."""
