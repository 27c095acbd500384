import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UPSTREAMS } from './pairs.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

const messages = [{ role: 'user' as const, content: 'hello' }];

describe.each(UPSTREAMS)('the id of a request, over $model', ({ model }) => {
  it('is available in responses and errors of openai', async () => {
    const openai = new OpenAI({ baseURL: `${stack.origin}/v1`, apiKey: KEY, maxRetries: 0 });
    const first = await openai.chat.completions.create({ model, messages }).withResponse();
    const second = await openai.chat.completions.create({ model, messages }).withResponse();
    expect(first.request_id).toMatch(/\S/);
    expect(second.request_id).not.toBe(first.request_id);
    const failing = openai.chat.completions.create({ model, messages: [{ role: 'user', content: '[500] openai' }] });
    const error: unknown = await failing.catch((thrown: unknown) => thrown);
    if (!(error instanceof OpenAI.APIError)) throw new Error('The call threw no API error.');
    expect(error.requestID).toMatch(/\S/);
  });

  it('is available in responses and errors of @anthropic-ai/sdk', async () => {
    const anthropic = new Anthropic({ baseURL: stack.origin, apiKey: KEY, maxRetries: 0 });
    const response = await anthropic.messages.create({ model, max_tokens: 100, messages }).withResponse();
    expect(response.request_id).toMatch(/\S/);
    const failingMessages = [{ role: 'user' as const, content: '[500] anthropic' }];
    const failing = anthropic.messages.create({ model, max_tokens: 100, messages: failingMessages });
    const error: unknown = await failing.catch((thrown: unknown) => thrown);
    if (!(error instanceof Anthropic.APIError)) throw new Error('The call threw no API error.');
    expect(error.requestID).toMatch(/\S/);
  });
});
