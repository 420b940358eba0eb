"""Games as environments for learning libraries: one seat is yours, other players fill the rest.

Imports no learning library: the environments are Gymnasium's and PettingZoo's.
"""
