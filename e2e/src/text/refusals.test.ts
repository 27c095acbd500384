import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS } from './clients/index.ts';
import { uniqueWord, userTurn } from './conversation.ts';
import { PAIRS, UPSTREAMS } from './pairs.ts';
import type { Failure, Protocol, TextClient } from './clients/text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

const WAYS = ['create', 'stream'] as const;

interface Failed {
  failure: Failure;
  message: string;
  /** Undefined if the SDK does not report a code. */
  code?: unknown;
}

/** Returns a call's error. @throws if the call does not fail */
async function failureOf(client: TextClient, call: Promise<unknown>): Promise<Failed> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('The call did not fail.');
  return { failure: client.failureOf(error), message: error.message, ...('code' in error && { code: error.code }) };
}

describe.each(CLIENTS)('$name', (kind) => {
  it('receives an error with a suggestion for a misspelled model', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const request = { model: 'sandbox-mesages', turns: [userTurn('hello')] };
    for (const way of WAYS) {
      const { failure, message } = await failureOf(client, client[way](request));
      expect(failure).toBe('not-found');
      expect(message).toContain('sandbox-messages');
    }
  });

  it('receives an error for a wrong key', async () => {
    const client = kind.open({ origin: stack.origin, key: 'sk-unknown', maxRetries: 0 });
    const request = { model: 'sandbox-chat', turns: [userTurn('hello')] };
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
  it('are retried by the SDK until they succeed', async () => {
    const word = uniqueWord();
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client.create({ model: upstream.model, turns: [userTurn(`[429] ${word}`)] });
    expect(reply.text).toBe(`You said: ${word}`);
    expect((await stack.seen(word)).map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  it('are reported as such to a client that does not retry', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const request = { model: upstream.model, turns: [userTurn(`[429] ${uniqueWord()}`)] };
    expect((await failureOf(client, client.create(request))).failure).toBe('rate-limit');
    expect((await failureOf(client, client.stream(request))).failure).toBe('rate-limit');
  });
});

/** Each vendor's error for a prompt that is too long. Clients recognize its code or message and shorten the prompt. */
const TOO_LONG: Readonly<Record<Protocol, { code?: string; message: RegExp }>> = {
  'chat-completions': { code: 'context_length_exceeded', message: /./ },
  responses: { code: 'context_length_exceeded', message: /./ },
  messages: { message: /prompt is too long/i },
  'generative-content': { message: /token count .*exceeds/i },
};

describe.each(PAIRS)('$pair', ({ client: kind, upstream }) => {
  it.each(WAYS)('reports a prompt that is too long in its vendor’s format (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const request = { model: upstream.model, turns: [userTurn(`[context] ${uniqueWord()}`)] };
    const { failure, message, code } = await failureOf(client, client[way](request));
    const expected = TOO_LONG[kind.protocol];
    expect({ failure, code }).toEqual({ failure: 'bad-request', code: expected.code });
    expect(message).toMatch(expected.message);
  });

  it.each(WAYS)('returns an empty response (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client[way]({ model: upstream.model, turns: [userTurn('[empty]')] });
    expect(reply).toMatchObject({ text: '', calls: [], finish: 'stop' });
  });

  it.each(WAYS)('omits filtered text (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client[way]({ model: upstream.model, turns: [userTurn('[filter]')] });
    expect(reply).toMatchObject({ text: '', calls: [], finish: 'other' });
  });
});
