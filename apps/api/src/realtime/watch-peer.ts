import type { RealtimeSocket } from '@sluice/canonical';

/** Unanswered pings after which a peer counts as disconnected. */
const MAX_QUIET = 2;

export class PeerWatch {
  readonly #socket: RealtimeSocket;
  #quiet = 0;
  #readBytes = 0;

  constructor(socket: RealtimeSocket) {
    this.#socket = socket;
  }

  /** Called when data arrived or pending data was sent. */
  recorded(): void {
    this.#quiet = 0;
  }

  /**
   * Cuts a connection that has not answered the last ping. {@link RealtimeSocket.cutWhenStuck} handles pending data.
   * @param isRead whether the socket is read; otherwise a pong would not be seen
   */
  ask(isRead: boolean): void {
    const { readBytes, waitingBytes } = this.#socket;
    // A long message may take minutes to arrive completely.
    if (readBytes > this.#readBytes) this.recorded();
    this.#readBytes = readBytes;
    if (!isRead || waitingBytes > 0) return;
    if (this.#quiet >= MAX_QUIET) return this.#socket.terminate();
    this.#quiet += 1;
    this.#socket.ping();
  }
}
