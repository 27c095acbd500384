import type { RealtimeSocket } from '@sluice/canonical';

/** Unanswered pings after which a peer counts as disconnected. */
const MAX_UNANSWERED = 2;

export class PeerWatch {
  readonly #socket: RealtimeSocket;
  #unanswered = 0;
  #readBytes = 0;

  constructor(socket: RealtimeSocket) {
    this.#socket = socket;
  }

  /** Called when data arrived or pending data was sent. */
  active(): void {
    this.#unanswered = 0;
  }

  /**
   * Cuts a connection that has not answered the last ping. {@link RealtimeSocket.cutWhenStuck} handles pending data.
   * @param isRead whether the socket is read; otherwise a pong would not be seen
   */
  ping(isRead: boolean): void {
    const { readBytes, waitingBytes } = this.#socket;
    // A long message may take minutes to arrive completely.
    if (readBytes > this.#readBytes) this.active();
    this.#readBytes = readBytes;
    if (!isRead || waitingBytes > 0) return;
    if (this.#unanswered >= MAX_UNANSWERED) return this.#socket.terminate();
    this.#unanswered += 1;
    this.#socket.ping();
  }
}
