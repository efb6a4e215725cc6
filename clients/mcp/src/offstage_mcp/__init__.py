"""Lets an agent drive an Offstage app through the Model Context Protocol."""

from .server import build

__all__ = ["build"]
