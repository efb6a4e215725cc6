import { replacement, wholeFrame } from "./document.js";
import type { Document, Frame } from "./document.js";
import { PatchError } from "./patch.js";
import { PointerError } from "./json.js";

/** Applies the core's frames, and replaces the document if one does not fit. */
export class Replica {
  private missed: Frame[] | undefined;

  /** @param ask sends `state/snapshot`; its answer goes to `restore` or `giveUp` */
  constructor(
    private readonly document: Document,
    private readonly ask: () => void,
  ) {}

  /** Applies a frame. Returns the frame, or undefined if it did not fit. */
  receive(frame: Frame): Frame | undefined {
    if (!this.missed) {
      try {
        this.document.apply(frame);
        return frame;
      } catch (error) {
        if (!(error instanceof PatchError || error instanceof PointerError)) throw error;
        this.missed = [];
        this.ask();
      }
    }
    this.missed.push(frame);
    // It is as good as the snapshot, which may fail.
    const whole = replacement(frame);
    return whole && this.restore(frame.revision, whole.value);
  }

  /** Takes a snapshot. Returns it as a frame, with the events of missed frames. */
  restore(revision: number, state: unknown): Frame {
    const missed = this.missed ?? [];
    this.missed = undefined;
    this.document.reset(revision, state);
    return wholeFrame(revision, state, missed);
  }

  /** Drops a failed attempt, so that the next frame starts another one. */
  giveUp(): void {
    this.missed = undefined;
  }
}
