import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { type ApiRig, apiRig, type ApiRigOptions, KEYS } from './api-rig.ts';

/** Must occur only in handshakes with the vendor. */
export const VENDOR_KEY = 'sk-vendor-realtime-key';

/** A scripted vendor of realtime sessions. */
export interface ScriptedSessions {
  url: string;
  handshakes: IncomingMessage[];
  /** The vendor's ends of the sessions, in order. */
  sockets: WebSocket[];
  onOpen: (socket: WebSocket) => void;
  /** Additional header lines of the handshake's response. */
  adds: ((request: IncomingMessage) => string[]) | undefined;
  /** Responds instead of opening a session. */
  refuse: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Delays the responses to handshakes. */
  hold: Promise<unknown> | undefined;
  /** Open connections. */
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
      // As a server without WebSockets does.
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(connection);
      response.on('finish', () => connection.end());
      vendor.refuse(request, response);
      return;
    }
    // A disconnect is noticed only by reading.
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
  const { port } = server.address() as AddressInfo; // it listens on TCP
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

/** A client's end, and the messages that it received. */
export interface ClientSession {
  socket: WebSocket;
  texts: string[];
  /** Of the handshake's response. */
  headers: IncomingMessage['headers'];
  closed: { code: number; reason: string } | undefined;
}

/** An API with a vendor of realtime sessions. */
export interface RealtimeRig extends ApiRig {
  vendor: ScriptedSessions;
  /** Opens a session with alice's key. @throws {HandshakeError} for any response except 101 */
  connect(query?: string, options?: ClientOptions & { protocols?: string[] }): Promise<ClientSession>;
}

/** An HTTP response to a handshake. */
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

/** Starts an API with the models `voice` (at `theirs`), `voice-2` (elsewhere first), and `mute`. */
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
        gone: { ...account, base_url: 'http://127.0.0.1:9/v1' },
        ...upstreams,
      },
      models: [
        { id: 'voice', routes: [{ upstream: 'speaker', model: 'theirs' }] },
        {
          id: 'voice-2',
          routes: [
            { upstream: 'gone', model: 'x' },
            { upstream: 'speaker', model: 'second' },
          ],
        },
        { id: 'lost', routes: [{ upstream: 'gone', model: 'x' }] },
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
    socket.on('message', (data) => session.texts.push((data as Buffer).toString())); // `ws` passes a buffer
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
