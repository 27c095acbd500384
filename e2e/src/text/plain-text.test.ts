import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelTurn, userTurn } from './conversation.ts';
import { PAIRS, PIXEL } from './pairs.ts';
import { expectOrder } from './stream-order.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

/** Characters with two, three, and four bytes, combining characters, and text without spaces. */
const MANY_BYTES = 'Grüße, 世界 — naïve 🧑‍🚀 emoji e\u0301 and 日本語のとても長いテキストです、切れ目がありません。';

describe.each(PAIRS)('$pair', ({ client: kind, upstream }) => {
  const open = () => kind.open({ origin: stack.origin, key: KEY });

  it('returns plain text under the requested model name', async () => {
    const reply = await open().create({ model: upstream.model, turns: [userTurn('hello there')] });
    expect(reply).toMatchObject({
      text: 'You said: hello there',
      finish: 'stop',
      model: upstream.model,
      calls: [],
    });
  });

  it('streams the complete text in the protocol’s order, with usage at the end', async () => {
    const request = { model: upstream.model, turns: [userTurn('[long:40]')] };
    const streamed = await open().stream(request);
    expect(streamed.text).toBe(Array.from({ length: 40 }, (_, at) => `word${at + 1}`).join(' '));
    expect(streamed.chunks.join('')).toBe(streamed.text);
    expect(streamed.chunks.length).toBeGreaterThan(5);
    expect(streamed).toMatchObject({ finish: 'stop', model: upstream.model, usage: { input: 1, output: 40 } });
    expectOrder(kind.protocol, streamed.frames);
  });

  it('does not split characters of several bytes, streamed or not', async () => {
    const request = { model: upstream.model, turns: [userTurn(MANY_BYTES)] };
    expect((await open().create(request)).text).toBe(`You said: ${MANY_BYTES}`);
    const streamed = await open().stream(request);
    expect(streamed.text).toBe(`You said: ${MANY_BYTES}`);
    expect(streamed.chunks.join('')).toBe(streamed.text);
  });

  it('sends an image to the model', async () => {
    const reply = await open().create({ model: upstream.model, turns: [userTurn('what is this', PIXEL)] });
    expect(reply.text).toBe('You said: what is this\nI see 1 image.');
  });

  it('reports that the token limit was reached', async () => {
    const request = { model: upstream.model, turns: [userTurn('[long:60]')], maxTokens: 20 };
    for (const reply of [await open().create(request), await open().stream(request)]) {
      expect(reply).toMatchObject({ finish: 'length', usage: { output: 20 } });
      expect(reply.text).toMatch(/ word20$/);
    }
  });

  it('continues a conversation with instructions from the SDK’s own turns', async () => {
    const client = open();
    const first = userTurn('one two three');
    const system = 'be brief';
    const reply = await client.create({ model: upstream.model, system, turns: [first] });
    const second = await client.create({
      model: upstream.model,
      system,
      turns: [first, modelTurn(reply), userTurn('four')],
    });
    expect(second.text).toBe('You said: four');
    expect(second.usage).toMatchObject({ input: 2 + 3 + 5 + 1 });
  });
});

/** The responses protocol does not support stop sequences. */
const STOPPING = PAIRS.filter(
  ({ client, upstream }) => client.protocol !== 'responses' && upstream.protocol !== 'responses',
);

describe.each(STOPPING)('$pair', ({ client: kind, upstream }) => {
  it('stops at a stop sequence', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const request = { model: upstream.model, turns: [userTurn('[long:30]')], stop: [' word4'] };
    for (const reply of [await client.create(request), await client.stream(request)]) {
      expect(reply.text).toBe('word1 word2 word3');
      const isReported = kind.protocol === 'messages' && upstream.protocol === 'messages';
      expect(reply.finish).toBe(isReported ? 'stop_sequence' : 'stop');
    }
  });
});
