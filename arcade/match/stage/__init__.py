"""Stages: one PettingZoo env, in this process or in a child."""
