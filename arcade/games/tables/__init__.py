"""What each seat may know of a game that we draw ourselves: a module a game, as ``GameSpec.table`` names it.

Each has ``view(env, agent)``: a plain dict of numbers, texts and lists, for `agent`, or for a spectator where it is
None.  It is called in the stage's process after every tick, and never tells a seat what the rules keep from it.
"""
