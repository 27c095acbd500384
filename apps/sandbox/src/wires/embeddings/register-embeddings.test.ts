import { createOpenAI } from '@ai-sdk/openai';
import { embedMany } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const openai = (more: object = {}) =>
  new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox', maxRetries: 0, ...more });

function call(body: object, key = 'sk-sandbox') {
  return fetch(`${sandbox.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', ...body }),
  });
}

async function refusal(body: object, key?: string): Promise<unknown[]> {
  const response = await call(body, key);
  const { error } = (await response.json()) as { error: { message: string; param: unknown; code: unknown } };
  return [response.status, error.param, error.code, error.message];
}

describe('openai', () => {
  it('returns equal vectors in base64, the client’s default, and as floats', async () => {
    const input = ['a paper boat', 'taxes are due'];
    const byDefault = await openai().embeddings.create({ model: 'm', input });
    const floats = await openai().embeddings.create({ model: 'm', input, encoding_format: 'float' });
    const numbers = byDefault.data.map(({ embedding }) => Array.from(embedding));
    expect(numbers).toEqual(floats.data.map(({ embedding }) => embedding));
    expect(floats).toMatchObject({ object: 'list', model: 'm', usage: { prompt_tokens: 6, total_tokens: 6 } });
    expect(floats.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 256],
      [1, 256],
    ]);
    const raw = await openai().embeddings.create({ model: 'm', input, encoding_format: 'base64' });
    expect(raw.data[0]?.embedding).toBeTypeOf('string');
  });

  it('accepts tokens, one text of them or several', async () => {
    const one = await openai().embeddings.create({ model: 'm', input: [1, 2, 3] });
    const padTwo = await openai().embeddings.create({ model: 'm', input: [[1, 2, 3], [4]] });
    expect(one.data).toHaveLength(1);
    expect(padTwo.data).toHaveLength(2);
    expect(padTwo.data[0]?.embedding).toEqual(one.data[0]?.embedding);
    expect(padTwo.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
  });

  it('returns shorter unit vectors', async () => {
    const { data } = await openai().embeddings.create({ model: 'm', input: 'kite', dimensions: 16, user: 'u' });
    expect(data[0]?.embedding).toHaveLength(16);
    expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 5);
  });

  it('is retried by the client after 429', async () => {
    const { data } = await openai({ maxRetries: 2 }).embeddings.create({ model: 'm', input: 'sdk kite [429]' });
    expect(data).toHaveLength(1);
  });
});

describe('@ai-sdk/openai', () => {
  it('embeds several texts', async () => {
    const provider = createOpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox' });
    const { embeddings, usage } = await embedMany({ model: provider.embedding('m'), values: ['a boat', 'a kite'] });
    expect(embeddings.map(({ length }) => length)).toEqual([256, 256]);
    expect(usage.tokens).toBe(4);
  });
});

describe('the embeddings API', () => {
  it('requires the key', async () => {
    expect(await refusal({ input: 'x' }, 'sk-other')).toEqual([401, null, 'invalid_api_key', expect.any(String)]);
  });

  it.each([
    ['an empty text', ''],
    ['an empty list', []],
    ['an empty text in a list', ['a', '']],
    ['an empty list of tokens', [[]]],
    ['texts and tokens', ['a', 1]],
    ['a fraction', [1.5]],
    ['an object', { text: 'a' }],
    ['more than 2048 texts', Array.from({ length: 2049 }, () => 'a')],
  ])('rejects %s', async (_, input) => {
    const message = expect.stringContaining("'$.input' is invalid");
    expect(await refusal({ input })).toEqual([400, null, null, message]);
  });

  it('accepts 2048 texts', async () => {
    expect((await call({ input: Array.from({ length: 2048 }, () => 'a'), dimensions: 1 })).status).toBe(200);
  });

  it.each([
    [{ dimensions: 0 }, ['dimensions', 'integer_below_min_value']],
    [{ dimensions: 257 }, [null, null]],
    [{ dimensions: 64, model: 'fixed-width' }, [null, null]],
    [{ encoding_format: 'int8' }, ['encoding_format', 'invalid_value']],
    [{ input_type: 'query' }, ['input_type', 'unknown_parameter']],
    [{ input: undefined }, ['input', 'missing_required_parameter']],
    [{ model: undefined }, ['model', 'missing_required_parameter']],
    [{ input: 'word '.repeat(8193) }, [null, null]],
  ])('rejects %j', async (body, expected) => {
    const [status, ...details] = await refusal({ input: 'x', ...body });
    expect(status).toBe(400);
    expect(details.slice(0, 2)).toEqual(expected);
  });

  it('simulates vendors without base64', async () => {
    const response = await call({ input: 'x', model: 'float-only', encoding_format: 'base64' });
    expect(await response.json()).toMatchObject({ data: [{ embedding: expect.any(Array) }] });
  });
});
