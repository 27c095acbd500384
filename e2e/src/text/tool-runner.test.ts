import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

it.each(['sandbox-messages', 'sandbox-chat'])('the tool runner of @anthropic-ai/sdk works with %s', async (model) => {
  const anthropic = new Anthropic({ baseURL: stack.origin, apiKey: KEY });
  const marker = `runner of ${model}`;
  const runner = anthropic.beta.messages.toolRunner({
    model,
    max_tokens: 64,
    messages: [{ role: 'user', content: marker }],
    tools: [],
  });
  const message = await runner;
  expect(message).toMatchObject({ role: 'assistant', stop_reason: 'end_turn' });
  const seen = await stack.seen(marker);
  expect(seen).toHaveLength(1);
  expect(seen[0]?.body).not.toHaveProperty('thread');
});
