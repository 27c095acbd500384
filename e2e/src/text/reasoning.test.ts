import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, model, TOOLS, tools, uniqueWord, user } from './conversation.ts';
import { nativeTokens, WRAPPED_TOKEN } from './native-tokens.ts';
import { PAIRS } from './pairs.ts';
import { expectOrder } from './stream-order.ts';
import type { Question, Reply, Turn } from './text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

/** Chat completions has no way to ask a vendor for reasoning that it hides. */
const SHOWING = PAIRS.filter(({ client, upstream }) => {
  const hides = upstream.protocol === 'responses' || upstream.protocol === 'generative-content';
  return !hides || client.protocol !== 'chat-completions';
});

describe.each(SHOWING)('$pair: reasoning', ({ client: kind, upstream }) => {
  it.each(['ask', 'stream'] as const)('is visible to a client that requests it (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client[way]({ model: upstream.model, think: true, turns: [user('[think] why')] });
    expect(reply.reasoning).toBe('The user wrote 2 words. I shall answer them plainly.');
    expect(reply.text).toBe('You said: why');
    if ('frames' in reply) expectOrder(kind.protocol, reply.frames as unknown[]); // of a StreamedReply
  });
});

describe.each(PAIRS)('$pair: reasoning', ({ client: kind, upstream }) => {
  it.each([
    ['ask', '[think]'],
    ['stream', '[think]'],
    ['ask', '[redacted]'],
    ['stream', '[redacted]'],
  ] as const)('comes back to its vendor over three turns with tools in between (%s, %s)', async (way, think) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const word = uniqueWord();
    const turns: Turn[] = [];
    const say = async (...more: Turn[]): Promise<Reply> => {
      turns.push(...more);
      const request: Question = { model: upstream.model, think: true, tools: TOOLS, turns: [...turns] };
      const reply = await client[way](request);
      turns.push(model(reply));
      return reply;
    };

    for (let turn = 1; turn <= 3; turn += 1) {
      const called = await say(user(`${think} [tool:get_weather] ${word} turn ${turn}`));
      expect(called.finish).toBe('tools');
      const outcome = { call: callOf(called, 'get_weather'), text: `result ${turn}` };
      const response = await say(tools(outcome));
      expect(response).toMatchObject({ finish: 'stop', text: `The tool get_weather answered: result ${turn}` });
    }

    // The vendor records a status when its response has closed, which may be after the client has read it.
    const statuses = async () => (await stack.seen(word)).map(({ status }) => status);
    await expect.poll(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    const seen = await stack.seen(word);
    expect(JSON.stringify(seen)).not.toContain(`"${WRAPPED_TOKEN}`);
    if (upstream.protocol === 'chat-completions') return;
    // Reasoning before a call is present when the call's result arrives: the vendor has checked and accepted it.
    for (const [at, { body }] of seen.entries()) {
      const turn = Math.floor(at / 2) + 1;
      const opaqueTokens = nativeTokens(upstream.protocol, body, `${word} turn ${turn}`);
      expect(opaqueTokens.length > 0, `request ${at + 1} carries a token of the upstream`).toBe(at % 2 === 1);
    }
  });
});
