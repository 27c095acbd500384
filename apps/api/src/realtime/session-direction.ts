import type { RealtimeFrame, RealtimeSocket } from '@sluice/canonical';

/** Buffered bytes at which the sender is paused; frames that have already arrived are still sent. */
const HIGH_BYTES = 1024 * 1024;
/** Buffered bytes at which the sender is resumed. */
const LOW_BYTES = 256 * 1024;

export class SessionDirection {
  readonly #from: RealtimeSocket;
  readonly #to: RealtimeSocket;
  /** Called when data has left for the other end, which proves that it is alive. */
  readonly #moved: () => void;
  isHeld = false;
  frames = 0;

  constructor(from: RealtimeSocket, to: RealtimeSocket, moved: () => void) {
    this.#from = from;
    this.#to = to;
    this.#moved = moved;
  }

  pass(frame: RealtimeFrame): void {
    this.frames += 1;
    this.#to.send(frame, this.#sent);
    if (this.isHeld || this.#to.waitingBytes <= HIGH_BYTES) return;
    this.isHeld = true;
    this.#from.pause();
  }

  readonly #sent = (): void => {
    this.#moved();
    if (!this.isHeld || this.#to.waitingBytes > LOW_BYTES) return;
    this.isHeld = false;
    this.#from.resume();
  };
}
