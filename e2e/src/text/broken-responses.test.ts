import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from './clients/collect.ts';
import { uniqueWord, userTurn } from './conversation.ts';
import { PAIRS } from './pairs.ts';
import type { Failure, TextClient } from './clients/text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  // The limit is high, so that the failures do not open the circuit breaker.
  stack = await startTextStack({ routing: { failures: 1_000 } });
});
afterAll(() => stack.close());

async function failureOf(client: TextClient, call: Promise<unknown>): Promise<Failure | 'none'> {
  try {
    await call;
    return 'none';
  } catch (error) {
    return client.failureOf(error);
  }
}

describe.each(PAIRS)('$pair: a broken response', ({ client: kind, upstream }) => {
  const open = () => kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });

  it.each(['[error]', '[cut]'])('ends a stream with an error (%s)', async (word) => {
    const client = open();
    const request = {
      model: upstream.model,
      turns: [userTurn(`${word} one two three four five six seven eight nine`)],
    };
    expect(await failureOf(client, client.stream(request))).toBe('in-stream');
    expect(await failureOf(client, collect(client.iterate(request)))).toBe('in-stream');
  });

  it.each(['[error]', '[cut]', '[500]', '[overloaded]', '[garbage]'])('causes a server error (%s)', async (word) => {
    const client = open();
    const request = { model: upstream.model, turns: [userTurn(`${word} ${uniqueWord()}`)] };
    expect(await failureOf(client, client.create(request))).toBe('server');
  });

  it('causes a server error if the vendor rejects the gateway’s key', async () => {
    const client = open();
    const request = { model: upstream.model, turns: [userTurn('[401] hello')] };
    expect(await failureOf(client, client.create(request))).toBe('server');
  });

  it('is aborted at the vendor when the client disconnects during a stream', async () => {
    const client = open();
    const word = uniqueWord();
    const disconnect = new AbortController();
    const request = {
      model: upstream.model,
      turns: [userTurn(`[drip:20] [long:1500] ${word}`)],
      signal: disconnect.signal,
    };
    let frames = 0;
    const reading = (async () => {
      for await (const _ of client.iterate(request)) {
        frames += 1;
        if (frames === 5) disconnect.abort();
      }
    })();
    // After an abort, an SDK may end the iteration without an error, but it must not yield more chunks.
    expect(['abort', 'none']).toContain(await failureOf(client, reading));
    await expect.poll(async () => (await stack.seen(word)).map((seen) => seen.left)).toEqual([true]);
    expect(frames).toBeLessThan(20);
  });

  it('is aborted at the vendor when the client disconnects before it starts', async () => {
    const client = open();
    const word = uniqueWord();
    const disconnect = new AbortController();
    const request = { model: upstream.model, turns: [userTurn(`[slow:20] ${word}`)], signal: disconnect.signal };
    const failure = failureOf(client, client.create(request));
    await expect.poll(async () => (await stack.seen(word)).length).toBe(1);
    disconnect.abort();
    expect(await failure).toBe('abort');
    await expect.poll(async () => (await stack.seen(word)).map((seen) => seen.left)).toEqual([true]);
  });
});
