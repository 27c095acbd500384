import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

function call(path: string, body: object, headers: Record<string, string> = { authorization: 'Bearer sk-sandbox' }) {
  return fetch(`${sandbox.url}/jina/v1${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'jina-m', ...body }),
  });
}
async function responseTo(path: string, body: object): Promise<unknown> {
  return await (await call(path, body)).json();
}
async function vectors(body: object): Promise<number[][]> {
  const { data } = (await responseTo('/embeddings', body)) as { data: { embedding: number[] }[] };
  return data.map(({ embedding }) => embedding);
}

const rank = { query: 'paper boats', documents: ['taxes', { text: 'a paper boat' }] };

describe('the Jina API', () => {
  it('requires the key', async () => {
    const missing = await call('/rerank', rank, {});
    expect([missing.status, await missing.json()]).toEqual([401, { detail: 'Authentication required' }]);
    const wrong = await call('/rerank', rank, { authorization: 'Bearer sk-other' });
    expect([wrong.status, await wrong.json()]).toEqual([401, { detail: 'Invalid API key' }]);
  });

  it('ranks documents and returns them by default', async () => {
    expect(await responseTo('/rerank', rank)).toEqual({
      model: 'jina-m',
      object: 'list',
      usage: { total_tokens: 8 },
      results: [
        { index: 1, document: { text: 'a paper boat' }, relevance_score: expect.any(Number) },
        { index: 0, document: { text: 'taxes' }, relevance_score: 0 },
      ],
    });
    const bare = { results: [{ index: 1, relevance_score: expect.any(Number) }] };
    const { results } = (await responseTo('/rerank', { ...rank, top_n: 1, return_documents: false })) as typeof bare;
    expect({ results }).toEqual(bare);
  });

  it('embeds texts, in base64 too', async () => {
    const input = ['a boat', { text: 'a kite' }];
    const params = { input, dimensions: 32, task: 'retrieval.query', truncate: true };
    const floats = await vectors(params);
    expect(await responseTo('/embeddings', { ...params, embedding_type: 'base64' })).toEqual({
      model: 'jina-m',
      object: 'list',
      usage: { total_tokens: 4, prompt_tokens: 4 },
      data: floats.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: Buffer.from(new Float32Array(vector).buffer).toString('base64'),
      })),
    });
    expect(floats.map(({ length }) => length)).toEqual([32, 32]);
    expect((await vectors({ input: 'one text' })).map(({ length }) => length)).toEqual([1024]);
  });

  it('returns vectors without normalization on request', async () => {
    const [own = []] = await vectors({ input: ['a long paper boat'], normalized: false });
    const [unit = []] = await vectors({ input: ['a long paper boat'] });
    expect(Math.hypot(...unit)).toBeCloseTo(1, 5);
    expect(Math.hypot(...own)).toBeGreaterThan(2);
  });

  it.each([
    ['/rerank', { ...rank, query: '' }, /'body -> query'/],
    ['/rerank', { ...rank, documents: [] }, /'body -> documents' List should have at least 1 item/],
    ['/rerank', { ...rank, documents: [{ title: 'a' }] }, /'body -> documents\[0\]/],
    ['/rerank', { ...rank, max_tokens_per_doc: 9 }, /Extra inputs are not permitted/],
    ['/rerank', { ...rank, model: undefined }, /'body -> model' Field required/],
    ['/embeddings', { input: [] }, /at least 1 item/],
    ['/embeddings', { input: ['a', ''] }, /'body -> input\[1\]' Input cannot be empty/],
    ['/embeddings', { input: [1, 2] }, /'body -> input/],
    ['/embeddings', { input: Array.from({ length: 513 }, () => 'a') }, /at most 512 items/],
    ['/embeddings', { input: ['a'], encoding_format: 'float' }, /Extra inputs are not permitted/],
    ['/embeddings', { input: ['a'], task: 'query' }, /'body -> task'/],
    ['/embeddings', { input: ['a'], dimensions: 1025 }, /'body -> dimensions'/],
  ])('%s rejects %j', async (path, body, detail) => {
    const response = await call(path, body);
    expect([response.status, await response.json()]).toEqual([422, { detail: expect.stringMatching(detail) }]);
  });
});
