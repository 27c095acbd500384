import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { GoogleGenAI } from '@google/genai';
import { embed, embedMany } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, type TextStack } from '../text/text-stack.ts';
import { EMBEDDING_KINDS, startSearchStack, fallbackOf, wrongKeyOf } from './search-stack.ts';

let stack: TextStack;
let openai: OpenAI;
let google: GoogleGenAI;
const servedAs = (model: string) => [{ upstream: 'chat-completions', model }];
beforeAll(async () => {
  stack = await startSearchStack(EMBEDDING_KINDS, [
    { id: 'floats-only', routes: servedAs('float-width') },
    { id: 'fixed', routes: servedAs('fixed-width') },
    { id: 'org/engine', routes: servedAs('text-embedding-3-small') },
    { id: 'strict', routes: servedAs('text-embedding-3-small'), strict: true },
  ]);
  openai = new OpenAI({ baseURL: `${stack.origin}/v1`, apiKey: KEY, maxRetries: 0 });
  google = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: stack.origin } });
});
afterAll(() => stack.close());

const KINDS = Object.keys(EMBEDDING_KINDS);
const TEXTS = ['a paper boat sails', 'taxes are due', 'paper boats'];

function post(path: string, body: unknown, origin = stack.origin, key = KEY): Promise<Response> {
  return fetch(origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Requests vectors directly from the sandbox, in base64. */
async function vendorVectors(input: unknown, dimensions = 256): Promise<string[]> {
  const body = { model: 'm', input, dimensions, encoding_format: 'base64' };
  const response = await post('/v1/embeddings', body, stack.sandboxUrl, 'sk-sandbox');
  // The cast is safe because the response has OpenAI's format.
  const { data } = (await response.json()) as { data: { embedding: string }[] };
  return data.map(({ embedding }) => embedding);
}

function numbers(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function cosine(left: readonly number[], right: readonly number[]): number {
  const dot = left.reduce((sum, number, index) => sum + number * (right[index] ?? 0), 0);
  return dot / (Math.hypot(...left) * Math.hypot(...right));
}

function expectNear(actual: readonly (readonly number[])[], expected: readonly string[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [index, vector] of actual.entries())
    expect(cosine(vector, numbers(expected[index] ?? ''))).toBeCloseTo(1, 4);
}

describe.each(KINDS)('vectors of %s', (model) => {
  it('reach the OpenAI SDK, which requests base64, in the order of the texts', async () => {
    const {
      data,
      usage,
      object,
      model: reported,
    } = await openai.embeddings.create({ model, input: TEXTS, dimensions: 256 });
    expectNear(
      data.map(({ embedding }) => Array.from(embedding)),
      await vendorVectors(TEXTS),
    );
    expect([object, reported, data.map(({ index }) => index)]).toEqual(['list', model, [0, 1, 2]]);
    expect(usage.prompt_tokens).toBeGreaterThan(5);
    expect(usage.total_tokens).toBe(usage.prompt_tokens);
  });

  it('are identical as floats and as base64', async () => {
    const params = { model, input: TEXTS, dimensions: 256 };
    const floats = await openai.embeddings.create({ ...params, encoding_format: 'float' });
    const response = await post('/v1/embeddings', { ...params, encoding_format: 'base64' });
    // The cast is safe because the response has OpenAI's format.
    const { data } = (await response.json()) as { data: { embedding: string }[] };
    const bits = floats.data.map(({ embedding }) => Buffer.from(new Float32Array(embedding).buffer).toString('base64'));
    expect(data.map(({ embedding }) => embedding)).toEqual(bits);
  });

  it('are complete if the texts exceed the vendor’s limit per call', async () => {
    const input = Array.from({ length: 230 }, (_, index) => `text number ${index}`);
    const { data } = await openai.embeddings.create({ model, input, dimensions: 256 });
    expectNear(
      data.map(({ embedding }) => Array.from(embedding)),
      await vendorVectors(input),
    );
  });

  it('reach @google/genai', async () => {
    const { embeddings } = await google.models.embedContent({
      model,
      contents: TEXTS,
      config: { outputDimensionality: 256, taskType: 'RETRIEVAL_DOCUMENT' },
    });
    expectNear(embeddings?.map(({ values = [] }) => values) ?? [], await vendorVectors(TEXTS));
  });

  it('reach the AI SDK in both of its protocols', async () => {
    const expected = await vendorVectors(TEXTS);
    const asOpenAi = createOpenAI({ baseURL: `${stack.origin}/v1`, apiKey: KEY }).embedding(model);
    const asGoogle = createGoogleGenerativeAI({ baseURL: `${stack.origin}/v1beta`, apiKey: KEY }).embedding(model);
    const many = await embedMany({
      model: asOpenAi,
      values: TEXTS,
      providerOptions: { openai: { dimensions: 256 } },
    });
    expectNear(many.embeddings, expected);
    expect(many.usage.tokens).toBeGreaterThan(5);
    const options = { providerOptions: { google: { outputDimensionality: 256 } } };
    expectNear((await embedMany({ model: asGoogle, values: TEXTS, ...options })).embeddings, expected);
    const { embedding } = await embed({ model: asGoogle, value: TEXTS[0] ?? '', ...options });
    expectNear([embedding], expected.slice(0, 1));
  });

  it('fail as the vendor does: on overload, and with a wrong vendor key', async () => {
    const throttled = openai.embeddings.create({ model, input: `${model} [429]` });
    await expect(throttled).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
    const unauthorized = openai.embeddings.create({ model: wrongKeyOf(model), input: 'a' });
    await expect(unauthorized).rejects.toMatchObject({ status: 502, code: 'provider_auth' });
    const overloaded = openai.embeddings.create({ model, input: 'a [overloaded]' });
    await expect(overloaded).rejects.toMatchObject({ status: 503 });
  });

  it('are returned by the next route if one fails', async () => {
    const response = await post('/v1/embeddings', { model: fallbackOf(model), input: `${model} [500]` });
    expect([response.status, response.headers.get('x-sluice-upstream')]).toEqual([200, `${model}-3`]);
  });
});

describe('base64', () => {
  it('of the vendor is relayed unchanged', async () => {
    const response = await post('/v1/embeddings', {
      model: 'chat-completions',
      input: TEXTS,
      encoding_format: 'base64',
    });
    // The cast is safe because the response has OpenAI's format.
    const { data } = (await response.json()) as { data: { embedding: string }[] };
    expect(data.map(({ embedding }) => embedding)).toEqual(await vendorVectors(TEXTS));
    const seen = await stack.seen(TEXTS[0] ?? '');
    expect(seen.some(({ body }) => JSON.stringify(body).includes('"encoding_format":"base64"'))).toBe(true);
  });

  it('is encoded from the floats of a vendor without base64', async () => {
    const { data } = await openai.embeddings.create({ model: 'floats-only', input: TEXTS });
    expectNear(
      data.map(({ embedding }) => Array.from(embedding)),
      await vendorVectors(TEXTS),
    );
  });
});

describe('tokens', () => {
  it('are sent to vendors of OpenAI’s protocol, each array as one input', async () => {
    const one = await openai.embeddings.create({ model: 'chat-completions', input: [11, 22, 33] });
    const two = await openai.embeddings.create({ model: 'chat-completions', input: [[11, 22, 33], [44]] });
    expect([one.data.length, two.data.length]).toEqual([1, 2]);
    expect(two.data[0]?.embedding).toEqual(one.data[0]?.embedding);
  });

  it.each(['generative-content', 'cohere', 'jina'])('are rejected for %s', async (model) => {
    const refused = openai.embeddings.create({ model, input: [1, 2] });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'input' });
  });
});

describe('a field that a vendor does not support', () => {
  it('is rejected if it is dimensions', async () => {
    const refused = openai.embeddings.create({ model: 'fixed', input: 'a', dimensions: 8 });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('is dropped and reported, or rejected in strict mode', async () => {
    const body = { content: { parts: [{ text: 'a' }] }, taskType: 'CLUSTERING' };
    const dropped = await post('/v1beta/models/chat-completions:embedContent', body);
    expect([dropped.status, dropped.headers.get('x-sluice-dropped')]).toEqual([200, 'taskType']);
    const refused = await post('/v1beta/models/strict:embedContent', body);
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }]);
  });
});

describe('POST /v1/engines/…/embeddings', () => {
  const content = { parts: [{ text: 'a' }] };

  it('uses the encoded id of the path instead of the body’s', async () => {
    const response = await post('/v1/engines/org%2Fengine/embeddings', { model: 'unknown', input: 'a', dimensions: 4 });
    expect(await response.json()).toMatchObject({
      object: 'list',
      model: 'org/engine',
      data: [{ object: 'embedding', index: 0, embedding: expect.any(Array) }],
    });
  });

  it.each(KINDS)('responds for %s in the protocol of the body', async (engine) => {
    const path = `/v1/engines/${engine}/embeddings`;
    const one = await post(path, { content, outputDimensionality: 256 });
    expect(await one.json()).toEqual({ embedding: { values: expect.any(Array) } });
    const request = { model: 'models/x', content, outputDimensionality: 256 };
    // The cast is safe because the response has Google's format.
    const many = (await (await post(path, { requests: [request, request] })).json()) as { embeddings: unknown[] };
    expect(many.embeddings).toHaveLength(2);
  });
});

describe('Google’s paths', () => {
  it.each(['v1beta', 'v1'])('under %s serve embeddings and text', async (version) => {
    const model = `/${version}/models/generative-content`;
    const one = await post(`${model}:embedContent`, { content: { parts: [{ text: 'a' }] }, output_dimensionality: 8 });
    // The cast is safe because the response has Google's format.
    const { embedding } = (await one.json()) as { embedding: { values: number[] } };
    expect(embedding.values).toHaveLength(8);
    const text = await post(`${model}:generateContent`, { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
    expect(await text.json()).toMatchObject({ candidates: [{ finishReason: 'STOP' }] });
  });
});
