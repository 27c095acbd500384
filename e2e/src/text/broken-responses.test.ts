import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from './clients/collect.ts';
import { uniqueWord, user } from './conversation.ts';
import { PAIRS } from './pairs.ts';
import type { Failure, TextClient } from './text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  // So many failures would make the gateway leave the upstreams alone for a while.
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

describe.each(PAIRS)('$pair: a broken answer', ({ client: kind, upstream }) => {
  const open = () => kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });

  it.each(['[error]', '[cut]'])('ends a stream with an error, never as if all were said (%s)', async (word) => {
    const client = open();
    const request = { model: upstream.model, turns: [user(`${word} one two three four five six seven eight nine`)] };
    expect(await failureOf(client, client.stream(request))).toBe('in-stream');
    expect(await failureOf(client, collect(client.iterate(request)))).toBe('in-stream');
  });

  it.each(['[error]', '[cut]', '[500]', '[overloaded]', '[garbage]'])('is a server error (%s)', async (word) => {
    const client = open();
    const request = { model: upstream.model, turns: [user(`${word} ${uniqueWord()}`)] };
    expect(await failureOf(client, client.ask(request))).toBe('server');
  });

  it('says nothing of a vendor that refuses our own key', async () => {
    const client = open();
    const request = { model: upstream.model, turns: [user('[401] hello')] };
    expect(await failureOf(client, client.ask(request))).toBe('server');
  });

  it('is no matter of the vendor’s once the client has left', async () => {
    const client = open();
    const word = uniqueWord();
    const leaving = new AbortController();
    const request = { model: upstream.model, turns: [user(`[drip:20] [long:1500] ${word}`)], signal: leaving.signal };
    let frames = 0;
    const reading = (async () => {
      for await (const _ of client.iterate(request)) {
        frames += 1;
        if (frames === 5) leaving.abort();
      }
    })();
    // An SDK may end an iteration that was aborted without an error; it must not go on.
    expect(['abort', 'none']).toContain(await failureOf(client, reading));
    await expect
      .poll(async () => (await stack.seen(word)).map((seen) => seen.left), { timeout: 10_000 })
      .toEqual([true]);
    expect(frames).toBeLessThan(20);
  });

  it('is not waited for when the client leaves before it begins', async () => {
    const client = open();
    const word = uniqueWord();
    const leaving = new AbortController();
    const request = { model: upstream.model, turns: [user(`[slow:20] ${word}`)], signal: leaving.signal };
    const asking = failureOf(client, client.ask(request));
    await expect.poll(async () => (await stack.seen(word)).length).toBe(1);
    leaving.abort();
    expect(await asking).toBe('abort');
    await expect
      .poll(async () => (await stack.seen(word)).map((seen) => seen.left), { timeout: 10_000 })
      .toEqual([true]);
  });
});
