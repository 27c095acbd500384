import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelTurn, userTurn } from './conversation.ts';
import { PAIRS } from './pairs.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

// In the sandbox, a token is a word, all turns except the last are cached, and the reasoning has ten words.
const REASONING = 10;

describe.each(PAIRS)('$pair: usage', ({ client: kind, upstream }) => {
  it.each(['create', 'stream'] as const)('is the same for all protocols (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const first = userTurn('one two three');
    const reply = await client[way]({ model: upstream.model, turns: [first] });
    expect(reply.usage).toMatchObject({ input: 3, output: 5, cached: 0, reasoning: 0 });
    const second = await client[way]({
      model: upstream.model,
      turns: [first, modelTurn(reply), userTurn('four five')],
    });
    expect(second.usage).toMatchObject({ input: 3 + 5 + 2, output: 4, cached: 3 + 5, reasoning: 0 });
    for (const { usage } of [reply, second])
      expect(usage.total ?? usage.input + usage.output).toBe(usage.input + usage.output);
  });

  it.each(['create', 'stream'] as const)('counts reasoning as part of the output (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const { usage } = await client[way]({ model: upstream.model, turns: [userTurn('[think] four five')], think: true });
    expect(usage).toMatchObject({ input: 3, output: 4 + REASONING, reasoning: REASONING });
    expect(usage.total ?? usage.input + usage.output).toBe(usage.input + usage.output);
  });
});

/** Only some SDKs can count tokens. */
const COUNTING = PAIRS.filter(({ client }) => 'count' in client.open({ origin: 'http://127.0.0.1', key: KEY }));

describe.each(COUNTING)('$pair: tokens', ({ client: kind, upstream }) => {
  it('are the same when counted in advance', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const request = { model: upstream.model, turns: [userTurn('count these five words please')] };
    const { usage } = await client.create(request);
    const counted = await client.count?.(request);
    // If the upstream's protocol cannot count tokens, the gateway estimates the number.
    if (upstream.protocol === 'chat-completions') expect(counted).toBeGreaterThan(0);
    else expect(counted).toBe(usage.input);
  });
});
