/** The client of an Offstage core, for Node and browsers. */
export type {
  AnyApp, AnyPorts, AppTypes, Description, Kind, Port, PortTypes, PromptTypes, Role, RowsOf, Schema, ScreenDescription,
  ScreenTypes,
} from "./app.js";
export type { RequestOptions } from "./connection.js";
export { Core } from "./core.js";
export type { CoreOptions, SentRequest } from "./core.js";
export { Document, RevisionGap, rootStack, visibleScreens } from "./document.js";
export type {
  FieldState, Frame, Modal, Navigation, NavigationCommand, Presentation, PromptState, RequestID, ScreenEvent,
  ScreenState, Tab,
} from "./document.js";
export * from "./errors.js";
export { Field } from "./fields.js";
export { generate } from "./generate.js";
export { isEqual, joinPointer, parsePointer, PointerError, resolvePointer } from "./json.js";
export type { JSONValue } from "./json.js";
export { applyPatch, PatchError } from "./patch.js";
export type { PatchOperation } from "./patch.js";
export { findPart, joinPath } from "./parts.js";
export type { PortsState } from "./parts.js";
export { Dismissed } from "./prompts.js";
export type { Prompt, PromptHandlers } from "./prompts.js";
export type {
  CancelOptions, Handshake, InputOptions, NavigationReply, PendingWork, Reply, Resource, WindowReply,
} from "./requests.js";
export { Ports, Screen } from "./screen.js";
export { introduction } from "./session.js";
export type { LogEntry, SessionOptions, Status } from "./session.js";
export { Subscription } from "./subscriptions.js";
export { coreEnded, WebSocketTransport } from "./transport.js";
export type { Heartbeat, Receiver, Transport, WebSocketLike } from "./transport.js";
