import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rawSession, session, readSlowly } from '../../test/session-sockets.ts';

const MEBIBYTE = 1024 * 1024;
/** More than the system's socket buffers can hold. */
const LARGE = 24 * MEBIBYTE;

describe('a slow side', () => {
  it('stays connected while one large message is sent to it', async () => {
    const { client, upstream, relayed } = await rawSession({ pingMs: 800 });
    upstream.send(Buffer.alloc(LARGE));
    const reading = readSlowly(client);
    // Each pong is queued behind the large message.
    const pongs = setInterval(() => upstream.pong(), 100);
    await wait(3_500);
    clearInterval(pongs);
    upstream.close(1000);
    // This raw client never responds to the close.
    expect(await relayed.ended).toMatchObject({ closed_by: 'upstream', close_code: 1000 });
    expect(await reading).toBeGreaterThan(LARGE);
  });

  it('stays connected while one large message is received from it', async () => {
    const { client, upstream, relayed } = await rawSession({ pingMs: 500 });
    const received: number[] = [];
    // The cast is safe because `ws` delivers messages as buffers.
    upstream.on('message', (data) => received.push((data as Buffer).length));
    const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]); // the header of a 1 MiB frame, masked with zeros
    client.write(head);
    for (let chunks = 0; chunks < 32; chunks++) {
      client.write(Buffer.alloc(MEBIBYTE / 32));
      await wait(80);
    }
    await expect.poll(() => received).toEqual([MEBIBYTE]);
    client.destroy();
    expect(await relayed.ended).toMatchObject({ closed_by: 'client' });
  });

  it('does not end the session of a paused side whose pongs are not read', async () => {
    const { client, upstream, relayed } = await rawSession({ pingMs: 800 });
    upstream.send(Buffer.alloc(LARGE));
    for (let at = 0; at < 4; at++) upstream.send(Buffer.alloc(MEBIBYTE));
    upstream.close(1000);
    expect(await readSlowly(client)).toBeGreaterThan(LARGE + 4 * MEBIBYTE);
    expect(await relayed.ended).toMatchObject({ closed_by: 'upstream', close_code: 1000, upstream_frames: 5 });
  });

  it('is cut when it receives none of its pending data', async () => {
    const { client, upstream, relayed } = await rawSession({ pingMs: 100 });
    upstream.send(Buffer.alloc(LARGE));
    expect(await relayed.ended).toMatchObject({ closed_by: 'client', close_code: 1006 });
    client.destroy();
  });

  it('receives pending data and the close when the other side has closed', async () => {
    const { client, upstream, relayed } = await rawSession({ closeMs: 1_000 });
    upstream.send(Buffer.alloc(LARGE));
    upstream.close(1000);
    expect(await readSlowly(client)).toBe(LARGE + 10 + 4);
    expect(await relayed.ended).toMatchObject({ closed_by: 'upstream', close_code: 1000 });
  });

  it('has the grace period of a stopping process', async () => {
    const { client, upstream, relayed } = await rawSession({ closeMs: 400 });
    upstream.send(Buffer.alloc(LARGE));
    upstream.close(1000);
    const reading = readSlowly(client);
    await wait(800);
    relayed.stop();
    await relayed.ended;
    expect(await reading).toBeLessThan(LARGE);
  });

  it('is cut when it receives nothing after the end', async () => {
    const { client, upstream, relayed } = await session({ closeMs: 200 });
    client.pause();
    upstream.send(Buffer.alloc(LARGE));
    upstream.close(1000);
    expect(await relayed.ended).toMatchObject({ closed_by: 'upstream', close_code: 1000 });
  });

  it('is cut at the drain limit even if it makes progress', async () => {
    const { client, upstream, relayed } = await rawSession({ closeMs: 400, drainMs: 1_000 });
    upstream.send(Buffer.alloc(LARGE));
    upstream.close(1000);
    expect(await readSlowly(client)).toBeLessThan(LARGE);
    await relayed.ended;
  });
});
