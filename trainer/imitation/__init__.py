"""Imitation: from recorded play to a snapshot that plays like it, by RLlib's own behaviour cloning and MARWIL."""
