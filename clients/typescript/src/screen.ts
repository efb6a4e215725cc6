import type { AppTypes, EventName, FieldName, InputArguments, InputName, Kind } from "./app.js";
import type { Core } from "./core.js";
import type { ScreenEvent } from "./document.js";
import { UnknownScreen } from "./errors.js";
import type { Field } from "./fields.js";
import type { InputOptions, Reply } from "./requests.js";
import type { Subscription } from "./subscriptions.js";

/** An open screen of a core. */
export class Screen<App extends AppTypes, K extends Kind<App>> {
  constructor(
    private readonly core: Core<App>,
    readonly id: string,
    readonly kind: K,
  ) {}

  /** The outputs of the screen. Throws `UnknownScreen` once the screen has closed. */
  get output(): App["screens"][K]["output"] {
    const screen = this.core.document.screens[this.id];
    if (!screen) throw new UnknownScreen(1001, "the screen has closed", { screen: this.id });
    return screen.output as App["screens"][K]["output"];
  }

  get isOpen(): boolean {
    return Object.hasOwn(this.core.document.screens, this.id);
  }

  get isVisible(): boolean {
    return this.core.visible.includes(this.id);
  }

  /** Sends a value to an input; a trigger takes none. */
  input<Name extends InputName<App, K>>(
    name: Name,
    ...[value, options]: InputArguments<App["screens"][K]["inputs"][Name], InputOptions>
  ): Promise<Reply> {
    return this.core.input(this.id, name, value, options);
  }

  /** Returns the content of an input, which shows ahead of the core. */
  field<Name extends FieldName<App, K>>(name: Name): Field<App["screens"][K]["fields"][Name]> {
    return this.core.field(this.id, name);
  }

  /** Returns the screen's events of this name, from now on. */
  events<Name extends EventName<App, K>>(
    name: Name,
  ): Subscription<ScreenEvent<App["screens"][K]["events"][Name]>> {
    return this.core.events(this.id, name);
  }
}
