"""Imitation: from recorded play to a snapshot that plays like it, by behaviour cloning or MARWIL."""
