"""The machinery of the window: loop, input, video, sound, widgets."""
