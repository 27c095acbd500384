import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** What a client may send before it is told that its socket is open; more waits on its side. */
const EARLY_BYTES = 256 * 1024;

/** Handshakes that are neither answered nor taken yet. */
const pending = new WeakMap<IncomingMessage, PendingUpgrade>();

/** The handshake of a request, if it is one of a web socket. */
export function pendingUpgrade(request: IncomingMessage): PendingUpgrade | undefined {
  return pending.get(request);
}

/** Whether a request asks for a web socket. */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Sends handshakes through the router as any other request, so that hooks, errors and the log are the same. A handler may
 * take the connection; else its answer goes out as HTTP and ends it.
 *
 * `@fastify/websocket` is not used: it opens the socket before a handler is asked, and does so on every route.
 */
export function routeUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    pending.set(request, new PendingUpgrade(connection, head));
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    // It is a `Socket` where the server listens on TCP or a pipe.
    response.assignSocket(connection as Parameters<ServerResponse['assignSocket']>[0]);
    response.once('finish', () => connection.end());
    app.routing(request, response);
  });
}

/** A connection between its handshake and the answer. It is read, so that a client that leaves is noticed. */
export class PendingUpgrade {
  readonly connection: Duplex;
  #early: Buffer[];
  #bytes: number;

  constructor(connection: Duplex, head: Buffer) {
    this.connection = connection;
    this.#early = [head];
    this.#bytes = head.byteLength;
    connection.on('data', this.#read);
    connection.on('end', this.#leave);
    connection.on('error', this.#leave);
  }

  /** Hands the connection over: nobody reads it any more. @returns what has come since the handshake */
  take(): Buffer {
    this.connection.pause();
    this.connection.off('data', this.#read);
    this.connection.off('end', this.#leave);
    this.connection.off('error', this.#leave);
    return Buffer.concat(this.#early.splice(0));
  }

  readonly #read = (piece: Buffer): void => {
    this.#early.push(piece);
    this.#bytes += piece.byteLength;
    if (this.#bytes > EARLY_BYTES) this.connection.pause();
  };

  readonly #leave = (): void => {
    this.connection.destroy();
  };
}
