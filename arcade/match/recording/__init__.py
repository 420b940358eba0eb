"""Recording: the replay file format and its writer, which compresses in the background."""
