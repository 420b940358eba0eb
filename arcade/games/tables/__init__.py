"""Table views: what one seat may see of a board or card game, as ``GameSpec.table`` names them.

Each is a function ``view(env, agent)`` → a plain dict of numbers, texts and lists for `agent`, or for a spectator
(None).  The stage's process calls it after every tick; it never reveals secrets of other seats.
"""
