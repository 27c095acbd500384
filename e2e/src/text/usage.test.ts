import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { model, user } from './conversation.ts';
import { PAIRS } from './pairs.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

// The sandbox counts words. Of a conversation everything but the last turn is cached; what it thinks has ten words.
const THOUGHT = 10;

describe.each(PAIRS)('$pair: usage', ({ client: kind, upstream }) => {
  it.each(['ask', 'stream'] as const)('is the same whatever the protocols (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const first = user('one two three');
    const reply = await client[way]({ model: upstream.model, turns: [first] });
    expect(reply.usage).toMatchObject({ input: 3, output: 5, cached: 0, reasoning: 0 });
    const second = await client[way]({ model: upstream.model, turns: [first, model(reply), user('four five')] });
    expect(second.usage).toMatchObject({ input: 3 + 5 + 2, output: 4, cached: 3 + 5, reasoning: 0 });
    for (const { usage } of [reply, second])
      expect(usage.total ?? usage.input + usage.output).toBe(usage.input + usage.output);
  });

  it.each(['ask', 'stream'] as const)('counts reasoning as part of the output (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const { usage } = await client[way]({ model: upstream.model, turns: [user('[think] four five')], think: true });
    expect(usage).toMatchObject({ input: 3, output: 4 + THOUGHT, reasoning: THOUGHT });
    expect(usage.total ?? usage.input + usage.output).toBe(usage.input + usage.output);
  });
});

/** Not every SDK has a call for it. */
const COUNTING = PAIRS.filter(({ client }) => 'count' in client.open({ origin: 'http://127.0.0.1', key: KEY }));

describe.each(COUNTING)('$pair: tokens', ({ client: kind, upstream }) => {
  it('is counted in advance as it is reported later', async () => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const request = { model: upstream.model, turns: [user('count these five words please')] };
    const { usage } = await client.ask(request);
    const counted = await client.count?.(request);
    // A protocol without a call for it leaves the gateway to estimate.
    if (upstream.protocol === 'chat-completions') expect(counted).toBeGreaterThan(0);
    else expect(counted).toBe(usage.input);
  });
});
