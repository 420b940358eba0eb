"""Orders of videos: what each shows, and the process that makes it."""
