"""The MCP server: tools, resources, and questions of a running app."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequestFormParams,
    ElicitResult,
    EmptyResult,
    InputRequest,
    InputRequiredResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    SetLevelRequestParams,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    Tool,
    UnsubscribeRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from offstage import (
    Core,
    CoreStopped,
    OffstageError,
    Options,
    ProcessTransport,
    ProtocolError,
    RPCError,
)

from .driver import Call, Driver, answer, failure
from .elicitation import answer as answer_of
from .elicitation import question
from .news import News
from .prompts import DEVICE, refuse, send_answer
from .resources import TEMPLATES, Resources, UnknownResource
from .tools import Mistake

Context = ServerRequestContext[Any, Any]

VERSION = version("offstage-mcp")

INSTRUCTIONS = """\
This server drives an app. Call `read` first: it returns what the visible screens show, as text. `look` returns the \
same as JSON, with the ids of rows. \
The other tools are the inputs of these screens, so there are other tools after a screen \
has opened or closed. A result is what has changed since the one before: `patch` is an \
RFC 6902 patch of the document, `screens` are those that are visible, the topmost first, \
`events` are one-off messages, such as failures, and `prompts` wait for the tool `answer`. \
`omitted` lists changes too long for a result; read them with `look`. If `settled` is \
false, work still runs (`pending`)."""

RESTART = Tool(
    name="restart",
    title="Restart the app",
    description="The app has ended. Starts it again; what it has saved is kept.",
    input_schema={"type": "object", "properties": {}},
)


def build(
    *command: str,
    announce: Sequence[str] = (),
    locale: str | None = None,
    patience: float = 10,
    record: Path | None = None,
) -> Server[Any]:
    """Returns a server that runs `command` for as long as a client is connected.

    Args:
        announce: kinds of prompts for a device that are not refused.
        locale: the user's language, such as `ko-KR`.
        patience: how many seconds a tool waits for the work that it starts.
        record: where to record the run as a transcript. A restart records a new
            transcript, with a number in its name.
    """
    runs = 0

    async def connect() -> ProcessTransport:
        nonlocal runs
        runs += 1
        recording: list[str] = []
        if record:
            name = record if runs == 1 else record.with_stem(f"{record.stem}-{runs}")
            recording = ["--record", str(name)]
        return await ProcessTransport.start(*command, *recording)

    options: Options = {
        "prompts": {kind: refuse for kind in DEVICE if kind not in announce},
        "announce": ["*"],
        "client": ("offstage-mcp", VERSION),
        "log": "debug",
    }
    if locale:
        options["locale"] = locale
    core = Core(connect, **options)
    app = App(core, patience)
    server = Server(
        "offstage",
        version=VERSION,
        instructions=INSTRUCTIONS,
        lifespan=app.lifespan,
        on_list_tools=app.list_tools,
        on_call_tool=app.call_tool,
        on_list_resources=app.list_resources,
        on_list_resource_templates=app.list_templates,
        on_read_resource=app.read_resource,
        on_subscribe_resource=app.subscribe,
        on_unsubscribe_resource=app.unsubscribe,
        on_subscriptions_listen=app.listen,
    )
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, app.set_level)
    return server


class App:
    """Answers the requests of an agent from a core, one call at a time."""

    def __init__(self, core: Core, patience: float) -> None:
        self._core = core
        self._patience = patience
        self._resources = Resources(core)
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        self._news = News(core, self._resources, self._bus)
        self._turn = asyncio.Lock()
        self._calls: dict[str, Call] = {}

    @asynccontextmanager
    async def lifespan(self, _: Server[Any]) -> AsyncGenerator[None]:
        async with self._core:
            self._start()
            try:
                yield
            finally:
                self._news.stop()

    def _start(self) -> None:
        self._driver = Driver(self._core, self._patience)
        self._news.start()

    async def list_tools(
        self, ctx: Context, _: PaginatedRequestParams | None
    ) -> ListToolsResult:
        self._news.connect(ctx.session)
        if self._core.error:
            return ListToolsResult(tools=[RESTART])
        actions = self._driver.actions().values()
        return ListToolsResult(tools=[action.tool for action in actions])

    async def call_tool(
        self, ctx: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        async with self._turn, self._news.during(ctx.session):
            try:
                return await self._call(ctx, params)
            except CoreStopped as error:
                return failure(CoreStopped(f"{error}\nCall the tool `restart`."))
            except (Mistake, OffstageError) as error:
                return failure(error)

    async def _call(
        self, ctx: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        if params.name == "restart" and self._core.error:
            return await self._restart()
        if self._core.error:
            raise self._core.error
        call = self._calls.pop(params.request_state or "", None)
        if call:
            responses = params.input_responses or {}
            for id, response in responses.items():
                if isinstance(response, ElicitResult):
                    await self._reply(id, response)
        else:
            actions = self._driver.actions()
            if params.name not in actions:
                known = ", ".join(actions)
                raise MCPError(
                    INVALID_PARAMS, f"unknown tool {params.name}; now there are {known}"
                )
            call = self._driver.begin(actions[params.name], params.arguments or {})
        await self._driver.wait(call)
        while asked := self._question(ctx, call):
            call.asked |= asked.keys()
            if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
                # The client asks its user, then calls again with the answers.
                state = f"call {self._core.last_id}"
                self._calls = {state: call}
                return InputRequiredResult(input_requests=asked, request_state=state)
            for id, request in asked.items():
                form = request.params
                assert isinstance(form, ElicitRequestFormParams)
                result = await ctx.session.elicit_form(
                    form.message, form.requested_schema, ctx.request_id
                )
                await self._reply(id, result)
            await self._driver.wait(call)
        return await self._driver.result(call)

    async def _restart(self) -> CallToolResult:
        self._news.stop()
        await self._core.restart()
        self._start()
        await self._news.all_changed()
        return answer({"revision": self._core.document.revision})

    def _question(self, ctx: Context, call: Call) -> dict[str, InputRequest]:
        """Returns the form of the next prompt, if the client can show forms."""
        capabilities = ctx.session.client_capabilities
        if capabilities and capabilities.elicitation:
            for id, prompt in self._driver.open(call).items():
                if form := question(prompt, self._core.description):
                    return {id: form}
        return {}

    async def _reply(self, id: str, result: ElicitResult) -> None:
        if not (prompt := self._core.document.prompts.get(id)):
            return
        if result.action != "accept":
            await self._core.answer(id, dismissed=True)
            return
        content = dict(result.content or {})
        value = answer_of(prompt, content, self._core.description)
        await send_answer(self._core, id, value)

    async def list_resources(
        self, ctx: Context, _: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        self._news.connect(ctx.session)
        return ListResourcesResult(resources=self._resources.list())

    async def list_templates(
        self, ctx: Context, _: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def read_resource(
        self, ctx: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        if error := self._core.error:
            raise MCPError(INTERNAL_ERROR, f"{error}\nCall the tool `restart`.")
        try:
            return await self._resources.read(params.uri)
        except (UnknownResource, ProtocolError, RPCError) as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error

    async def subscribe(
        self, ctx: Context, params: SubscribeRequestParams
    ) -> EmptyResult:
        self._news.connect(ctx.session)
        self._news.follow(params.uri)
        return EmptyResult()

    async def unsubscribe(
        self, ctx: Context, params: UnsubscribeRequestParams
    ) -> EmptyResult:
        self._news.unfollow(params.uri)
        return EmptyResult()

    async def listen(
        self, ctx: Context, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        uris = params.notifications.resource_subscriptions or []
        followed: list[str] = []
        try:
            for uri in uris:
                self._news.follow(uri)
                followed.append(uri)
            return await self._listen(ctx, params)
        finally:
            for uri in followed:
                self._news.unfollow(uri)

    async def set_level(
        self, ctx: Context, params: SetLevelRequestParams
    ) -> EmptyResult:
        self._news.connect(ctx.session)
        self._news.level = params.level
        return EmptyResult()
