import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { guardBody } from './guard-body.ts';

const limits = {
  maxBytes: 1000,
  idleMs: 10_000,
  signal: new AbortController().signal,
  url: new URL('http://a.example'),
};

describe('guardBody', () => {
  it('passes bytes on unchanged, up to the exact limit', async () => {
    const source = Readable.from([Buffer.from('ab'), Buffer.from('cd')]);
    expect((await guardBody(source, { ...limits, maxBytes: 4 }).toArray()).join('')).toBe('abcd');
  });

  it('reads no further ahead than its buffer', async () => {
    let pulled = 0;
    async function* source(): AsyncGenerator<Buffer> {
      for (;;) {
        pulled += 1;
        yield Buffer.alloc(16 * 1024);
      }
    }
    const body = guardBody(Readable.from(source(), { highWaterMark: 1 }), {
      ...limits,
      maxBytes: Number.MAX_SAFE_INTEGER,
    });
    body.read(0);
    await new Promise((wake) => setTimeout(wake, 100));
    expect(pulled).toBeLessThan(20);
    body.destroy();
  });

  it('destroys its source when it ends early', async () => {
    const source = new Readable({ read: () => undefined });
    guardBody(source, limits).destroy();
    await new Promise((closed) => source.once('close', closed));
  });

  it('ends at once when the signal is already aborted', async () => {
    const source = Readable.from([Buffer.from('ab')]);
    const body = guardBody(source, { ...limits, signal: AbortSignal.abort() });
    await expect(pipeline(body, async () => undefined)).rejects.toMatchObject({ failure: 'aborted' });
  });
});
