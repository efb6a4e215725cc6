"""Styled pages. A screen without one is drawn from its description."""

from offstage import Core, Screen

from ..pages.anypage import AnyPage
from ..pages.screenpage import ScreenPage
from . import chats, explore, library, places, pokedex

__all__ = ["chats", "explore", "is_styled", "library", "page_of_screen", "places", "pokedex"]


def page_of_screen(core: Core, id: str) -> ScreenPage:
    """Creates the page of an open screen."""
    return (_style_of(core, id) or AnyPage)(Screen(core, id))


def is_styled(core: Core, id: str) -> bool:
    """True if an open screen has a page of its own."""
    return _style_of(core, id) is not None


def _style_of(core: Core, id: str) -> type[ScreenPage] | None:
    return ScreenPage.styled.get((core.handshake.app.name, core.document.screens[id]["kind"]))
