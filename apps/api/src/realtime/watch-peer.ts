import type { RealtimeSocket } from '@sluice/canonical';

/** A peer counts as disconnected after this many pings without a pong. */
const MAX_PENDING_PINGS = 2;

/** Detects a peer that has disappeared without closing the connection. */
export class PeerWatch {
  readonly #socket: RealtimeSocket;
  #pendingPings = 0;
  #readBytes = 0;

  constructor(socket: RealtimeSocket) {
    this.#socket = socket;
  }

  /** Called when data has arrived or pending data was sent. */
  active(): void {
    this.#pendingPings = 0;
  }

  /**
   * Sends a ping, or cuts a connection that did not respond to the last pings. {@link RealtimeSocket.closeWhenStalled}
   * handles connections with pending data.
   * @param isRead whether the socket is being read; a pong is only noticed if it is
   */
  ping(isRead: boolean): void {
    const { readBytes, waitingBytes } = this.#socket;
    // A long message may take minutes to arrive. Any received bytes show that the peer is alive.
    if (readBytes > this.#readBytes) this.active();
    this.#readBytes = readBytes;
    if (!isRead || waitingBytes > 0) return;
    if (this.#pendingPings >= MAX_PENDING_PINGS) return this.#socket.terminate();
    this.#pendingPings += 1;
    this.#socket.ping();
  }
}
