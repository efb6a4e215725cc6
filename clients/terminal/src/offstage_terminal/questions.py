"""What each kind of prompt asks, and the answer to it."""

from __future__ import annotations

import webbrowser
from asyncio import Future, ensure_future
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote

from offstage import downloads, read_file, save_file

from .device import Device
from .model import files
from .model.files import Mistake
from .model.receiver import Receiver
from .widgets.host import Host
from .widgets.overlays import Asked

VARIANTS = {"destructive": "error", "cancel": "default"}
CLOSE = "\0"  # The id of a button that closes a prompt without an answer; no app has it.
FEW = 6  # More buttons do not fit side by side.
Buttons: TypeAlias = list[tuple[str, str, str]]


@dataclass
class Question:
    """A dialog for a prompt.

    Attributes:
        buttons: the id, the title, and the variant of each.
        answer: takes the pressed button and the texts of the fields, and sends the answer. It
            raises `Mistake` if a text cannot be taken.
        escape: the id of the button that Escape presses.
        close: ends what waits for an answer from elsewhere.
    """

    title: str
    message: str
    buttons: Buttons
    answer: Callable[[str, dict[str, str]], Future[Any] | None]
    fields: list[Asked] = field(default_factory=list[Asked])
    escape: str = CLOSE
    close: Callable[[], None] = lambda: None


class Questions:
    """Writes the questions of an app."""

    def __init__(self, app: Host, device: Device) -> None:
        self._app, self._device, self._words = app, device, app.words

    def write(self, id: str, prompt: Mapping[str, Any]) -> Question:
        """Returns the question for a prompt: by its kind, or else by its schema."""
        kinds: dict[str, Callable[[str, Any, Any], Question]] = {
            "alert": self._dialog,
            "confirmationDialog": self._dialog,
            "location.current": self._location,
            "notifications.authorize": self._notifications,
            "openURL": self._open_url,
            "pickDate": self._pick_date,
            "pickFile": self._pick_file,
            "saveFile": self._save_file,
            "signIn": self._sign_in,
        }
        kind = prompt["kind"]
        about = self._app.core.description.prompts.get(kind, {"title": kind})
        return kinds.get(kind, self._custom)(id, prompt.get("params") or {}, about)

    def _send(self, id: str, value: Any) -> Future[Any]:
        return self._app.core.answer(id, value)

    @property
    def _done(self) -> Buttons:
        words = self._words
        return [("done", words("Done"), "primary"), (CLOSE, words("Dismiss"), "default")]

    @property
    def _allow(self) -> Buttons:
        words = self._words
        return [("yes", words("Allow"), "primary"), ("no", words("Don’t allow"), "default")]

    def _dialog(self, id: str, params: Any, about: Any) -> Question:
        buttons: list[Any] = params["buttons"]
        asked: list[Any] = params.get("fields") or []
        return Question(
            params["title"],
            params.get("message") or "",
            [(b["id"], b["title"], VARIANTS.get(b.get("role") or "", "primary")) for b in buttons],
            lambda button, fields: self._send(id, {"button": button, "fields": fields}),
            [Asked(field["id"], field["placeholder"]) for field in asked],
            next((each["id"] for each in buttons if each.get("role") == "cancel"), CLOSE),
        )

    def _location(self, id: str, params: Any, about: Any) -> Question:
        words, name, place = self._words, self._app.core.handshake.app.name, self._device.place.name

        def answer(button: str, fields: dict[str, str]) -> Future[Any] | None:
            if button == "no":
                return self._app.core.answer(id, dismissed=True)
            self._device.locate(id)
            return None

        title = words("Share your location with {app}?", app=name)
        said = words("Your location will be {place}.", place=words(place))
        message = "\n".join(filter(None, [params.get("reason"), said]))
        return Question(title, message, self._allow, answer)

    def _notifications(self, id: str, params: Any, about: Any) -> Question:
        def answer(button: str, fields: dict[str, str]) -> Future[Any]:
            granted = button == "yes"
            self._device.notifications = "granted" if granted else "denied"
            return self._send(id, {"granted": granted})

        name = self._app.core.handshake.app.name
        title = self._words("Let {app} send notifications?", app=name)
        return Question(title, "", self._allow, answer)

    def _open_url(self, id: str, params: Any, about: Any) -> Question:
        words, url = self._words, str(params["url"])

        def answer(button: str, fields: dict[str, str]) -> Future[Any]:
            webbrowser.open(url)
            return self._send(id, {})

        buttons = [("open", words("Open"), "primary"), (CLOSE, words("Close"), "default")]
        return Question(about["title"], url, buttons, answer)

    def _pick_date(self, id: str, params: Any, about: Any) -> Question:
        first, last = params.get("first"), params.get("last")

        def answer(button: str, fields: dict[str, str]) -> Future[Any]:
            typed = fields["date"].strip()
            try:
                is_day = date.fromisoformat(typed).isoformat() == typed
            except ValueError:
                is_day = False
            if not is_day or typed < (first or typed) or typed > (last or typed):
                raise Mistake(" ".join([self._words("Enter a day such as 2026-03-01."), limits]))
            return self._send(id, {"date": typed})

        limits = " – ".join([first or "", last or ""]) if first or last else ""
        content = params.get("selected") or ""
        message = "\n".join(filter(None, [about.get("description"), limits]))
        fields = [Asked("date", "2026-03-01", content, {"format": "date"})]
        return Question(about["title"], message, self._done, answer, fields)

    def _pick_file(self, id: str, params: Any, about: Any) -> Question:
        def answer(button: str, fields: dict[str, str]) -> Future[Any]:
            with files.told(self._words):
                return self._send(id, read_file(fields["path"], params))

        fields = [Asked("path", self._words("The path of the file"))]
        message = files.say(params, self._words)
        return Question(about["title"], message, self._done, answer, fields)

    def _save_file(self, id: str, params: Any, about: Any) -> Question:
        core, words = self._app.core, self._words

        async def save(path: str) -> None:
            resource = await core.read(params["uri"])
            with files.told(words):
                save_file(path, resource.data)
            await core.answer(id, {})

        def answer(button: str, fields: dict[str, str]) -> Future[Any]:
            return ensure_future(save(fields["path"]))

        fields = [Asked("path", words("The path of the file"), str(downloads(params["name"])))]
        return Question(about["title"], "", self._done, answer, fields)

    def _sign_in(self, id: str, params: Any, about: Any) -> Question:
        words, url, callback = self._words, str(params["url"]), str(params["callback"])
        template: str | None = params.get("template")

        def send(found: str) -> Future[Any]:
            is_own = receiver.address and found.startswith(receiver.address)
            return self._send(id, {"url": found, "callback": receiver.address if is_own else None})

        async def open_page() -> None:
            page = url
            if template:
                with suppress(OSError):
                    own = quote(await receiver.listen(), safe="")
                    page = template.replace("{callback}", own)
            webbrowser.open(page)

        def answer(button: str, fields: dict[str, str]) -> Future[Any]:
            if button == "open":
                return ensure_future(open_page())
            typed = fields["url"].strip()
            if not typed.startswith((callback, receiver.address or callback)):
                raise Mistake(words("The address must start with {start}.", start=callback))
            return send(typed)

        text = words("You have signed in. You can close this window.")
        receiver = Receiver(url, text, lambda found: self._app.do(send(found)))

        opens = ("open", words("Open"), "default")
        fields = [Asked("url", words("Paste the address that the page leads to"))]
        buttons = [opens, *self._done]
        return Question(about["title"], url, buttons, answer, fields, close=receiver.close)

    def _asked(self, id: str, hint: str, schema: Mapping[str, Any]) -> Asked:
        describe = self._app.core.description
        schema = describe.resolve(schema)
        values: list[Any] = schema.get("enum") or []
        options = [describe.say(each, schema) or str(each) for each in values if each is not None]
        return Asked(id, hint, "", schema, describe.is_words(schema), options)

    def _custom(self, id: str, params: Any, about: Any) -> Question:
        """Asks for any answer: by a button for each of a few, or by a field for each member."""
        describe = self._app.core.description
        schema = describe.resolve(about.get("answer", {}))
        said = describe.say(params, about.get("params", {}))
        message = "\n".join(filter(None, [about.get("description"), said]))
        ask = partial(Question, about["title"], message)
        close = (CLOSE, self._words("Dismiss"), "default")
        offered: list[Any] = schema.get("enum") or []
        if "boolean" in schema.get("type", ""):
            offered = [True, False]
            yes_no = {"true": self._words("Yes"), "false": self._words("No")}
            schema = {**schema, "x-titles": yes_no | schema.get("x-titles", {})}
        if offered and len(offered) <= FEW:
            titles = [describe.say(value, schema) or str(value) for value in offered]
            buttons = [(str(at), title, "primary") for at, title in enumerate(titles)]
            return ask([*buttons, close], lambda at, _: self._send(id, offered[int(at)]))
        members = describe.members(schema)
        if members or schema.get("type") in ("object", "null"):
            fields = [
                self._asked(name, port.title, port.schema)._replace(label=port.title)
                for name, port in members.items()
            ]

            def answer(button: str, texts: dict[str, str]) -> Future[Any]:
                values = {n: describe.parse(t, members[n].schema) for n, t in texts.items()}
                return self._send(id, None if schema.get("type") == "null" else values)

            return ask(self._done, answer, fields)
        hint = about.get("placeholder") or about["title"]
        fields = [self._asked("value", hint, schema)]
        parse = partial(describe.parse, schema=schema)
        return ask(self._done, lambda _, texts: self._send(id, parse(texts["value"])), fields)
