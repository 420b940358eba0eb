"""Runs: training loop, folder, checkpoints, terminal progress, remote control."""
