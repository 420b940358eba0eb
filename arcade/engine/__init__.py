"""The window's machinery: loop, input, sound, widgets and capture, without games or screens."""
