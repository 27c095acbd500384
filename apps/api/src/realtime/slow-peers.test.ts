import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rawSession, session, sip } from '../../test/session-lines.ts';

const MEBIBYTE = 1024 * 1024;
/** More than the system buffers. */
const LARGE = 24 * MEBIBYTE;

describe('a slow side', () => {
  it('stays connected while one large message is sent to it', async () => {
    const { client, upstream, joined } = await rawSession({ pingMs: 800 });
    upstream.send(Buffer.alloc(LARGE));
    const reading = sip(client);
    // The pong is queued behind the message.
    const talk = setInterval(() => upstream.pong(), 100);
    await wait(3_500);
    clearInterval(talk);
    upstream.close(1000);
    // This raw client never answers the close.
    expect(await joined.ended).toMatchObject({ closed_by: 'upstream', close_code: 1000 });
    expect(await reading).toBeGreaterThan(LARGE);
  });

  it('stays connected while one large message is received from it', async () => {
    const { client, upstream, joined } = await rawSession({ pingMs: 500 });
    const got: number[] = [];
    upstream.on('message', (data) => got.push((data as Buffer).length)); // `ws` gives a buffer
    const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]); // a MiB, masked with zeros
    client.write(head);
    for (let chunks = 0; chunks < 32; chunks++) {
      client.write(Buffer.alloc(MEBIBYTE / 32));
      await wait(80);
    }
    await expect.poll(() => got, { timeout: 10_000 }).toEqual([MEBIBYTE]);
    client.destroy();
    expect(await joined.ended).toMatchObject({ closed_by: 'client' });
  });

  it('does not end the session of a paused side whose pongs are not read', async () => {
    const { client, upstream, joined } = await rawSession({ pingMs: 800 });
    upstream.send(Buffer.alloc(LARGE));
    for (let at = 0; at < 4; at++) upstream.send(Buffer.alloc(MEBIBYTE));
    upstream.close(1000);
    expect(await sip(client)).toBeGreaterThan(LARGE + 4 * MEBIBYTE);
    expect(await joined.ended).toMatchObject({ closed_by: 'upstream', close_code: 1000, upstream_frames: 5 });
  });

  it('is cut when it receives none of its pending data', async () => {
    const { client, upstream, joined } = await rawSession({ pingMs: 100 });
    upstream.send(Buffer.alloc(LARGE));
    expect(await joined.ended).toMatchObject({ closed_by: 'client', close_code: 1006 });
    client.destroy();
  });

  it('receives pending data and the close when the other side has closed', async () => {
    const { client, upstream, joined } = await rawSession({ closeMs: 1_000 });
    upstream.send(Buffer.alloc(LARGE));
    upstream.close(1000);
    expect(await sip(client)).toBe(LARGE + 10 + 4);
    expect(await joined.ended).toMatchObject({ closed_by: 'upstream', close_code: 1000 });
  });

  it('has the grace period of a stopping process', async () => {
    const { client, upstream, joined } = await rawSession({ closeMs: 400 });
    upstream.send(Buffer.alloc(LARGE));
    upstream.close(1000);
    const reading = sip(client);
    await wait(800);
    joined.stop();
    await joined.ended;
    expect(await reading).toBeLessThan(LARGE);
  });

  it('is cut when it receives nothing after the end', async () => {
    const { client, upstream, joined } = await session({ closeMs: 200 });
    client.pause();
    upstream.send(Buffer.alloc(LARGE));
    upstream.close(1000);
    expect(await joined.ended).toMatchObject({ closed_by: 'upstream', close_code: 1000 });
  });

  it('is cut at the drain limit even if it makes progress', async () => {
    const { client, upstream, joined } = await rawSession({ closeMs: 400, drainMs: 1_000 });
    upstream.send(Buffer.alloc(LARGE));
    upstream.close(1000);
    expect(await sip(client)).toBeLessThan(LARGE);
    await joined.ended;
  });
});
