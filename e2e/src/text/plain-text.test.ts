import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { model, user } from './conversation.ts';
import { PAIRS, PIXEL } from './pairs.ts';
import { expectOrder } from './stream-order.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

/** Letters of two, three and four bytes, joined ones, and no spaces between some. */
const MANY_BYTES = 'Grüße, 世界 — naïve 🧑‍🚀 emoji e\u0301 and 日本語のとても長いテキストです、切れ目がありません。';

describe.each(PAIRS)('$pair', ({ client: kind, upstream }) => {
  const open = () => kind.open({ origin: stack.origin, key: KEY });

  it('returns plain text under the requested model name', async () => {
    const reply = await open().ask({ model: upstream.model, turns: [user('hello there')] });
    expect(reply).toMatchObject({ text: 'You said: hello there', finish: 'stop', model: upstream.model, calls: [] });
  });

  it('streams chunks that add up, in the protocol’s order, with usage at the end', async () => {
    const request = { model: upstream.model, turns: [user('[long:40]')] };
    const streamed = await open().stream(request);
    expect(streamed.text).toBe(Array.from({ length: 40 }, (_, at) => `word${at + 1}`).join(' '));
    expect(streamed.chunks.join('')).toBe(streamed.text);
    expect(streamed.chunks.length).toBeGreaterThan(5);
    expect(streamed).toMatchObject({ finish: 'stop', model: upstream.model, usage: { input: 1, output: 40 } });
    expectOrder(kind.protocol, streamed.frames);
  });

  it('keeps letters of several bytes whole, streamed and not', async () => {
    const request = { model: upstream.model, turns: [user(MANY_BYTES)] };
    expect((await open().ask(request)).text).toBe(`You said: ${MANY_BYTES}`);
    const streamed = await open().stream(request);
    expect(streamed.text).toBe(`You said: ${MANY_BYTES}`);
    expect(streamed.chunks.join('')).toBe(streamed.text);
  });

  it('shows an image to the model', async () => {
    const reply = await open().ask({ model: upstream.model, turns: [user('what is this', PIXEL)] });
    expect(reply.text).toBe('You said: what is this\nI see 1 image.');
  });

  it('says that the limit of tokens was met', async () => {
    const request = { model: upstream.model, turns: [user('[long:60]')], maxTokens: 20 };
    for (const reply of [await open().ask(request), await open().stream(request)]) {
      expect(reply).toMatchObject({ finish: 'length', usage: { output: 20 } });
      expect(reply.text).toMatch(/ word20$/);
    }
  });

  it('remembers a conversation that is sent back as it came, with instructions before it', async () => {
    const client = open();
    const first = user('one two three');
    const system = 'be brief';
    const reply = await client.ask({ model: upstream.model, system, turns: [first] });
    const second = await client.ask({ model: upstream.model, system, turns: [first, model(reply), user('four')] });
    expect(second.text).toBe('You said: four');
    expect(second.usage).toMatchObject({ input: 2 + 3 + 5 + 1 });
  });
});

/** The responses protocol has no stop sequences. */
const STOPPING = PAIRS.filter(
  ({ client, upstream }) => client.protocol !== 'responses' && upstream.protocol !== 'responses',
);

describe.each(STOPPING)('$pair', ({ client: kind, upstream }) => {
  it('stops at a stop sequence', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const request = { model: upstream.model, turns: [user('[long:30]')], stop: [' word4'] };
    for (const reply of [await client.ask(request), await client.stream(request)]) {
      expect(reply.text).toBe('word1 word2 word3');
      const isReported = kind.protocol === 'messages' && upstream.protocol === 'messages';
      expect(reply.finish).toBe(isReported ? 'stop_sequence' : 'stop');
    }
  });
});
