"""Drives an Offstage core: starts it, keeps its document, sends the user's actions."""

from .core import Core, Options, connect, launch
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
    UnknownResource,
    UnknownScreen,
)
from .fields import Field
from .files import FileRefused, downloads, read_file, save_file
from .patch import PatchError
from .pointer import JSON, PointerError
from .ports import Port, RowsOf, ScreenDescription
from .process import Crashes, ProcessTransport, describe
from .prompts import Dismissed, Prompt, PromptHandler
from .requests import (
    AppInfo,
    Handshake,
    NavigationReply,
    PendingWork,
    Reply,
    Resource,
    WindowReply,
)
from .screens import Owner, Part, Parts, Ports, Screen
from .subscriptions import Events, Frames, Log, LogEntry, Subscription, Watch
from .transport import StreamTransport, Transport
from .values import can_open, say_size
from .version import VERSION

__version__ = VERSION

__all__ = [
    "JSON",
    "AppInfo",
    "Core",
    "CoreStopped",
    "Crashes",
    "Description",
    "Dismissed",
    "Document",
    "Event",
    "Events",
    "Field",
    "FileRefused",
    "Frame",
    "Frames",
    "Handshake",
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "Log",
    "LogEntry",
    "NavigationReply",
    "OffstageError",
    "Options",
    "Overloaded",
    "Owner",
    "ParseError",
    "Part",
    "Parts",
    "PatchError",
    "PendingWork",
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
    "UnknownResource",
    "UnknownScreen",
    "Watch",
    "WindowReply",
    "can_open",
    "connect",
    "describe",
    "downloads",
    "launch",
    "read_file",
    "save_file",
    "say_size",
]
