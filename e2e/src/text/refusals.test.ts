import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS } from './clients/index.ts';
import { uniqueWord, user } from './conversation.ts';
import { PAIRS, UPSTREAMS } from './pairs.ts';
import type { Failure, Protocol, TextClient } from './text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

const WAYS = ['ask', 'stream'] as const;

interface Failed {
  failure: Failure;
  message: string;
  /** If the SDK reports one. */
  code?: unknown;
}

/** The error of a call. @throws if it does not fail */
async function failureOf(client: TextClient, call: Promise<unknown>): Promise<Failed> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('the call did not fail');
  return { failure: client.failureOf(error), message: error.message, ...('code' in error && { code: error.code }) };
}

describe.each(CLIENTS)('$name', (kind) => {
  it('receives an error for an unknown model, and for one with a similar name', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const request = { model: 'sandbox-mesages', turns: [user('hello')] };
    for (const way of WAYS) {
      const { failure, message } = await failureOf(client, client[way](request));
      expect(failure).toBe('not-found');
      expect(message).toContain('sandbox-messages');
    }
  });

  it('receives an error for a wrong key', async () => {
    const client = kind.open({ origin: stack.origin, key: 'sk-nobody', maxRetries: 0 });
    const request = { model: 'sandbox-chat', turns: [user('hello')] };
    for (const way of WAYS) {
      expect((await failureOf(client, client[way](request))).failure).toBe('authentication');
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

  it('are reported as such to a client that does not retry', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const request = { model: upstream.model, turns: [user(`[429] ${uniqueWord()}`)] };
    expect((await failureOf(client, client.ask(request))).failure).toBe('rate-limit');
    expect((await failureOf(client, client.stream(request))).failure).toBe('rate-limit');
  });
});

/** Each vendor's error for a prompt that is too long: a code, or text that clients look for to shorten it. */
const TOO_LONG: Readonly<Record<Protocol, { code?: string; message: RegExp }>> = {
  'chat-completions': { code: 'context_length_exceeded', message: /./ },
  responses: { code: 'context_length_exceeded', message: /./ },
  messages: { message: /prompt is too long/i },
  'generative-content': { message: /token count .*exceeds/i },
};

describe.each(PAIRS)('$pair', ({ client: kind, upstream }) => {
  it.each(WAYS)('reports a prompt that is too long as its own vendor does (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const request = { model: upstream.model, turns: [user(`[context] ${uniqueWord()}`)] };
    const { failure, message, code } = await failureOf(client, client[way](request));
    const expected = TOO_LONG[kind.protocol];
    expect({ failure, code }).toEqual({ failure: 'bad-request', code: expected.code });
    expect(message).toMatch(expected.message);
  });

  it.each(WAYS)('gives an empty answer as an empty answer (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client[way]({ model: upstream.model, turns: [user('[empty]')] });
    expect(reply).toMatchObject({ text: '', calls: [], finish: 'stop' });
  });

  it.each(WAYS)('does not tell what a filter took as said (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client[way]({ model: upstream.model, turns: [user('[filter]')] });
    expect(reply).toMatchObject({ text: '', calls: [], finish: 'other' });
  });
});
