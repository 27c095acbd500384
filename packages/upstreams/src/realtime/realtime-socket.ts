import type { Socket } from 'node:net';
import type { RealtimeClose, RealtimeFrame, RealtimeListener, RealtimeSocket } from '@sluice/canonical';
import type { RawData, WebSocket } from 'ws';
import { fitReason, sendableCode } from './close-frame.ts';

const FAULTS: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 1009,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 1009,
  WS_ERR_INVALID_UTF8: 1007,
};
const PROTOCOL_ERROR = 1002;

/**
 * Wraps an open WebSocket. Call it immediately after the socket opens, so that no frame is missed.
 * @param connection the underlying socket
 */
export function realtimeSocketOf(socket: WebSocket, connection: Socket): RealtimeSocket {
  return new OpenSocket(socket, connection);
}

/**
 * A socket is *waiting* (paused, with early frames buffered) until it has a listener, then *read*, then *closed*. The
 * listener is notified only once that the socket has closed. If the socket closes while it is waiting, a later listener
 * is notified immediately.
 */
class OpenSocket implements RealtimeSocket {
  readonly #socket: WebSocket;
  readonly #connection: Socket;
  #listener: RealtimeListener | undefined;
  #early: RealtimeFrame[] = [];
  #closed: RealtimeClose | undefined;
  #fault: number | undefined;

  constructor(socket: WebSocket, connection: Socket) {
    this.#socket = socket;
    this.#connection = connection;
    // Node's server adds a listener that would close an idle connection.
    connection.removeAllListeners('timeout');
    connection.on('timeout', () => {
      if (this.waitingBytes > 0) this.terminate();
    });
    socket.pause();
    socket.on('message', (data, isBinary) => this.#frame({ data: bytesOf(data), isText: !isBinary }));
    socket.on('ping', () => this.#listener?.alive());
    socket.on('pong', () => this.#listener?.alive());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? '';
      if (code.startsWith('WS_ERR_')) this.#fault ??= FAULTS[code] ?? PROTOCOL_ERROR;
    });
    socket.on('close', (code, reason) => {
      this.#closed = {
        code,
        reason: reason.toString('utf8'),
        ...(this.#fault !== undefined && { fault: this.#fault }),
      };
      this.#listener?.closed(this.#closed);
    });
  }

  listen(listener: RealtimeListener): void {
    this.#listener = listener;
    for (const frame of this.#early.splice(0)) listener.frame(frame);
    if (this.#closed) listener.closed(this.#closed);
    else this.#socket.resume();
  }

  send({ data, isText }: RealtimeFrame, sent?: () => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(data, { binary: !isText, compress: false }, () => sent?.());
  }

  get waitingBytes(): number {
    return this.#socket.bufferedAmount;
  }

  get readBytes(): number {
    return this.#connection.bytesRead;
  }

  closeWhenStalled(ms: number): void {
    // One write can contain many messages, so Node checks before a timeout how many bytes the system has sent.
    this.#connection.setTimeout(ms);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  close(code: number, reason = ''): void {
    this.#socket.close(sendableCode(code), fitReason(reason));
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #frame(frame: RealtimeFrame): void {
    if (this.#listener) this.#listener.frame(frame);
    else this.#early.push(frame);
  }
}

/** `ws` returns one buffer unless `binaryType` is changed. */
function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
