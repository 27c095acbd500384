import { createCohere } from '@ai-sdk/cohere';
import { embedMany, rerank } from 'ai';
import { type Cohere, CohereClient, CohereClientV2, CohereError } from 'cohere-ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const options = (token = 'sk-sandbox') => ({ token, environment: `${sandbox.url}/cohere`, maxRetries: 0 });
const first = () => new CohereClient(options());
const second = (token?: string) => new CohereClientV2(options(token));
const provider = () => createCohere({ baseURL: `${sandbox.url}/cohere/v2`, apiKey: 'sk-sandbox' });

const documents = ['Taxes are due in April.', 'A paper boat sails the river.', 'Boats need water.'];
const query = 'How do paper boats sail?';

async function refusal(path: string, body: object): Promise<unknown[]> {
  const response = await fetch(`${sandbox.url}/cohere${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { id, message } = (await response.json()) as { id: string; message: string };
  expect(id).toBe(response.headers.get('x-debug-trace-id'));
  return [response.status, message];
}

async function width(model: string): Promise<number | undefined> {
  const { embeddings } = await second().embed({ model, texts: ['a'], inputType: 'search_query' });
  return embeddings.float?.[0]?.length;
}

describe('cohere-ai', () => {
  it('ranks texts with version 2', async () => {
    const ranked = await second().rerank({ model: 'rerank-v3.5', query, documents, topN: 2 });
    expect(ranked).toMatchObject({
      id: expect.any(String),
      results: [{ index: 1 }, { index: 2 }],
      meta: { apiVersion: { version: '2' }, billedUnits: { searchUnits: 1 } },
    });
    expect(ranked.results[0]).not.toHaveProperty('document');
    const [best = 0, next = 0] = ranked.results.map(({ relevanceScore }) => relevanceScore);
    expect([best <= 1, best > next, next > 0]).toEqual([true, true, true]);
  });

  it('ranks objects with version 1 and returns them on request', async () => {
    const objects: Cohere.RerankRequestDocumentsItem[] = [
      { text: 'Taxes', year: '2026' },
      'paper boats',
      { text: 'boats' },
    ];
    const plain = await first().rerank({ query: 'paper boats', documents: objects });
    expect(plain.results.map(({ index, document }) => [index, document])).toEqual([
      [1, undefined],
      [2, undefined],
      [0, undefined],
    ]);
    const returned = await first().rerank({
      query: '2026',
      documents: objects.slice(0, 1),
      rankFields: ['text', 'year'],
      returnDocuments: true,
    });
    expect(returned).toMatchObject({
      results: [{ index: 0, document: { text: 'Taxes', year: '2026' }, relevanceScore: expect.any(Number) }],
      meta: { apiVersion: { version: '1' } },
    });
    expect(returned.results[0]?.relevanceScore).toBeGreaterThan(0.5);
    const text = await first().rerank({ query: 'kite', documents: ['kite'], returnDocuments: true });
    expect(text.results).toMatchObject([{ document: { text: 'kite' } }]);
  });

  it('embeds texts in every encoding', async () => {
    const { embeddings, texts, meta } = await second().embed({
      model: 'embed-v4.0',
      texts: ['a paper boat'],
      inputType: 'search_document',
      embeddingTypes: ['float', 'int8', 'uint8', 'binary', 'ubinary', 'base64'],
      outputDimension: 512,
    });
    const [float = []] = embeddings.float ?? [];
    expect(float).toHaveLength(512);
    const bytes = Buffer.from(embeddings.base64?.[0] ?? '', 'base64');
    expect(float.map((_, at) => bytes.readFloatLE(at * 4))).toEqual(float);
    const signs = float.map((number) => number > 0);
    const [int8 = [], uint8 = [], bits = [], ubits = []] = [
      embeddings.int8?.[0],
      embeddings.uint8?.[0],
      embeddings.binary?.[0],
      embeddings.ubinary?.[0],
    ];
    expect(int8.every((number, at) => number === 0 || number > 0 === signs[at])).toBe(true);
    expect(uint8).toEqual(int8.map((number) => number + 128));
    expect(signs).toEqual(signs.map((_, at) => (((ubits[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 1));
    expect(bits).toEqual(ubits.map((byte) => byte - 128));
    expect(texts).toEqual(['a paper boat']);
    expect(meta).toMatchObject({ apiVersion: { version: '2' }, billedUnits: { inputTokens: 3 } });
  });

  it('returns the model’s default dimensions', async () => {
    expect([await width('embed-v4.0'), await width('embed-english-v3.0')]).toEqual([1536, 1024]);
  });

  it('maps statuses to the client’s errors', async () => {
    const refused = second('sk-other').rerank({ model: 'm', query, documents });
    await expect(refused).rejects.toMatchObject({ statusCode: 401, body: { message: 'invalid api token' } });
    await expect(second().rerank({ model: 'm', query, documents: [] })).rejects.toBeInstanceOf(CohereError);
  });

  it('is retried by the client after 429', async () => {
    const patient = new CohereClientV2({ ...options(), maxRetries: 2 });
    const ranked = await patient.rerank({ model: 'm', query: 'sdk boats [429]', documents });
    expect(ranked.results).toHaveLength(3);
  });
});

describe('@ai-sdk/cohere', () => {
  it('ranks and embeds', async () => {
    const ranked = await rerank({ model: provider().reranking('rerank-v3.5'), query, documents, topN: 1 });
    expect(ranked.ranking).toMatchObject([{ originalIndex: 1, document: documents[1] }]);
    const { embeddings, usage } = await embedMany({
      model: provider().embedding('embed-v4.0'),
      values: ['a boat', 'a kite'],
      providerOptions: { cohere: { inputType: 'search_document', outputDimension: 256 } },
    });
    expect(embeddings.map(({ length }) => length)).toEqual([256, 256]);
    expect(usage.tokens).toBe(4);
  });
});

describe('the Cohere API', () => {
  const rank = { model: 'm', query: 'q', documents: ['a'] };
  it.each([
    ['/v2/rerank', { ...rank, model: undefined }, 400, 'a model parameter is required for this endpoint.'],
    ['/v2/rerank', { ...rank, query: ' ' }, 400, 'invalid request: query must not be empty or be only whitespace'],
    ['/v2/rerank', { ...rank, documents: [] }, 400, 'invalid request: list of documents must not be empty'],
    [
      '/v2/rerank',
      { ...rank, documents: [{ text: 'a' }] },
      400,
      /^invalid type: parameter documents.0 is of type object/,
    ],
    ['/v2/rerank', { ...rank, top_n: 0 }, 400, /^invalid request: top_n/],
    ['/v2/rerank', { ...rank, return_documents: true }, 422, /^unknown field: parameter 'return_documents'/],
    ['/v1/rerank', { ...rank, documents: [{ title: 'a' }] }, 400, /^invalid request: document at index 0/],
    [
      '/v1/rerank',
      { ...rank, documents: Array.from({ length: 11 }, () => 'a'), max_chunks_per_doc: 1000 },
      400,
      /^invalid request: too many documents/,
    ],
    ['/v1/rerank', { ...rank, max_tokens_per_doc: 9 }, 422, /^unknown field/],
  ])('%s rejects %j', async (path, body, status, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await refusal(path, body)).toEqual([status, expected]);
  });

  const embed = { model: 'embed-v4.0', texts: ['a'], input_type: 'search_query' };
  it.each([
    [{ input_type: undefined }, 400, /^invalid request: valid input_type must be provided/],
    [{ input_type: 'image' }, 400, /^invalid request: valid input_type must be provided/],
    [{ texts: [] }, 400, /at least one text/],
    [{ texts: ['a', ''] }, 400, /text at index 1/],
    [{ texts: Array.from({ length: 97 }, () => 'a') }, 400, /must be at most 96 - received 97/],
    [{ output_dimension: 100 }, 400, /output_dimension must be one of 256, 512, 1024, 1536/],
    [{ output_dimension: 256, model: 'embed-english-v3.0' }, 400, /output_dimension is not supported/],
    [{ embedding_types: ['int4'] }, 400, /^invalid request: embedding_types/],
    [{ encoding_format: 'float' }, 422, /^unknown field/],
  ])('/v2/embed rejects %j', async (more, status, message) => {
    expect(await refusal('/v2/embed', { ...embed, ...more })).toEqual([status, expect.stringMatching(message)]);
  });

  it('bills a search unit per hundred documents', async () => {
    const many = Array.from({ length: 101 }, () => 'a');
    const { meta } = await second().rerank({ model: 'm', query, documents: many });
    expect(meta?.billedUnits?.searchUnits).toBe(2);
  });
});
