"""The colors, dark and light."""

from textual.theme import Theme

DARK = Theme(
    name="offstage-dark",
    primary="#7aa2f7",
    secondary="#bb9af7",
    accent="#ff9e64",
    success="#9ece6a",
    warning="#e0af68",
    error="#f7768e",
    foreground="#c8d3f5",
    background="#16161e",
    surface="#1e2030",
    panel="#292e42",
    dark=True,
)
LIGHT = Theme(
    name="offstage-light",
    primary="#2e5fd0",
    secondary="#7847bd",
    accent="#c25700",
    success="#387068",
    warning="#8c6c3e",
    error="#c2294f",
    foreground="#2b3150",
    background="#f6f5f2",
    surface="#eceae4",
    panel="#dddad1",
    dark=False,
)
