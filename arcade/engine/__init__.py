"""The machinery of the window: loop, input, sound, widgets and capture.  It knows no game and no screen."""
