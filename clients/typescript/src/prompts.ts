import type { AppTypes } from "./app.js";
import type { PromptState } from "./document.js";

/** The user closed the prompt without an answer. Throw it in a handler. */
export class Dismissed extends Error {
  override readonly name: string = "Dismissed";
}

/** A question that awaits an answer, such as an alert. */
export interface Prompt<Params> {
  readonly id: string;
  readonly kind: string;
  readonly screen: string;
  readonly params: Params;
  /** Aborts if the core withdraws the prompt. */
  readonly signal: AbortSignal;
}

/**
 * Answers prompts: one method for each kind that the front end answers. Only these kinds are announced.
 *
 * A method returns the answer, throws `Dismissed`, or throws another error, whose message goes to the core.
 */
export type PromptHandlers<App extends AppTypes> = {
  [Kind in keyof App["prompts"]]?: (
    prompt: Prompt<App["prompts"][Kind]["params"]>,
  ) => Promise<App["prompts"][Kind]["answer"]> | App["prompts"][Kind]["answer"];
};

type Answer = { value: unknown } | { error: { message: string } } | { dismissed: true };

/** Runs the handler of each prompt in the document. */
export class PromptDesk {
  private running = new Map<string, AbortController>();

  constructor(
    private readonly handlers: Readonly<Record<string, ((prompt: Prompt<unknown>) => unknown) | undefined>>,
    private readonly answer: (prompt: string, answer: Answer) => void,
  ) {}

  /** Starts the handlers of new prompts, and aborts those of closed ones. */
  update(prompts: Readonly<Record<string, PromptState>>): void {
    for (const [id, controller] of this.running) {
      if (Object.hasOwn(prompts, id)) continue;
      this.running.delete(id);
      controller.abort();
    }
    for (const [id, prompt] of Object.entries(prompts)) {
      const handler = Object.hasOwn(this.handlers, prompt.kind) ? this.handlers[prompt.kind] : undefined;
      if (!handler || this.running.has(id)) continue;
      const controller = new AbortController();
      this.running.set(id, controller);
      void this.ask(handler, { ...prompt, id, signal: controller.signal });
    }
  }

  stop(): void {
    this.update({});
  }

  private async ask(handler: (prompt: Prompt<unknown>) => unknown, prompt: Prompt<unknown>): Promise<void> {
    let answer: Answer;
    try {
      answer = { value: (await handler(prompt)) ?? null };
    } catch (error) {
      if (error instanceof Dismissed) answer = { dismissed: true };
      else answer = { error: { message: error instanceof Error ? error.message : String(error) } };
    }
    if (!prompt.signal.aborted) this.answer(prompt.id, answer);
  }
}
