"""Styled pages. A screen without one is drawn from its description."""

from offstage import Core, Screen

from ..pages.anypage import AnyPage
from ..pages.screenpage import ScreenPage
from . import chats, explore, library, places, pokedex

__all__ = ["chats", "explore", "library", "page_of_screen", "places", "pokedex"]


def page_of_screen(core: Core, id: str) -> ScreenPage:
    """Creates the page of an open screen."""
    screen = Screen(core, id)
    key = (core.handshake.app, screen.about.kind)
    return ScreenPage.styled.get(key, AnyPage)(screen)
