import { describe, expect, it } from 'vitest';
import { sendParts, chunksOf } from './send-parts.ts';

const { signal } = new AbortController();
const later = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

describe('sendParts', () => {
  it('returns responses in the order of the parts', async () => {
    const responses = await sendParts([30, 1, 20, 2, 10], signal, async (ms) => {
      await later(ms);
      return ms * 2;
    });
    expect(responses).toEqual([60, 2, 40, 4, 20]);
  });

  it('keeps at most four calls in flight', async () => {
    let now = 0;
    let max = 0;
    await sendParts(Array.from({ length: 12 }), signal, async () => {
      max = Math.max(max, (now += 1));
      await later(2);
      now -= 1;
    });
    expect(max).toBe(4);
  });

  it('throws the first failure, aborts calls in flight, and starts no more', async () => {
    const started: number[] = [];
    let ended = 0;
    const failing = sendParts([0, 1, 2, 3, 4, 5], signal, async (part, either) => {
      started.push(part);
      if (part === 1) throw new Error('the second');
      await new Promise<void>((_wake, fail) => {
        either.addEventListener('abort', () => {
          ended += 1;
          fail(new Error('ended'));
        });
      });
    });
    await expect(failing).rejects.toThrow('the second');
    expect([started, ended]).toEqual([[0, 1, 2, 3], 3]);
  });

  it('aborts its calls when the client disconnects', async () => {
    const client = new AbortController();
    const sending = sendParts([0], client.signal, async (_part, either) => {
      client.abort();
      either.throwIfAborted();
    });
    await expect(sending).rejects.toThrow(/abort/i);
  });
});

describe('chunksOf', () => {
  it.each([
    [[], 2, []],
    [[1, 2], 2, [[1, 2]]],
    [[1, 2, 3], 2, [[1, 2], [3]]],
  ])('splits %j by %d', (items, max, chunks) => {
    expect(chunksOf(items, max)).toEqual(chunks);
  });
});
