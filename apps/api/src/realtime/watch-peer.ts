import type { RealtimeSocket } from '@sluice/canonical';

/** Pings without any sign of life after which a peer counts as gone. */
const MAX_QUIET = 2;

/** Finds out whether somebody is still at the other end of a socket. */
export class PeerWatch {
  readonly #socket: RealtimeSocket;
  #quiet = 0;
  #readBytes = 0;

  constructor(socket: RealtimeSocket) {
    this.#socket = socket;
  }

  /** Something came, or something that was waiting has left. */
  recorded(): void {
    this.#quiet = 0;
  }

  /**
   * Asks once more, and cuts a connection that has not answered. Behind what is waiting a ping says nothing: then it is
   * {@link RealtimeSocket.cutWhenStuck} that notices.
   * @param isRead whether the socket is being read: else its answers could not be seen
   */
  ask(isRead: boolean): void {
    const { readBytes, waitingBytes } = this.#socket;
    // A long message may take minutes to be whole.
    if (readBytes > this.#readBytes) this.recorded();
    this.#readBytes = readBytes;
    if (!isRead || waitingBytes > 0) return;
    if (this.#quiet >= MAX_QUIET) return this.#socket.terminate();
    this.#quiet += 1;
    this.#socket.ping();
  }
}
