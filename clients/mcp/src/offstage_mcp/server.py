"""The MCP server: tools, resources, and questions of a running app."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any
from urllib.parse import unquote

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ToolsListChanged,
)
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
    Tool,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from offstage import Core, CoreStopped, OffstageError, Refused, launch

from .driver import Call, Driver, answer, failure
from .elicitation import answer as answer_of
from .elicitation import question
from .tools import Toolbox, words

Context = ServerRequestContext[Any, Any]

VERSION = version("offstage-mcp")
DOCUMENT = "offstage://document"
_JSON = "application/json"
_MISSING = object()
INSTRUCTIONS = """\
This server drives an app. Its tools are the inputs of the screens that are visible now, \
so they change as you use them; `look` reads what the screens show. A result holds what \
has changed. If a result lists prompts, use the tool `answer`."""

RESTART = Tool(
    name="restart",
    title="Restart the app",
    description="The app has ended. Starts it again.",
    input_schema={"type": "object", "properties": {}},
)


def build(
    *command: str, announce: Sequence[str] = (), patience: float = 10
) -> Server[Any]:
    """Returns a server that runs `command` for as long as a client is connected.

    Args:
        announce: kinds of prompts for the device that the agent's user can answer.
        patience: how many seconds a tool waits for the work that it starts.
    """
    core = launch(*command, announce=announce, client=("offstage-mcp", VERSION))
    app = App(core, patience)
    return Server(
        "offstage",
        version=VERSION,
        instructions=INSTRUCTIONS,
        lifespan=app.lifespan,
        on_list_tools=app.list_tools,
        on_call_tool=app.call_tool,
        on_list_resources=app.list_resources,
        on_list_resource_templates=app.list_templates,
        on_read_resource=app.read_resource,
        on_subscriptions_listen=ListenHandler(app.bus),
    )


class App:
    """Answers the requests of an agent from a core. One call runs at a time."""

    def __init__(self, core: Core, patience: float) -> None:
        self.bus = InMemorySubscriptionBus()
        self._core = core
        self._driver = Driver(core, patience)
        self._turn = asyncio.Lock()
        self._calls: dict[str, Call] = {}
        self._session: ServerSession | None = None

    @asynccontextmanager
    async def lifespan(self, _: Server[Any]) -> AsyncGenerator[None]:
        async with self._core:
            await self._describe()
            try:
                yield
            finally:
                self._watching.cancel()

    async def list_tools(
        self, ctx: Context, _: PaginatedRequestParams | None
    ) -> ListToolsResult:
        self._session = ctx.session
        if self._core.error:
            return ListToolsResult(tools=[RESTART])
        actions = self._toolbox.actions().values()
        return ListToolsResult(tools=[action.tool for action in actions])

    async def call_tool(
        self, ctx: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        self._session = ctx.session
        async with self._turn:
            try:
                return await self._call(ctx, params)
            except OffstageError as error:
                return failure(error)

    async def _call(
        self, ctx: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        if self._core.error and params.name == "restart":
            await self._core.restart()
            await self._describe()
            return answer({"revision": self._core.document.revision})
        call = self._calls.pop(params.request_state or "", None)
        if call:
            responses = params.input_responses or {}
            for id, response in responses.items():
                if isinstance(response, ElicitResult):
                    await self._reply(id, response)
        else:
            actions = self._toolbox.actions()
            if params.name not in actions:
                raise MCPError(
                    INVALID_PARAMS,
                    f"unknown tool {params.name}; the screens that are visible now have "
                    + ", ".join(actions),
                )
            arguments = params.arguments or {}
            if params.name == "look":
                await self._core.settle()
                return answer({"value": self._core.document.get(arguments["path"])})
            call = self._driver.begin(actions[params.name], arguments)
        await self._driver.wait(call)
        while asked := self._questions(ctx, call):
            call.asked |= asked.keys()
            if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
                # The client asks its user, and calls again with the answers.
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
        return self._driver.result(call)

    def _questions(self, ctx: Context, call: Call) -> dict[str, InputRequest]:
        """Returns the forms of new prompts, if the client can show forms."""
        capabilities = ctx.session.client_capabilities
        if not capabilities or not capabilities.elicitation:
            return {}
        prompts = self._driver.open(call)
        forms = {id: question(prompts[id], self._description) for id in prompts}
        return {id: form for id, form in forms.items() if form}

    async def _reply(self, id: str, result: ElicitResult) -> None:
        if prompt := self._core.document.prompts.get(id):
            await self._core.answer(id, **answer_of(prompt, result))

    async def list_resources(
        self, ctx: Context, _: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        document = Resource(
            uri=DOCUMENT,
            name="document",
            title="All that the app shows",
            mime_type=_JSON,
        )
        screens = [
            Resource(
                uri=f"{DOCUMENT}/screens/{id}",
                name=f"screen-{id}",
                title=words(screen["kind"]),
                mime_type=_JSON,
            )
            for id, screen in self._core.document.screens.items()
        ]
        return ListResourcesResult(resources=[document, *screens])

    async def list_templates(
        self, ctx: Context, _: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        template = ResourceTemplate(
            uri_template=DOCUMENT + "{/path*}",
            name="part",
            title="A part of what the app shows",
            mime_type=_JSON,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, ctx: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        path = unquote(params.uri.removeprefix(DOCUMENT))
        value = self._core.document.get(path, _MISSING)
        if not params.uri.startswith(DOCUMENT) or value is _MISSING:
            raise MCPError(INVALID_PARAMS, f"unknown resource {params.uri}")
        text = json.dumps(value, ensure_ascii=False)
        contents = TextResourceContents(uri=params.uri, mime_type=_JSON, text=text)
        return ReadResourceResult(contents=[contents])

    async def _describe(self) -> None:
        """Reads the app's description, and watches what is visible."""
        self._description = await self._core.discover()
        try:
            await self._core.advance(0)
            is_virtual = True
        except Refused:
            is_virtual = False
        self._toolbox = Toolbox(self._core, self._description, is_virtual=is_virtual)
        self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Tells the client whenever the tools are other ones."""
        document = self._core.document
        try:
            async for _ in self._core.watching(
                lambda: (self._core.visible, [*document.prompts])
            ):
                await self._notify()
        except CoreStopped:
            await self._notify()

    async def _notify(self) -> None:
        await self.bus.publish(ToolsListChanged())
        await self.bus.publish(ResourcesListChanged())
        session = self._session
        if session and session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            await session.send_tool_list_changed()
            await session.send_resource_list_changed()
