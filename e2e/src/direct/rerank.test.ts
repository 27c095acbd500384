import { createCohere } from '@ai-sdk/cohere';
import { rerank } from 'ai';
import { CohereClient, CohereClientV2 } from 'cohere-ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY, type TextStack } from '../text/text-stack.ts';
import { RERANK_KINDS, startSearchStack, fallbackOf, wrongKeyOf } from './search-stack.ts';

let stack: TextStack;
let first: CohereClient;
let second: CohereClientV2;
beforeAll(async () => {
  const routes = [{ upstream: 'cohere', model: 'rerank-v3.5' }];
  stack = await startSearchStack(RERANK_KINDS, [{ id: 'strict', routes, strict: true }]);
  const options = { token: KEY, environment: stack.origin, maxRetries: 0 };
  first = new CohereClient(options);
  second = new CohereClientV2(options);
});
afterAll(() => stack.close());

const KINDS = Object.keys(RERANK_KINDS);
const query = 'How do paper boats sail?';
const documents = ['Taxes are due in April.', 'A paper boat sails the river.', 'Boats need water.'];

function post(body: unknown, path = '/v1/rerank'): Promise<Response> {
  return fetch(stack.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe.each(KINDS)('a ranking of %s', (model) => {
  it('reaches the Cohere SDK, version 2', async () => {
    const ranked = await second.rerank({ model, query, documents, topN: 2 });
    expect(ranked.results.map(({ index }) => index)).toEqual([1, 2]);
    const [best = 0, next = 0] = ranked.results.map(({ relevanceScore }) => relevanceScore);
    expect(best).toBeGreaterThan(next);
    expect(ranked.id).toMatch(/^rerank-/);
    expect(ranked.results[0]).not.toHaveProperty('document');
  });

  it('reaches the Cohere SDK, version 1, and returns strings and objects as documents', async () => {
    const objects = [{ text: documents[0] ?? '', year: '2026' }, documents[1] ?? '', { title: 'Boats need water' }];
    // The cast is needed because the SDK's type allows only string values.
    const ranked = await first.rerank({ model, query, documents: objects as typeof documents, returnDocuments: true });
    expect(ranked.results.map(({ index }) => index)).toEqual([1, 2, 0]);
    const returned = (await (await post({ model, query, documents: objects, return_documents: true })).json()) as {
      results: unknown[];
    }; // The cast is safe because the gateway returns this format.
    expect(returned.results).toMatchObject([
      { index: 1, document: { text: documents[1] } },
      { index: 2, document: { title: 'Boats need water' } },
      { index: 0, document: { text: documents[0], year: '2026' } },
    ]);
  });

  it('reaches the AI SDK', async () => {
    const provider = createCohere({ baseURL: `${stack.origin}/v2`, apiKey: KEY });
    const { ranking } = await rerank({ model: provider.reranking(model), query, documents, topN: 1 });
    expect(ranking).toMatchObject([{ originalIndex: 1, document: documents[1] }]);
    const objects = documents.map((text) => ({ text, year: 2026 }));
    const ranked = await rerank({ model: provider.reranking(model), query, documents: objects });
    expect(ranked.ranking.map(({ originalIndex }) => originalIndex)).toEqual([1, 2, 0]);
  });

  it('contains all documents and the usage if top_n exceeds their number', async () => {
    const response = (await (await post({ model, query, documents, top_n: 99 })).json()) as Ranked;
    expect(response.results).toHaveLength(3);
    expect(response.usage.total_tokens).toBeGreaterThan(10);
    expect(response.meta.tokens.input_tokens).toBe(response.usage.total_tokens);
  });

  it('is complete if the documents exceed the vendor’s limit per call', async () => {
    const many = Array.from({ length: 100 }, (_, index) => (index === 70 ? 'a paper boat sails' : `text ${index}`));
    const { results } = await second.rerank({ model, query: 'paper boat sails', documents: many });
    expect([results.length, results[0]?.index]).toEqual([100, 70]);
    expect(new Set(results.map(({ index }) => index)).size).toBe(100);
  });

  it('fails as the vendor does: on overload, and with a wrong vendor key', async () => {
    const throttled = second.rerank({ model, query: `${model} [429]`, documents });
    await expect(throttled).rejects.toMatchObject({ statusCode: 429 });
    const response = await post({ model: wrongKeyOf(model), query, documents });
    expect([response.status, await response.json()]).toMatchObject([502, { error: { code: 'provider_auth' } }]);
    const provider = createCohere({ baseURL: `${stack.origin}/v2`, apiKey: KEY });
    const wrong = rerank({ model: provider.reranking('unknown'), query, documents, maxRetries: 0 });
    await expect(wrong).rejects.toThrow(/Model `unknown` does not exist/);
  });

  it('is returned by the next route if one fails', async () => {
    const response = await post({ model: fallbackOf(model), query: `${model} [500]`, documents });
    expect([response.status, response.headers.get('x-sluice-upstream')]).toEqual([200, `${model}-3`]);
  });
});

interface Ranked {
  results: unknown[];
  usage: { total_tokens: number };
  meta: { tokens: { input_tokens: number } };
}

it('reports fields that version 2 does not support, and rejects them in strict mode', async () => {
  const body = { query, documents, max_chunks_per_doc: 3 };
  const dropped = await post({ ...body, model: 'cohere' });
  expect([dropped.status, dropped.headers.get('x-sluice-dropped')]).toEqual([200, 'max_chunks_per_doc']);
  const refused = await post({ ...body, model: 'strict' });
  const error = { code: 'unsupported_parameter', param: 'max_chunks_per_doc' };
  expect([refused.status, await refused.json()]).toMatchObject([400, { error }]);
});

it('reports Cohere’s search units', async () => {
  const { meta } = await second.rerank({ model: 'cohere', query, documents });
  expect(meta).toMatchObject({ apiVersion: { version: '2' }, billedUnits: { searchUnits: 1 } });
});
