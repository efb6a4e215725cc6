/** Shows that the core is at work, and ignores an impatient second tap. */

/** The names of the unanswered requests. */
const sent = new Set();

/** Sends a request unless the same one is unanswered. */
export async function once(name, request) {
  if (sent.has(name)) return;
  sent.add(name);
  try {
    await request();
  } finally {
    sent.delete(name);
  }
}

/** True while a request with this name is unanswered. */
export const isSent = (name) => sent.has(name);

/** Tells when a request takes so long that the person needs feedback. */
export class Busy {
  #late = new Set();

  /** @param changed called when `isShown` has changed */
  constructor(changed) {
    this.changed = changed;
  }

  get isShown() {
    return this.#late.size > 0;
  }

  /** Waits for the answer to a request. */
  async follow(answer) {
    const timer = setTimeout(() => {
      this.#late.add(answer);
      this.changed();
    }, 300);
    await answer.catch(() => {});
    clearTimeout(timer);
    if (this.#late.delete(answer)) this.changed();
  }
}
