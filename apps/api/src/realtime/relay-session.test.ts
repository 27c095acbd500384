import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { session } from '../../test/session-sockets.ts';

const MEBIBYTE = 1024 * 1024;

function closeOf(socket: WebSocket): Promise<[code: number, reason: string]> {
  return new Promise((resolve) => {
    socket.once('close', (code, reason) => resolve([code, reason.toString()]));
  });
}

function textsOf(socket: WebSocket): string[] {
  const texts: string[] = [];
  // The cast is safe because `ws` delivers messages as buffers.
  socket.on('message', (data) => texts.push((data as Buffer).toString()));
  return texts;
}

describe('relaySession', () => {
  it('keeps the order of ten thousand frames each way', async () => {
    const { client, upstream } = await session();
    const [down, up] = [textsOf(client), textsOf(upstream)];
    const numbers = Array.from({ length: 10_000 }, (_, at) => `${at}`);
    for (const text of numbers) {
      client.send(text);
      upstream.send(text);
    }
    await expect.poll(() => [down.length, up.length]).toEqual([10_000, 10_000]);
    expect(down).toEqual(numbers);
    expect(up).toEqual(numbers);
  });

  it.each(['client', 'upstream'] as const)('applies back-pressure when the %s is slow, without loss', async (slow) => {
    const both = await session();
    const fast = slow === 'client' ? both.upstream : both.client;
    const reader = both[slow];
    reader.pause();
    let sent = 0;
    for (let at = 0; at < 64; at++) fast.send(Buffer.alloc(MEBIBYTE, at), () => (sent += 1));
    await wait(300);
    // The remaining data is in system buffers or still at the sender.
    expect(sent).toBeLessThan(32);
    expect(fast.bufferedAmount).toBeGreaterThan(32 * MEBIBYTE);
    const received: number[] = [];
    // The cast is safe because `ws` delivers messages as buffers.
    reader.on('message', (data) => received.push((data as Buffer)[0] ?? -1));
    reader.resume();
    await expect.poll(() => received.length).toBe(64);
    expect(received).toEqual(Array.from({ length: 64 }, (_, at) => at));
  });

  it('ends both sides after the idle limit and sends the client the reason', async () => {
    const { client, upstream, relayed } = await session({ idleMs: 200 });
    const texts = textsOf(client);
    const closes = Promise.all([closeOf(client), closeOf(upstream)]);
    for (let times = 0; times < 4; times++) {
      await wait(100);
      client.send('still here');
    }
    expect(texts).toEqual([]);
    expect(await closes).toEqual([
      [1000, 'session_idle'],
      [1000, ''],
    ]);
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({
      type: 'error',
      event_id: 'event_1',
      error: { type: 'invalid_request_error', code: 'session_idle' },
    });
    expect(await relayed.ended).toMatchObject({ closed_by: 'gateway', close_code: 1000, client_frames: 4 });
  });

  it('ends at the session limit, even under traffic', async () => {
    const { client, relayed } = await session({ sessionMs: 250 });
    const texts = textsOf(client);
    const traffic = setInterval(() => client.send('on and on'), 20);
    expect(await closeOf(client)).toEqual([1001, 'session_expired']);
    clearInterval(traffic);
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ error: { code: 'session_expired' } });
    expect(await relayed.ended).toMatchObject({ closed_by: 'gateway', close_code: 1001 });
  });

  it('ends once when the process stops', async () => {
    const { client, relayed } = await session();
    const texts = textsOf(client);
    relayed.stop();
    relayed.stop();
    expect(await closeOf(client)).toEqual([1001, 'server_stopping']);
    expect(texts).toHaveLength(1);
    await relayed.ended;
  });

  it('ends when a side does not respond to pings', async () => {
    const { client, upstream, relayed } = await session({ pingMs: 100 }, false);
    const pongs = setInterval(() => upstream.pong(), 30);
    expect((await closeOf(upstream))[0]).toBe(1011);
    clearInterval(pongs);
    expect(await relayed.ended).toMatchObject({ closed_by: 'client', close_code: 1006 });
    expect(client.readyState).toBe(WebSocket.CLOSED);
  });

  it('keeps an idle session whose sides respond to pings', async () => {
    const { client, relayed } = await session({ pingMs: 50 });
    let isOver = false;
    void relayed.ended.then(() => (isOver = true));
    await wait(500);
    expect(isOver).toBe(false);
    client.close();
    await relayed.ended;
  });

  it('cuts a side that does not respond to the close', async () => {
    const { client, upstream, relayed } = await session({ closeMs: 200 });
    upstream.pause();
    client.close(1000);
    expect(await relayed.ended).toMatchObject({ closed_by: 'client', close_code: 1000 });
  });

  it.each([
    ['client', 'upstream', 1000],
    ['upstream', 'client', 1001],
  ] as const)('reads the %s to its close when the session ends while the %s is slow', async (slow, fast, code) => {
    const both = await session({ closeMs: 60_000 });
    both[slow].pause();
    for (let at = 0; at < 20; at++) both[fast].send('x'.repeat(MEBIBYTE));
    await wait(200);
    both.relayed.stop();
    expect((await closeOf(both[fast]))[0]).toBe(code);
    both[slow].terminate();
    expect(await both.relayed.ended).toMatchObject({ closed_by: 'gateway', close_code: 1001 });
  });

  it('ends a paused side when the other one breaks', async () => {
    const { client, upstream, relayed } = await session({ closeMs: 60_000 });
    client.pause();
    for (let at = 0; at < 20; at++) upstream.send('x'.repeat(MEBIBYTE));
    await wait(200);
    client.terminate();
    expect((await closeOf(upstream))[0]).toBe(1011);
    expect(await relayed.ended).toMatchObject({ closed_by: 'client', close_code: 1006 });
  });

  it('closes a client that sends too much with 1009, and the upstream normally', async () => {
    const { client, upstream, relayed } = await session();
    const closes = Promise.all([closeOf(client), closeOf(upstream)]);
    client.send(Buffer.alloc(41 * MEBIBYTE));
    const [[code], [other]] = await closes;
    expect([code, other]).toEqual([1009, 1000]);
    expect(await relayed.ended).toMatchObject({ closed_by: 'client', close_code: 1009 });
  });

  it('reports an upstream protocol error like a broken upstream', async () => {
    const { client, upstream } = await session();
    const texts = textsOf(client);
    upstream.send(Buffer.from([0xff]), { binary: false });
    expect((await closeOf(client))[0]).toBe(1011);
    expect(texts[0]).toContain('provider_error');
  });

  it('hides the account in a close reason', async () => {
    const { client, upstream } = await session();
    upstream.close(4000, 'the secret');
    expect(await closeOf(client)).toEqual([4000, 'the [hidden]']);
  });
});
