import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS } from './clients/index.ts';
import { uniqueWord, user } from './conversation.ts';
import { PAIRS, UPSTREAMS } from './pairs.ts';
import type { Failure, TextClient } from './text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

/** The kind of error that a call ends in, and its message. @throws when it does not end in one */
async function failureOf(client: TextClient, call: Promise<unknown>): Promise<{ failure: Failure; message: string }> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('the call did not fail');
  return { failure: client.failureOf(error), message: error.message };
}

describe.each(CLIENTS)('$name', (kind) => {
  it('is told of a model that is not there, and of one with a near name', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const question = { model: 'sandbox-mesages', turns: [user('hello')] };
    for (const call of [client.ask(question), client.stream(question)]) {
      const { failure, message } = await failureOf(client, call);
      expect(failure).toBe('not-found');
      expect(message).toContain('sandbox-messages');
    }
  });

  it('is told that its key is wrong', async () => {
    const client = kind.open({ origin: stack.origin, key: 'sk-nobody', maxRetries: 0 });
    const question = { model: 'sandbox-chat', turns: [user('hello')] };
    for (const call of [client.ask(question), client.stream(question)]) {
      expect((await failureOf(client, call)).failure).toBe('authentication');
    }
  });

  it('lists the models', async () => {
    const models = await kind.open({ origin: stack.origin, key: KEY }).listModels();
    expect(models).toEqual(expect.arrayContaining(UPSTREAMS.map(({ model }) => model)));
  });
});

describe.concurrent.each(PAIRS)('$pair: too many requests', ({ client: kind, upstream }) => {
  it('are repeated by the SDK itself until they are answered', async () => {
    const word = uniqueWord();
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client.ask({ model: upstream.model, turns: [user(`[429] ${word}`)] });
    expect(reply.text).toBe(`You said: ${word}`);
    expect((await stack.seen(word)).map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  it('are told as such to a client that does not repeat', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const question = { model: upstream.model, turns: [user(`[429] ${uniqueWord()}`)] };
    expect((await failureOf(client, client.ask(question))).failure).toBe('rate-limit');
    expect((await failureOf(client, client.stream(question))).failure).toBe('rate-limit');
  });
});
