"""Styled pages. A screen without one is drawn from its description."""

from . import chats, explore, library, places, pokedex

__all__ = ["chats", "explore", "library", "places", "pokedex"]
