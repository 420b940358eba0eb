"""The machinery of the window: loop, input, video, sound, widgets.  Nothing here knows a game or a screen.

What a scene takes from where:

- `loop`: `Engine`: the scene stack (`push`, `pop`, `replace`, `reset_to`, `scene`), `run()`, `frame(now)`,
  `feed(event)`, `apply(settings)`, `screenshot()`, `quit()`, `.sound`, `.devices`, `.canvas`, `.settings`,
  `.text_entry`, `.frame_intervals_ms`
- `scene`: `Scene`: `enter(engine)`, `resume`, `leave`, `handle(event)`, `update(now)`, `draw(canvas)`, and the
  flags `transparent`, `updates_below` and `plays` (a match: controllers hear what is pressed)
- `events`: `MenuInput`, `PointerInput`, `TextInput`, `KeyInput`, `SourceInput`, `ControlInput`, `AxisInput`,
  `DeviceAdded`, `DeviceRemoved`, `FocusLost`, `FocusGained`, `QuitAsked`; `Device`, whose `word` is a seat word
- `frames`: `FrameView().draw(canvas, frame, rect)`: game pictures, scaled sharply, nothing allocated on the way
- `theme`: colours, type sizes, `text`, `draw_text`, `draw_panel`, `draw_focus`, `dim`, `team_colour`
- `widgets`: `Label`, `Button`, `Choice`, `Toggle`, `Slider`, `TextField`, `Panel`
- `menus`: `Focus` (a group of widgets, one of them focused), `ListMenu` with `Item`
- `toasts`: `Toasts`: messages that go away by themselves
- `sound`: `Sound.play("move")`, and accept, back, point, hit, win, lose, warning
- `controllers`: `make_devices(engine.devices)`: the keyboard and gamepad factories of `make_mapping`;
  `KeyboardController`, `GamepadController`
- `choosing`: `CursorController`, a seat of a turn-based game: `options` and `cursor`, or `press` on places of a board
- `boards`, `chess_board`, `cursor`: where the actions of such a game lie, and which presses lead to them
- `layouts`: `engine.bindings.of(word, game=…, agent=…).words("a")`: what to press; `.tell("{enter} or {a}: go on")` for
  menus; `default_layouts`, `layout_file` (controls.toml), `conflicts` (one key that does two things), `sources` (names)
- `keyboards`: `engine.devices.keyboards`: keyboards told apart, and why they are not
- `virtual_pad`: `VirtualPad`: a gamepad made of software, for tests

Nothing is imported here, so that ``import arcade.engine`` costs nothing.
"""
