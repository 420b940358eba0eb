"""The replay of a recording: play, seek, AI insight, take over."""
