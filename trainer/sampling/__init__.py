"""Playing to learn: the EnvRunner, who sits where, and what it writes down."""
