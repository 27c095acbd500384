import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ENDPOINTS } from '@sluice/protocols';
import type { FastifyInstance } from 'fastify';

/** What a client may send before it is told that its socket is open. */
const EARLY_BYTES = 256 * 1024;
/** For so long after an HTTP answer a client may still be sending; closing at once could take the answer with it. */
const LINGER_MS = 2_000;

/** Where web sockets are served. */
const PATHS = new Set(ENDPOINTS.filter(({ action }) => action === 'realtime.connect').map(({ path }) => path));

/** Handshakes that are neither answered nor taken yet. */
const pending = new WeakMap<IncomingMessage, PendingUpgrade>();

/** The handshake of a request, if it is one of a web socket. */
export function pendingUpgrade(request: IncomingMessage): PendingUpgrade | undefined {
  return pending.get(request);
}

/**
 * Whether a request asks for a web socket where there is one. Whatever else wishes to upgrade is served as plain HTTP: Node
 * cares no more for the connection of an upgrade, so that a long answer on it would stand still.
 */
export function isHandshake({ method, headers, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && PATHS.has(url.split('?', 1)[0] ?? '');
}

/**
 * Sends handshakes through the router as any other request, so that hooks, errors and the log are the same. A handler may
 * take the connection; else its answer goes out as HTTP and ends it. When the server closes, connections that are left after
 * the grace time are cut: the server does not count them among its own.
 *
 * `@fastify/websocket` is not used: it opens the socket before a handler is asked, and does so on every route.
 * @param graceMs from the beginning of the close
 */
export function routeUpgrades(app: FastifyInstance, graceMs: number): void {
  const connections = new Set<Socket>();
  app.server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const connection = duplex as Socket; // where the server listens on TCP or a pipe
    // First of all: nobody else listens any more, and an error that nobody hears ends the process.
    connection.on('error', () => connection.destroy());
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(connection);
    } catch {
      // A request before this one, on the same connection, has not been answered yet. Nobody who means well does that.
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

/**
 * A connection between its handshake and the answer. It is read, so that a client that leaves is noticed. Then it is either
 * taken, or answered over HTTP and ended.
 */
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

  /** Aborts when the client has sent more than is kept for it; what comes then is thrown away. */
  get flooded(): AbortSignal {
    return this.#flooded.signal;
  }

  /** Hands the connection over: nobody reads it any more. @returns what has come since the handshake */
  take(): Buffer {
    this.connection.pause();
    this.connection.off('data', this.#read);
    this.connection.off('end', this.#leave);
    return Buffer.concat(this.#early.splice(0));
  }

  /** Ends the connection behind its answer, whether the client ends it or not. */
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
