import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, modelTurn, TOOLS, toolTurn, uniqueWord, userTurn } from './conversation.ts';
import { nativeTokens, WRAPPED_TOKEN } from './native-tokens.ts';
import { PAIRS } from './pairs.ts';
import { expectOrder } from './stream-order.ts';
import type { TextRequest, Reply, Turn } from './clients/text-client.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

/** Chat completions cannot request reasoning from vendors that omit it by default. */
const WITH_REASONING = PAIRS.filter(({ client, upstream }) => {
  const hides = upstream.protocol === 'responses' || upstream.protocol === 'generative-content';
  return !hides || client.protocol !== 'chat-completions';
});

describe.each(WITH_REASONING)('$pair: reasoning', ({ client: kind, upstream }) => {
  it.each(['create', 'stream'] as const)('is visible to a client that requests it (%s)', async (way) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const reply = await client[way]({ model: upstream.model, think: true, turns: [userTurn('[think] why')] });
    expect(reply.reasoning).toBe('The user wrote 2 words. I shall answer them plainly.');
    expect(reply.text).toBe('You said: why');
    // The cast is safe because these are the frames of a StreamedReply.
    if ('frames' in reply) expectOrder(kind.protocol, reply.frames as unknown[]);
  });
});

describe.each(PAIRS)('$pair: reasoning', ({ client: kind, upstream }) => {
  it.each([
    ['create', '[think]'],
    ['stream', '[think]'],
    ['create', '[redacted]'],
    ['stream', '[redacted]'],
  ] as const)('returns to its vendor over three turns with tool calls (%s, %s)', async (way, think) => {
    const client = kind.open({ origin: stack.origin, key: KEY });
    const word = uniqueWord();
    const turns: Turn[] = [];
    const send = async (...more: Turn[]): Promise<Reply> => {
      turns.push(...more);
      const request: TextRequest = { model: upstream.model, think: true, tools: TOOLS, turns: [...turns] };
      const reply = await client[way](request);
      turns.push(modelTurn(reply));
      return reply;
    };

    for (let turn = 1; turn <= 3; turn += 1) {
      const called = await send(userTurn(`${think} [tool:get_weather] ${word} turn ${turn}`));
      expect(called.finish).toBe('tools');
      const outcome = { call: callOf(called, 'get_weather'), text: `result ${turn}` };
      const response = await send(toolTurn(outcome));
      expect(response).toMatchObject({ finish: 'stop', text: `The tool get_weather answered: result ${turn}` });
    }

    // The sandbox records the status after it has sent the response, possibly after the client has read it.
    const statuses = async () => (await stack.seen(word)).map(({ status }) => status);
    await expect.poll(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    const seen = await stack.seen(word);
    expect(JSON.stringify(seen)).not.toContain(`"${WRAPPED_TOKEN}`);
    if (upstream.protocol === 'chat-completions') return;
    // A request with a tool result also contains the reasoning before the call, which the vendor has validated.
    for (const [index, { body }] of seen.entries()) {
      const turn = Math.floor(index / 2) + 1;
      const opaqueTokens = nativeTokens(upstream.protocol, body, `${word} turn ${turn}`);
      expect(opaqueTokens.length > 0, `request ${index + 1} contains a token of the upstream`).toBe(index % 2 === 1);
    }
  });
});
