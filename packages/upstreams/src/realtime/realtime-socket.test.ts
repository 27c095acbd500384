import { once } from 'node:events';
import type { RealtimeClose, RealtimeFrame, RealtimeSocket } from '@sluice/canonical';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawData, WebSocket } from 'ws';
import { type SocketServer, startSocketServer } from '../../test/socket-server.ts';
import { until } from '../../test/local-server.ts';
import { realtimeSocketOf } from './realtime-socket.ts';

let server: SocketServer | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function pair(maxPayload = 0): Promise<{ ours: RealtimeSocket; other: WebSocket }> {
  server = await startSocketServer({});
  const socket = new WebSocket(server.origin, { maxPayload });
  const opened = new Promise<RealtimeSocket>((resolve) => {
    socket.once('upgrade', ({ socket: connection }) =>
      socket.once('open', () => resolve(realtimeSocketOf(socket, connection))),
    );
  });
  const ours = await opened;
  await until(() => server?.sockets.length === 1);
  const [other] = server.sockets;
  if (!other) throw new Error('no socket');
  return { ours, other };
}

function listening(socket: RealtimeSocket) {
  const recorded: { frames: RealtimeFrame[]; alive: number; closed: RealtimeClose[] } = {
    frames: [],
    alive: 0,
    closed: [],
  };
  socket.listen({
    frame: (frame) => void recorded.frames.push(frame),
    alive: () => void (recorded.alive += 1),
    closed: (close) => void recorded.closed.push(close),
  });
  return recorded;
}

const textOf = ({ data }: RealtimeFrame) => Buffer.from(data).toString();

describe('realtime socket', () => {
  it('buffers messages without a listener and pauses reading', async () => {
    const { ours, other } = await pair();
    for (let at = 0; at < 100; at++) other.send(`frame ${at} ${'x'.repeat(1024 * 1024)}`);
    await new Promise((wake) => setTimeout(wake, 200));
    expect(other.bufferedAmount).toBeGreaterThan(50 * 1024 * 1024);
    const { frames } = listening(ours);
    await until(() => frames.length === 100);
    expect(frames.map((frame) => textOf(frame).split(' ', 2)[1])).toEqual(
      Array.from({ length: 100 }, (_, at) => `${at}`),
    );
  });

  it('keeps text and binary frames apart in both directions', async () => {
    const { ours, other } = await pair();
    const { frames } = listening(ours);
    other.send('grüß dich');
    other.send(Buffer.from([0, 255]));
    await until(() => frames.length === 2);
    expect(frames.map(({ isText, data }) => [isText, [...data]])).toEqual([
      [true, [...Buffer.from('grüß dich')]],
      [false, [0, 255]],
    ]);
    const back: unknown[] = [];
    other.on('message', (data: RawData, isBinary) => back.push([isBinary, (data as Buffer).toString()]));
    ours.send({ isText: true, data: Buffer.from('grüß dich') });
    ours.send({ isText: false, data: Buffer.from('bytes') });
    await until(() => back.length === 2);
    expect(back).toEqual([
      [false, 'grüß dich'],
      [true, 'bytes'],
    ]);
  });

  it('reports unsent bytes, and when they are sent', async () => {
    const { ours, other } = await pair();
    listening(ours);
    other.pause();
    let sentCount = 0;
    for (let at = 0; at < 32; at++)
      ours.send({ isText: false, data: Buffer.alloc(1024 * 1024) }, () => (sentCount += 1));
    await new Promise((wake) => setTimeout(wake, 100));
    expect(ours.waitingBytes).toBeGreaterThan(8 * 1024 * 1024);
    expect(sentCount).toBeLessThan(32);
    other.resume();
    await until(() => sentCount === 32);
    expect(ours.waitingBytes).toBe(0);
  });

  it('reports a close once, with code and reason, even to a late listener', async () => {
    const { ours, other } = await pair();
    other.close(4001, 'enough');
    await new Promise((wake) => setTimeout(wake, 100));
    const { closed } = listening(ours);
    await until(() => closed.length > 0);
    expect(closed).toEqual([{ code: 4001, reason: 'enough' }]);
  });

  it('reports a broken connection as 1006', async () => {
    const { ours, other } = await pair();
    const { closed } = listening(ours);
    other.terminate();
    await until(() => closed.length > 0);
    expect(closed).toEqual([{ code: 1006, reason: '' }]);
  });

  it.each([
    ['too long a message', 1009, (other: WebSocket) => other.send('x'.repeat(101))],
    ['a text that is no UTF-8', 1007, (other: WebSocket) => other.send(Buffer.from([0xff, 0xfe]), { binary: false })],
  ])('closes after %s and reports it', async (_, fault, send) => {
    const { ours, other } = await pair(100);
    const { closed } = listening(ours);
    const closeEvent = once(other, 'close');
    send(other);
    expect((await closeEvent)[0]).toBe(fault);
    await until(() => closed.length > 0);
    expect(closed).toMatchObject([{ fault }]);
  });

  it.each([
    [1000, 'bye', 1000, 'bye'],
    [4001, 'x'.repeat(200), 4001, 'x'.repeat(123)],
    [1006, 'broke', 1011, 'broke'],
    [1015, '', 1011, ''],
    [1005, '', 1000, ''],
  ])('maps the close code %i to one that a frame may contain', async (code, reason, expectedCode, expectedReason) => {
    const { ours, other } = await pair();
    listening(ours);
    const closeEvent = once(other, 'close');
    ours.close(code, reason);
    const [sentCode, sentReason] = (await closeEvent) as [number, Buffer]; // Arguments of the `close` event of `ws`.
    expect([sentCode, sentReason.toString()]).toEqual([expectedCode, expectedReason]);
  });

  it('reports pings and pongs, and nothing sent after a close', async () => {
    const { ours, other } = await pair();
    const recorded = listening(ours);
    other.ping();
    ours.ping();
    await until(() => recorded.alive === 2);
    ours.close(1000);
    ours.send({ isText: true, data: Buffer.from('late') });
    ours.ping();
    await until(() => recorded.closed.length === 1);
  });
});
