/** Shows that the core is at work, and keeps an impatient second tap from counting. */

/** The names of the requests that wait for their answers. */
const sent = new Set();

/** Makes a request, unless the same one waits for its answer. */
export async function once(name, request) {
  if (sent.has(name)) return;
  sent.add(name);
  try {
    await request();
  } finally {
    sent.delete(name);
  }
}

/** Tells when a request takes so long that a person asks whether it was heard. */
export class Busy {
  #late = new Set();

  /** @param changed is called when `isShown` has changed */
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
