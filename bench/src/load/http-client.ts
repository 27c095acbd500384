import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Reports about the response of the current request. */
export interface ResponseObserver {
  /** Called for each read with the bytes that arrived, including headers and chunk sizes. */
  data?(bytes: Buffer): void;
  /** Called when the response is complete. `status` is 0 if the connection failed. */
  end(status: number): void;
}

/**
 * A keep-alive HTTP/1.1 connection for one request at a time. It uses a plain socket, because `node:http` costs more
 * than some of the measured servers.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #observer: ResponseObserver | undefined;
  #status = 0;
  /** Body bytes still expected; undefined for a chunked body, −1 before the headers. */
  #remaining: number | undefined = -1;
  #tail: Buffer = Buffer.alloc(0);

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (bytes) => this.#read(bytes));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#finish(0));
  }

  /** Sends a complete request, headers and body. */
  send(request: Buffer, observer: ResponseObserver): void {
    this.#observer = observer;
    this.#remaining = -1;
    this.#tail = Buffer.alloc(0);
    if (this.#socket.destroyed) this.#finish(0);
    else this.#socket.write(request);
  }

  close(): void {
    this.#observer = undefined;
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    if (!this.#observer) return;
    this.#observer.data?.(bytes);
    if (this.#remaining === -1) this.#readHead(bytes);
    else if (this.#remaining === undefined) this.#readChunked(bytes);
    else this.#readSized(bytes.byteLength);
  }

  #readHead(bytes: Buffer): void {
    this.#tail = this.#tail.byteLength > 0 ? Buffer.concat([this.#tail, bytes]) : bytes;
    const end = this.#tail.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.#tail.toString('latin1', 0, end);
    const body = this.#tail.subarray(end + HEAD_END.length);
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#remaining = length === undefined ? undefined : Number(length);
    this.#tail = Buffer.alloc(0);
    if (this.#remaining === undefined) this.#readChunked(body);
    else this.#readSized(body.byteLength);
  }

  #readSized(count: number): void {
    this.#remaining = (this.#remaining ?? 0) - count;
    if (this.#remaining <= 0) this.#finish(this.#status);
  }

  /** Searches only for the last chunk. No measured response has text that ends like it. */
  #readChunked(bytes: Buffer): void {
    const end =
      bytes.byteLength >= LAST_CHUNK.byteLength || this.#tail.byteLength === 0
        ? bytes
        : Buffer.concat([this.#tail, bytes]);
    if (end.subarray(-LAST_CHUNK.byteLength).equals(LAST_CHUNK)) this.#finish(this.#status);
    else this.#tail = Buffer.from(end.subarray(-LAST_CHUNK.byteLength));
  }

  #finish(status: number): void {
    const observer = this.#observer;
    this.#observer = undefined;
    observer?.end(status);
  }
}

/** Encodes a POST request for `HttpConnection`. */
export function encodePost(url: string, headers: Record<string, string>, body: string): Buffer {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, 'content-type': 'application/json', ...headers }).map(([k, v]) => `${k}: ${v}`);
  const length = Buffer.byteLength(body);
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${length}\r\n\r\n${body}`);
}
