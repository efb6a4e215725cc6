"""Drives an Offstage core: starts it, keeps its document, sends the user's actions."""

from .core import Core, Options, launch
from .description import Description
from .document import Document, Event, Frame
from .errors import (
    CoreStopped,
    InternalError,
    InvalidParams,
    InvalidRequest,
    OffstageError,
    Overloaded,
    ParseError,
    ProtocolError,
    Refused,
    RequestCanceled,
    RPCError,
    UnknownInput,
    UnknownMethod,
    UnknownPrompt,
    UnknownScreen,
)
from .fields import Field
from .patch import PatchError
from .pointer import JSON, PointerError
from .ports import Port, RowsOf, ScreenDescription
from .process import ProcessTransport, describe
from .prompts import Dismissed, Prompt, PromptHandler
from .requests import Handshake, Reply, Resource
from .screens import Owner, Part, Parts, Ports, Screen
from .subscriptions import Events, Frames, Log, LogEntry, Subscription, Watch
from .transport import StreamTransport, Transport

__all__ = [
    "JSON",
    "Core",
    "CoreStopped",
    "Description",
    "Dismissed",
    "Document",
    "Event",
    "Events",
    "Field",
    "Frame",
    "Frames",
    "Handshake",
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "Log",
    "LogEntry",
    "OffstageError",
    "Options",
    "Overloaded",
    "Owner",
    "ParseError",
    "Part",
    "Parts",
    "PatchError",
    "PointerError",
    "Port",
    "Ports",
    "ProcessTransport",
    "Prompt",
    "PromptHandler",
    "ProtocolError",
    "RPCError",
    "Refused",
    "Reply",
    "RequestCanceled",
    "Resource",
    "RowsOf",
    "Screen",
    "ScreenDescription",
    "StreamTransport",
    "Subscription",
    "Transport",
    "UnknownInput",
    "UnknownMethod",
    "UnknownPrompt",
    "UnknownScreen",
    "Watch",
    "describe",
    "launch",
]
