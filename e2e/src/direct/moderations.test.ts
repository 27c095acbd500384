import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startTextStack, type TextStack } from '../text/text-stack.ts';

let stack: TextStack;
let openai: OpenAI;
beforeAll(async () => {
  stack = await startTextStack({ defaults: { moderation_model: 'sandbox-moderation' } });
  openai = new OpenAI({ baseURL: `${stack.origin}/v1`, apiKey: KEY, maxRetries: 0 });
});
afterAll(() => stack.close());

describe('moderations through the OpenAI SDK', () => {
  it('moderates a text', async () => {
    const moderation = await openai.moderations.create({ model: 'sandbox-moderation', input: 'I will kill you' });
    expect(moderation).toMatchObject({ id: expect.stringMatching(/^modr-/), model: 'sandbox-moderation' });
    const [result] = moderation.results;
    expect(result).toMatchObject({ flagged: true, categories: { violence: true, hate: false } });
    expect(result?.category_scores.violence).toBeGreaterThan(0.5);
    expect(result?.category_applied_input_types.violence).toEqual(['text']);
    expect(Object.keys(result?.categories ?? {})).toHaveLength(13);
  });

  it('moderates each of several texts', async () => {
    const { results } = await openai.moderations.create({ input: ['a fine day', 'a bomb', 'another fine day'] });
    expect(results.map(({ flagged }) => flagged)).toEqual([false, true, false]);
  });

  it('moderates text and image as one input', async () => {
    const { results } = await openai.moderations.create({
      model: 'sandbox-moderation',
      input: [
        { type: 'text', text: 'what a fine day' },
        { type: 'image_url', image_url: { url: 'https://images.example/gore.png' } },
      ],
    });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      flagged: true,
      category_applied_input_types: { violence: expect.arrayContaining(['image']) },
    });
  });

  it('throws typed errors', async () => {
    const wrong = openai.moderations.create({ model: 'sandbox-moderation', input: '' });
    await expect(wrong).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request', param: 'input' });
    const throttled = openai.moderations.create({ input: 'too much [429]' });
    await expect(throttled).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    const unsuitable = openai.moderations.create({ model: 'sandbox-chat', input: 'a' });
    await expect(unsuitable).rejects.toMatchObject({ status: 400, param: 'model' });
  });

  it('retries after a server error', async () => {
    const retrying = new OpenAI({ baseURL: `${stack.origin}/v1`, apiKey: KEY, maxRetries: 3 });
    const { results } = await retrying.moderations.create({ input: 'broken for a while [500]' });
    expect(results).toHaveLength(1);
  });
});
