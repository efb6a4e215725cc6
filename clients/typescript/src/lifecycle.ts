import type { Description, ScreenDescription } from "./app.js";
import type { Document, Navigation } from "./document.js";
import { findPart, visibleParts } from "./parts.js";

/** A visible screen, or a part of it. */
interface Visible {
  readonly screen: string;
  readonly path: string;
  readonly description: ScreenDescription | undefined;
}

/**
 * Sends the `appear` and `disappear` inputs each time that a screen or a part of it becomes visible
 * or hidden. A closed screen and a removed part get nothing.
 */
export class Lifecycle {
  private visible = new Map<string, Visible>();
  private readonly parts: Readonly<Record<string, ScreenDescription>>;
  private readonly concernsParts: boolean;

  constructor(
    private readonly document: Document,
    private readonly description: Description,
    private readonly visibleScreens: (navigation: Navigation) => string[],
    private readonly send: (screen: string, input: string) => void,
  ) {
    this.parts = description["x-parts"] ?? {};
    this.concernsParts = Object.values(this.parts).some(({ inputs }) =>
      Object.values(inputs ?? {}).some((port) => port["x-when"] !== undefined),
    );
  }

  /** Compares the visible screens and parts with those of the previous frame. */
  update(): void {
    const before = this.visible;
    this.visible = new Map(this.find().map((each) => [`${each.screen}/${each.path}`, each]));
    for (const [key, each] of before) if (!this.visible.has(key)) this.notify(each, "disappear");
    for (const [key, each] of this.visible) if (!before.has(key)) this.notify(each, "appear");
  }

  private find(): Visible[] {
    return this.visibleScreens(this.document.navigation).flatMap((screen): Visible[] => {
      const state = this.document.screens[screen];
      if (!state) return [];
      const description = this.description["x-screens"]?.[state.kind];
      const parts = this.concernsParts ? [...visibleParts(state, description?.children, this.parts)] : [];
      return [
        { screen, path: "", description },
        ...parts.map(({ path, name }) => ({ screen, path: `${path}/`, description: this.parts[name] })),
      ];
    });
  }

  private notify({ screen, path, description }: Visible, when: "appear" | "disappear"): void {
    if (!findPart(this.document.screens[screen], path.slice(0, -1))) return;
    for (const [name, port] of Object.entries(description?.inputs ?? {})) {
      if (port["x-when"] === when) this.send(screen, path + name);
    }
  }
}
