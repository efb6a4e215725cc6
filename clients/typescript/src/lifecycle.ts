import type { Description } from "./app.js";
import { visibleScreens } from "./document.js";
import type { Document } from "./document.js";

/**
 * Sends the inputs with the role `lifecycle` for appearing and disappearing: once for each time that a
 * screen becomes visible or hidden. A closed screen gets nothing.
 */
export class Lifecycle {
  private visible: string[] = [];

  constructor(
    private readonly document: Document,
    private readonly description: Description,
    private readonly send: (screen: string, input: string) => void,
  ) {}

  /** Compares the visible screens with those of the previous frame. */
  update(): void {
    const before = this.visible;
    this.visible = visibleScreens(this.document.navigation);
    for (const screen of before) if (!this.visible.includes(screen)) this.notify(screen, "disappear");
    for (const screen of this.visible) if (!before.includes(screen)) this.notify(screen, "appear");
  }

  private notify(screen: string, when: "appear" | "disappear"): void {
    const kind = this.document.screens[screen]?.kind;
    if (kind === undefined) return;
    for (const [name, port] of Object.entries(this.description["x-screens"]?.[kind]?.inputs ?? {})) {
      if (port["x-when"] === when) this.send(screen, name);
    }
  }
}
