import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ENDPOINTS } from '@sluice/protocols';
import type { FastifyInstance } from 'fastify';

/** Maximum bytes that a client can send before its session is open. */
export const EARLY_BYTES = 256 * 1024;
/** Delay before the connection is closed, so that the client can read the HTTP response. */
const LINGER_MS = 2_000;

const PATHS = new Set(ENDPOINTS.filter(({ action }) => action === 'realtime.connect').map(({ path }) => path));

const pending = new WeakMap<IncomingMessage, PendingUpgrade>();

export function pendingUpgrade(request: IncomingMessage): PendingUpgrade | undefined {
  return pending.get(request);
}

/**
 * Only WebSocket handshakes are upgraded. Other upgrade requests are served as plain HTTP, because Node stops managing
 * an upgraded connection and a long response would stall.
 */
export function isHandshake({ method, headers, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && PATHS.has(url.split('?', 1)[0] ?? '');
}

/**
 * Routes handshakes like any other request, so that hooks, errors, and the log work the same. A handler can take over
 * the connection. Otherwise, its response is sent over HTTP and the connection is closed. The server does not track
 * these connections. When it closes, they are cut after the grace period. `@fastify/websocket` is not used because it
 * opens the socket before the handler runs, on every route.
 */
export function routeUpgrades(app: FastifyInstance, graceMs: number): void {
  const connections = new Set<Socket>();
  app.server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const connection = duplex as Socket; // The cast is safe because the server listens on TCP or a pipe.
    // Added first, because Node has removed its own error listeners and an unhandled error would end the process.
    connection.on('error', () => connection.destroy());
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(connection);
    } catch {
      // The handshake was pipelined before the previous request's response. No valid client does this.
      connection.destroy();
      return;
    }
    const upgrade = new PendingUpgrade(connection, head);
    pending.set(request, upgrade);
    response.once('finish', () => upgrade.end());
    app.routing(request, response);
  });
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, graceMs).unref();
  });
}

/** A connection between the handshake and the response. Its data is read so that a disconnect is noticed. */
export class PendingUpgrade {
  readonly connection: Socket;
  readonly #flooded = new AbortController();
  #early: Buffer[];
  #bytes: number;

  constructor(connection: Socket, head: Buffer) {
    this.connection = connection;
    this.#early = [head];
    this.#bytes = head.byteLength;
    connection.on('data', this.#read);
    connection.on('end', this.#disconnect);
  }

  /** Aborts when the client exceeds the limit for early data. Further data is discarded. */
  get flooded(): AbortSignal {
    return this.#flooded.signal;
  }

  /** Stops reading. @returns the data received since the handshake */
  take(): Buffer {
    this.connection.pause();
    this.connection.off('data', this.#read);
    this.connection.off('end', this.#disconnect);
    return Buffer.concat(this.#early.splice(0));
  }

  end(): void {
    this.#drop();
    this.connection.end();
    const cut = setTimeout(this.#disconnect, LINGER_MS).unref();
    this.connection.once('close', () => clearTimeout(cut));
  }

  #drop(): void {
    this.#early = [];
    this.#bytes = Infinity;
  }

  readonly #read = (chunk: Buffer): void => {
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= EARLY_BYTES) this.#early.push(chunk);
    else if (!this.#flooded.signal.aborted) {
      this.#drop();
      this.#flooded.abort();
    }
  };

  readonly #disconnect = (): void => {
    this.connection.destroy();
  };
}
