"""The window, its loop and its stack of scenes."""
