"""What the commands of ``arcade`` do behind their options, and how they print it."""
