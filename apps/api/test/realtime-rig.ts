import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { type ApiRig, apiRig, type ApiRigOptions, KEYS } from './api-rig.ts';

/** Must only appear in handshakes with the vendor. */
export const VENDOR_KEY = 'sk-vendor-realtime-key';

/** A vendor that serves scripted realtime sessions. */
export interface ScriptedSessions {
  url: string;
  handshakes: IncomingMessage[];
  /** The vendor's side of each session, in order. */
  sockets: WebSocket[];
  onOpen: (socket: WebSocket) => void;
  /** Additional header lines for the handshake response. */
  adds: ((request: IncomingMessage) => string[]) | undefined;
  /** Responds to the handshake instead of opening a session. */
  refuse: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Delays the responses to handshakes. */
  hold: Promise<unknown> | undefined;
  /** Connections that are currently open. */
  connections: Set<Socket>;
  close(): Promise<void>;
}

export async function scriptedSessions(): Promise<ScriptedSessions> {
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 0 });
  wss.on('headers', (lines, request) => lines.push(...(vendor.adds?.(request) ?? [])));
  const server = createServer();
  server.on('connection', (connection) => {
    vendor.connections.add(connection);
    connection.on('close', () => vendor.connections.delete(connection));
  });
  server.on('upgrade', (request: IncomingMessage, connection: Socket, head: Buffer) => {
    vendor.handshakes.push(request);
    connection.on('error', () => undefined);
    if (vendor.refuse) {
      // Responds like a server without WebSocket support.
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(connection);
      response.on('finish', () => connection.end());
      vendor.refuse(request, response);
      return;
    }
    // A disconnect is only noticed while the connection is being read.
    if (vendor.hold) connection.on('end', () => connection.destroy()).resume();
    void (vendor.hold ?? Promise.resolve()).then(() => {
      return wss.handleUpgrade(request, connection, head, (socket) => {
        socket.on('error', () => undefined);
        vendor.sockets.push(socket);
        vendor.onOpen(socket);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const vendor: ScriptedSessions = {
    url: `http://127.0.0.1:${port}`,
    handshakes: [],
    sockets: [],
    onOpen: () => undefined,
    adds: undefined,
    refuse: undefined,
    hold: undefined,
    connections: new Set(),
    close: async () => {
      for (const connection of vendor.connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return vendor;
}

/** A client's connection and the messages it has received. */
export interface ClientSession {
  socket: WebSocket;
  texts: string[];
  /** The headers of the handshake response. */
  headers: IncomingMessage['headers'];
  closed: { code: number; reason: string } | undefined;
}

/** An API with a vendor that serves realtime sessions. */
export interface RealtimeRig extends ApiRig {
  vendor: ScriptedSessions;
  /** Opens a session with Alice's key. @throws {HandshakeError} for any status except 101 */
  connect(query?: string, options?: ClientOptions & { protocols?: string[] }): Promise<ClientSession>;
}

/** An HTTP response that rejects a handshake. */
export class HandshakeError extends Error {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;

  constructor(status: number, headers: IncomingMessage['headers'], body: string) {
    super(`HTTP ${status} ${body}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/**
 * Starts an API with three models: `voice` at the upstream `theirs`, `voice-2` with another upstream first, and `mute`.
 */
export async function realtimeRig(options: ApiRigOptions = {}): Promise<RealtimeRig> {
  const vendor = await scriptedSessions();
  const account = { kind: 'chat-completions', base_url: `${vendor.url}/v1`, api_key: VENDOR_KEY };
  const { upstreams = {}, models = [], ...more } = options.config ?? {};
  const rig = await apiRig({
    ...options,
    config: {
      ...more,
      upstreams: {
        speaker: account,
        unreachable: { ...account, base_url: 'http://127.0.0.1:9/v1' },
        ...upstreams,
      },
      models: [
        { id: 'voice', routes: [{ upstream: 'speaker', model: 'theirs' }] },
        {
          id: 'voice-2',
          routes: [
            { upstream: 'unreachable', model: 'x' },
            { upstream: 'speaker', model: 'second' },
          ],
        },
        { id: 'unreachable', routes: [{ upstream: 'unreachable', model: 'x' }] },
        { id: 'mute', routes: [{ upstream: 'speaker', model: 'theirs' }], capabilities: ['text'] },
        ...models,
      ],
    },
  });
  return {
    ...rig,
    vendor,
    connect: (query = 'model=voice', { protocols = [], ...ws } = {}) =>
      openClient(`ws://127.0.0.1:${rig.port}/v1/realtime?${query}`, protocols, {
        headers: { authorization: `Bearer ${KEYS.alice}` },
        ...ws,
      }),
    async close() {
      await rig.close();
      await vendor.close();
    },
  };
}

/** @throws {HandshakeError} */
function openClient(url: string, protocols: string[], options: ClientOptions): Promise<ClientSession> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, { perMessageDeflate: false, maxPayload: 0, ...options });
    const session: ClientSession = { socket, texts: [], headers: {}, closed: undefined };
    socket.on('upgrade', ({ headers }) => (session.headers = headers));
    // The cast is safe because `ws` delivers messages as buffers.
    socket.on('message', (data) => session.texts.push((data as Buffer).toString()));
    socket.on('close', (code, reason) => (session.closed = { code, reason: reason.toString() }));
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => reject(new HandshakeError(response.statusCode ?? 0, response.headers, body)));
    });
    socket.on('error', reject);
    socket.on('open', () => resolve(session));
  });
}
