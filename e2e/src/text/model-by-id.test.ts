import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

const MODEL = 'sandbox-messages';

describe('a model by its id', () => {
  it('is returned in the format of openai, or is not found', async () => {
    const openai = new OpenAI({ baseURL: `${stack.origin}/v1`, apiKey: KEY });
    const model = await openai.models.retrieve(MODEL);
    expect(model).toMatchObject({ id: MODEL, object: 'model' });
    expect(model.created).toEqual(expect.any(Number));
    await expect(openai.models.retrieve('unknown')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('is returned in the format of @anthropic-ai/sdk, or is not found', async () => {
    const anthropic = new Anthropic({ baseURL: stack.origin, apiKey: KEY });
    const model = await anthropic.models.retrieve(MODEL);
    expect(model).toMatchObject({ id: MODEL, type: 'model' });
    expect(model.display_name).not.toBe('');
    expect(Date.parse(model.created_at)).not.toBeNaN();
    await expect(anthropic.models.retrieve('unknown')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it.each(['v1', 'v1beta'])('is returned in the format of @google/genai, or is not found (%s)', async (apiVersion) => {
    const ai = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: stack.origin, apiVersion } });
    const model = await ai.models.get({ model: MODEL });
    expect(model.name).toBe(`models/${MODEL}`);
    expect(model.supportedActions).toContain('generateContent');
    await expect(ai.models.get({ model: 'unknown' })).rejects.toMatchObject({ status: 404 });
  });
});
