import type { RealtimeFrame, RealtimeSocket } from '@sluice/canonical';

/** The sender is paused at this many buffered bytes. Frames that have already arrived are still sent. */
const HIGH_BYTES = 1024 * 1024;
const LOW_BYTES = 256 * 1024;

/** Passes frames from one side to the other, and pauses the sender while the receiver is slow. */
export class SessionDirection {
  readonly #from: RealtimeSocket;
  readonly #to: RealtimeSocket;
  /** Called when data was sent to the receiver, which proves that it is alive. */
  readonly #onSent: () => void;
  isPaused = false;
  frames = 0;

  constructor(from: RealtimeSocket, to: RealtimeSocket, onSent: () => void) {
    this.#from = from;
    this.#to = to;
    this.#onSent = onSent;
  }

  pass(frame: RealtimeFrame): void {
    this.frames += 1;
    this.#to.send(frame, this.#sent);
    if (this.isPaused || this.#to.waitingBytes <= HIGH_BYTES) return;
    this.isPaused = true;
    this.#from.pause();
  }

  readonly #sent = (): void => {
    this.#onSent();
    if (!this.isPaused || this.#to.waitingBytes > LOW_BYTES) return;
    this.isPaused = false;
    this.#from.resume();
  };
}
