"""The facts that each seat may know of a game with a table of its own, as ``GameSpec.table`` names them.

Each is a function ``view(env, agent)`` → a plain dict of numbers, texts and lists for `agent`, or for a spectator
(None).  The stage's process calls it after every tick; it never reveals secrets of other seats.
"""
