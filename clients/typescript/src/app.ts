/** The types of an app. `offstage-generate` writes them for an app; without them, anything goes. */
export interface AppTypes {
  readonly screens: Readonly<Record<string, ScreenTypes>>;
  readonly prompts: Readonly<Record<string, PromptTypes>>;
}

/** The types of a screen, or of a part: the value of each input, field, output, and event, by name. */
export interface PortTypes {
  /** `void` for an input without a value, such as a button's. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly output: unknown;
  readonly events: Readonly<Record<string, unknown>>;
  /** The types of the parts that outputs show, in an array for a list. */
  readonly parts: Readonly<Record<string, unknown>>;
}

export interface ScreenTypes extends PortTypes {
  readonly argument: unknown;
}

export interface PromptTypes {
  readonly params: unknown;
  readonly answer: unknown;
}

/* eslint-disable @typescript-eslint/no-explicit-any */
type AnyValues = Readonly<Record<string, any>>;

/** An app whose types are not known. */
export interface AnyApp extends AppTypes {
  readonly screens: Readonly<Record<string, AnyPorts & { argument: any }>>;
  readonly prompts: Readonly<Record<string, { params: any; answer: any }>>;
}

export interface AnyPorts extends PortTypes {
  readonly inputs: AnyValues;
  readonly fields: AnyValues;
  readonly output: any;
  readonly events: AnyValues;
  readonly parts: AnyValues;
}

export type Kind<App extends AppTypes> = keyof App["screens"] & string;
export type Name<Ports> = keyof Ports & string;
/** The outputs that show one part, or null. */
export type ChildName<P extends PortTypes> = {
  [N in Name<P["parts"]>]: P["parts"][N] extends readonly unknown[] ? never : N;
}[Name<P["parts"]>];
/** The outputs that show a list of parts. */
export type ListName<P extends PortTypes> = {
  [N in Name<P["parts"]>]: P["parts"][N] extends readonly unknown[] ? N : never;
}[Name<P["parts"]>];
/** The types of the part that an output shows. */
export type ChildTypes<P extends PortTypes, N extends Name<P["parts"]>> = P["parts"][N] extends readonly (infer Row)[]
  ? Extract<Row, PortTypes>
  : Extract<P["parts"][N], PortTypes>;

/** The arguments after an input's name: its value, which a trigger does not have, and the options. */
export type InputArguments<Value, Options> = [Value] extends [void]
  ? [value?: undefined, options?: Options]
  : [value: Value, options?: Options];

/** The description of an app, as far as this package reads it. */
export interface Description {
  readonly info: { readonly title: string; readonly version: string };
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
  readonly "x-screens"?: Readonly<Record<string, ScreenDescription>>;
  readonly "x-parts"?: Readonly<Record<string, ScreenDescription>>;
  readonly "x-app"?: ScreenDescription;
  readonly "x-prompts"?: Readonly<Record<string, { readonly params: Schema; readonly answer: Schema }>>;
}

/** The description of a kind of screen, or of a part of screens. */
export interface ScreenDescription {
  readonly title?: string;
  readonly description?: string;
  readonly argument?: Schema;
  readonly inputs?: Readonly<Record<string, Port>>;
  readonly fields?: Readonly<Record<string, Port>>;
  readonly outputs?: Readonly<Record<string, Port>>;
  readonly events?: Readonly<Record<string, Port>>;
  /** The names in `x-parts` of the parts that outputs show, by the names of these outputs. */
  readonly children?: Readonly<Record<string, string>>;
  readonly result?: Schema;
}

/** A JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly "x-titles"?: Readonly<Record<string, string>>;
  readonly "x-unit"?: string;
}

export type Role = "trigger" | "lifecycle" | "text" | "choice" | "toggle" | "row" | "move" | "value";

/** A port of a screen: the schema of its value, and what a front end needs to draw it. */
export interface Port extends Schema {
  readonly placeholder?: string;
  readonly "x-role"?: Role;
  readonly "x-when"?: "appear" | "disappear" | "end";
  readonly "x-rows"?: readonly RowsOf[];
  readonly "x-enabledBy"?: string;
  readonly "x-shownBy"?: string;
  readonly "x-secret"?: boolean;
}

/** A list whose rows an input takes: a member of the row, or members of it and of the rows around it. */
export interface RowsOf {
  readonly list: string;
  readonly member?: string;
  readonly members?: Readonly<Record<string, string>>;
  /** For an input that moves a row: the member that takes the id of the row below its new place. */
  readonly before?: string;
}
