"""The errors of a core, one class for each code, and those of this package."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from .pointer import JSON, is_array, is_object

T = TypeVar("T")


class OffstageError(Exception):
    """The base of all errors of this package."""


class CoreStopped(OffstageError):
    """The core has ended, or the connection to it.

    Attributes:
        status: the exit status of the process; negative for a signal, None if there
            was no process or it is still running.
        log: the last lines that the core wrote to its standard error.
    """

    def __init__(
        self, message: str, *, status: int | None = None, log: tuple[str, ...] = ()
    ) -> None:
        super().__init__("\n".join((message, *log)))
        self.status = status
        self.log = log


class ProtocolError(OffstageError):
    """The peer sent something that the protocol does not allow."""


class RPCError(OffstageError):
    """The core refused a request, or reports a fault.

    Attributes:
        code: the number of the error on the wire.
        message: what went wrong, for developers.
        data: details, whose shape depends on the code.
    """

    codes: ClassVar[dict[int, type[RPCError]]] = {}

    def __init_subclass__(cls, *, code: int) -> None:
        RPCError.codes[code] = cls

    def __init__(self, code: int, message: str, data: JSON = None) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.data: JSON = data

    @staticmethod
    def from_wire(error: JSON) -> RPCError:
        """Creates an error from an `error` object, of the class for its code if known."""
        try:
            cls = RPCError.codes.get(error["code"], RPCError)
            return cls(error["code"], error["message"], error.get("data"))
        except (AttributeError, KeyError, TypeError):
            raise ProtocolError(f"not an error object: {error!r}") from None

    def to_wire(self) -> JSON:
        """Returns the `error` object."""
        error: JSON = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}

    def _member(self, name: str, kind: type[T]) -> T | None:
        """Returns a member of the data, or None."""
        value = self.data.get(name) if is_object(self.data) else None
        return value if isinstance(value, kind) else None


class ParseError(RPCError, code=-32700):
    """The line is not JSON, or exceeds a limit of the core."""

    @property
    def line(self) -> int | None:
        return self._member("line", int)

    @property
    def offset(self) -> int | None:
        return self._member("offset", int)


class InvalidRequest(RPCError, code=-32600):
    """The line is JSON, but not a request."""


class UnknownMethod(RPCError, code=-32601):
    """The core has no such method."""


class InvalidParams(RPCError, code=-32602):
    """A param is missing or has the wrong type."""

    @property
    def path(self) -> str | None:
        """The pointer to the wrong value, within the params."""
        return self._member("path", str)

    @property
    def expected(self) -> str | None:
        return self._member("expected", str)

    @property
    def found(self) -> str | None:
        return self._member("found", str)

    @property
    def value(self) -> JSON:
        """The wrong value, if it has the right type and is not long; or else None."""
        return self.data.get("value") if is_object(self.data) else None


class InternalError(RPCError, code=-32603):
    """A bug in the app; the message says where."""


class RequestCanceled(RPCError, code=-32800):
    """The request was canceled, or the core is shutting down."""


class UnknownScreen(RPCError, code=1001):
    """The core has no such screen; it may have closed."""

    @property
    def screen(self) -> str | None:
        return self._member("screen", str)


class UnknownInput(RPCError, code=1002):
    """The screen has no such input."""

    @property
    def screen(self) -> str | None:
        return self._member("screen", str)

    @property
    def inputs(self) -> list[str]:
        """The inputs of the screen."""
        inputs = self.data.get("inputs") if is_object(self.data) else None
        return inputs if is_array(inputs) else []


class UnknownPrompt(RPCError, code=1003):
    """The prompt is unknown or already answered."""

    @property
    def prompt(self) -> str | None:
        return self._member("prompt", str)


class Refused(RPCError, code=1004):
    """The navigation or the clock refuses; the data holds what was requested."""


class Overloaded(RPCError, code=1005):
    """Too many requests are pending. Try again later."""


class UnknownResource(RPCError, code=1006):
    """The core has no such resource, or it is gone."""

    @property
    def uri(self) -> str | None:
        return self._member("uri", str)
