"""A picture of every screen, in nine looks: ``python -m tests.shots [FOLDER]``.

Nothing of the user's is read: the settings, snapshots and results are those of an empty home.
"""
