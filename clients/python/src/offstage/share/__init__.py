"""Lets several front ends share a core: section 11 of the protocol.

`python3 -m offstage.share` is a program that does so; see `offstage.share.__main__`.
"""

from .client import Client
from .front_end import CANNOT_START, RESTARTS, FrontEnd
from .listener import Listener
from .relay import Relay
from .shared import About, Shared

__all__ = [
    "CANNOT_START",
    "RESTARTS",
    "About",
    "Client",
    "FrontEnd",
    "Listener",
    "Relay",
    "Shared",
]
