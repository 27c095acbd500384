import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ENDPOINTS } from '@sluice/protocols';
import type { FastifyInstance } from 'fastify';

/** Maximum data of a client before its session is open. */
export const EARLY_BYTES = 256 * 1024;
/** An early close could discard the HTTP response before the client has received it. */
const LINGER_MS = 2_000;

const PATHS = new Set(ENDPOINTS.filter(({ action }) => action === 'realtime.connect').map(({ path }) => path));

const pending = new WeakMap<IncomingMessage, PendingUpgrade>();

export function pendingUpgrade(request: IncomingMessage): PendingUpgrade | undefined {
  return pending.get(request);
}

/**
 * Other upgrade requests are served as plain HTTP, because Node stops managing the connection of an upgrade and a long
 * response would stall.
 */
export function isHandshake({ method, headers, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && PATHS.has(url.split('?', 1)[0] ?? '');
}

/**
 * Routes handshakes like any other request, so that hooks, errors, and the log apply. A handler may take the
 * connection; otherwise its response is sent over HTTP and closes the connection. The server does not track these
 * connections, so they are cut after the grace period when it closes. `@fastify/websocket` is not used because it opens
 * the socket before the handler runs, on every route.
 */
export function routeUpgrades(app: FastifyInstance, graceMs: number): void {
  const connections = new Set<Socket>();
  app.server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const connection = duplex as Socket; // the server listens on TCP or a pipe
    // First: Node has removed its own listeners, and an unhandled error ends the process.
    connection.on('error', () => connection.destroy());
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(connection);
    } catch {
      // A pipelined request whose predecessor has no response yet. No valid client does this.
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

/** A connection between handshake and response. It is read, so that a disconnect is noticed. */
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
    connection.on('end', this.#leave);
  }

  /** Aborts when the client exceeds the early-data limit; further data is discarded. */
  get flooded(): AbortSignal {
    return this.#flooded.signal;
  }

  /** Stops reading. @returns the data received since the handshake */
  take(): Buffer {
    this.connection.pause();
    this.connection.off('data', this.#read);
    this.connection.off('end', this.#leave);
    return Buffer.concat(this.#early.splice(0));
  }

  end(): void {
    this.#drop();
    this.connection.end();
    const cut = setTimeout(this.#leave, LINGER_MS).unref();
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

  readonly #leave = (): void => {
    this.connection.destroy();
  };
}
