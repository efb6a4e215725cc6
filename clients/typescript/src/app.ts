/** The types of an app. `offstage-generate` writes them for an app; without them, anything goes. */
export interface AppTypes {
  readonly screens: Readonly<Record<string, ScreenTypes>>;
  readonly prompts: Readonly<Record<string, PromptTypes>>;
}

/** The types of a screen: the value of each input, field, output, and event, by name. */
export interface ScreenTypes {
  readonly argument: unknown;
  /** `void` for an input without a value, such as a button's. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly output: unknown;
  readonly events: Readonly<Record<string, unknown>>;
}

export interface PromptTypes {
  readonly params: unknown;
  readonly answer: unknown;
}

/* eslint-disable @typescript-eslint/no-explicit-any */
/** An app whose types are not known. */
export interface AnyApp extends AppTypes {
  readonly screens: Readonly<
    Record<
      string,
      {
        argument: any;
        inputs: Readonly<Record<string, any>>;
        fields: Readonly<Record<string, any>>;
        output: any;
        events: Readonly<Record<string, any>>;
      }
    >
  >;
  readonly prompts: Readonly<Record<string, { params: any; answer: any }>>;
}

export type Kind<App extends AppTypes> = keyof App["screens"] & string;
export type InputName<App extends AppTypes, K extends Kind<App>> = keyof App["screens"][K]["inputs"] & string;
export type FieldName<App extends AppTypes, K extends Kind<App>> = keyof App["screens"][K]["fields"] & string;
export type EventName<App extends AppTypes, K extends Kind<App>> = keyof App["screens"][K]["events"] & string;

/** The arguments after an input's name: its value, which a trigger does not have, and the options. */
export type InputArguments<Value, Options> = [Value] extends [void]
  ? [value?: undefined, options?: Options]
  : [value: Value, options?: Options];

/** The description of an app, as far as this package reads it. */
export interface Description {
  readonly info: { readonly title: string; readonly version: string };
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
  readonly "x-screens"?: Readonly<Record<string, ScreenDescription>>;
  readonly "x-app"?: ScreenDescription;
  readonly "x-prompts"?: Readonly<Record<string, { readonly params: Schema; readonly answer: Schema }>>;
}

export interface ScreenDescription {
  readonly title?: string;
  readonly description?: string;
  readonly argument?: Schema;
  readonly inputs?: Readonly<Record<string, Port>>;
  readonly fields?: Readonly<Record<string, Port>>;
  readonly outputs?: Readonly<Record<string, Port>>;
  readonly events?: Readonly<Record<string, Port>>;
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

export type Role = "trigger" | "lifecycle" | "text" | "choice" | "toggle" | "row" | "value";

/** A port of a screen: the schema of its value, and what a front end needs to draw it. */
export interface Port extends Schema {
  readonly placeholder?: string;
  readonly "x-role"?: Role;
  readonly "x-when"?: "appear" | "disappear" | "end";
  readonly "x-rows"?: readonly { readonly list: string; readonly member: string }[];
  readonly "x-enabledBy"?: string;
  readonly "x-shownBy"?: string;
}
