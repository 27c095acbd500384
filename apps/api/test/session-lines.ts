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
  for (const undo of cleanup.splice(0)) undo();
});

/** A server whose only socket is the gateway's end of a connection. */
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
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { ours, port };
}

/** A connection: the gateway's end and the other one. */
async function line(autoPong: boolean): Promise<{ ours: RealtimeSocket; other: WebSocket }> {
  const { ours, port } = await listening();
  const other = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong, maxPayload: 0 });
  other.on('error', () => undefined);
  cleanup.push(() => other.terminate());
  await new Promise((resolve) => other.once('open', resolve));
  return { ours: await ours, other };
}

/** A connection with a raw other end that the test reads. */
async function rawLine(): Promise<{ ours: RealtimeSocket; other: Socket }> {
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

function joinedOf(client: RealtimeSocket, upstream: RealtimeSocket, limits: Partial<SessionLimits>): RelayedSession {
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

/** A session and its two other ends. */
export async function session(limits: Partial<SessionLimits> = {}, autoPong = true) {
  const [client, upstream] = await Promise.all([line(autoPong), line(autoPong)]);
  const joined = joinedOf(client.ours, upstream.ours, limits);
  return { joined, client: client.other, upstream: upstream.other };
}

/** A session with a raw client. */
export async function rawSession(limits: Partial<SessionLimits>) {
  const [client, upstream] = await Promise.all([rawLine(), line(true)]);
  const joined = joinedOf(client.ours, upstream.ours, limits);
  return { joined, client: client.other, upstream: upstream.other };
}

/**
 * Reads slowly, at most about 6 MB a second, to the end.
 * @returns the number of bytes
 */
export async function sip(socket: Socket): Promise<number> {
  let bytes = 0;
  while (!socket.readableEnded && !socket.destroyed) {
    const chunk: unknown = socket.read();
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
    await wait(10);
  }
  return bytes;
}
