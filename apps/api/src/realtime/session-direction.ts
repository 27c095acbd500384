import type { RealtimeFrame, RealtimeSocket } from '@sluice/canonical';

/** Past this the side that sends is read no further, bytes; frames that have come already go on. */
const HIGH_BYTES = 1024 * 1024;
/** From here on it is read again. */
const LOW_BYTES = 256 * 1024;

/** Carries frames from one end to the other, in order, at the pace of the slower one. */
export class SessionDirection {
  readonly #from: RealtimeSocket;
  readonly #to: RealtimeSocket;
  /** Called when something has left for the other end: it lives. */
  readonly #moved: () => void;
  /** Whether the sending side is not read now. */
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
