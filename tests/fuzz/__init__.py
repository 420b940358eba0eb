"""Fuzzing of the parsers that read what strangers wrote: messages, recordings, graphs, settings and ladder rows."""
