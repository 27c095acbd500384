import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { RealtimeSocket } from '@sluice/canonical';
import { realtimeSocketOf } from '@sluice/upstreams';
import { afterEach } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { relaySession, type RelayedSession, type SessionLimits } from '../src/realtime/relay-session.ts';

const LIMITS: SessionLimits = { idleMs: 60_000, sessionMs: 60_000, pingMs: 60_000, closeMs: 500, drainMs: 60_000 };
const MEBIBYTE = 1024 * 1024;

const cleanup: (() => void)[] = [];
afterEach(() => {
  for (const close of cleanup.splice(0)) close();
});

/** Starts a server whose only socket is the gateway's side of a connection. */
async function listening(): Promise<{ ours: Promise<RealtimeSocket>; port: number }> {
  const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MEBIBYTE * 40 });
  const server = createServer().listen(0, '127.0.0.1');
  const ours = new Promise<RealtimeSocket>((resolve) => {
    server.on('upgrade', (request: IncomingMessage, connection: Socket, head: Buffer) =>
      wss.handleUpgrade(request, connection, head, (opened) => resolve(realtimeSocketOf(opened, connection))),
    );
  });
  cleanup.push(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  return { ours, port };
}

/** Opens a connection. Returns the gateway's side and the other side. */
async function connectPair(autoPong: boolean): Promise<{ ours: RealtimeSocket; other: WebSocket }> {
  const { ours, port } = await listening();
  const other = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong, maxPayload: 0 });
  other.on('error', () => undefined);
  cleanup.push(() => other.terminate());
  await new Promise((resolve) => other.once('open', resolve));
  return { ours: await ours, other };
}

/** Opens a connection whose other side is a raw socket that the test reads. */
async function connectRawPair(): Promise<{ ours: RealtimeSocket; other: Socket }> {
  const { ours, port } = await listening();
  const other = connect(port, '127.0.0.1');
  other.on('error', () => undefined);
  cleanup.push(() => other.destroy());
  const own = ['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version: 13', '', ''];
  other.write(['GET / HTTP/1.1', 'host: x', 'connection: upgrade', 'upgrade: websocket', ...own].join('\r\n'));
  await new Promise((resolve) => other.once('readable', resolve));
  other.read();
  return { ours: await ours, other };
}

function startSession(
  client: RealtimeSocket,
  upstream: RealtimeSocket,
  limits: Partial<SessionLimits>,
): RelayedSession {
  return relaySession({
    client,
    upstream,
    editClient: ({ data }) => data,
    editUpstream: ({ data }) => data,
    scrub: (text) => text.replaceAll('secret', '[hidden]'),
    limits: { ...LIMITS, ...limits },
    newEventId: () => 'event_1',
  });
}

/** Starts a session. Returns it with the client's and the upstream's socket. */
export async function session(limits: Partial<SessionLimits> = {}, autoPong = true) {
  const [client, upstream] = await Promise.all([connectPair(autoPong), connectPair(autoPong)]);
  const relayed = startSession(client.ours, upstream.ours, limits);
  return { relayed, client: client.other, upstream: upstream.other };
}

/** Starts a session with a raw client socket. */
export async function rawSession(limits: Partial<SessionLimits>) {
  const [client, upstream] = await Promise.all([connectRawPair(), connectPair(true)]);
  const relayed = startSession(client.ours, upstream.ours, limits);
  return { relayed, client: client.other, upstream: upstream.other };
}

/**
 * Reads to the end at no more than about 6 MB per second.
 * @returns the number of bytes
 */
export async function readSlowly(socket: Socket): Promise<number> {
  let bytes = 0;
  while (!socket.readableEnded && !socket.destroyed) {
    const chunk: unknown = socket.read();
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    await wait(10);
  }
  return bytes;
}
