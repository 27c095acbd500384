import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { ApiError, GoogleGenAI } from '@google/genai';
import { embed, embedMany } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const google = (apiVersion = 'v1beta') =>
  new GoogleGenAI({ apiKey: 'sk-sandbox', httpOptions: { baseUrl: sandbox.url, apiVersion } });
const model = 'gemini-embedding-001';

function call(verb: string, body: object) {
  return fetch(`${sandbox.url}/v1beta/models/${model}:${verb}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': 'sk-sandbox', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
const content = { parts: [{ text: 'a paper boat' }] };

async function otherVector(input: string): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input }),
  });
  const { data } = (await response.json()) as { data: { embedding: unknown }[] };
  return data[0]?.embedding;
}

async function lengthFrom(of: string): Promise<number> {
  const params = { model: of, contents: ['boat'], config: { outputDimensionality: 64 } };
  const { embeddings } = await google().models.embedContent(params);
  expect(embeddings?.[0]?.values).toHaveLength(64);
  return Math.hypot(...(embeddings?.[0]?.values ?? []));
}

describe('@google/genai', () => {
  it.each(['v1beta', 'v1'])('embeds texts under %s with the same vectors as other APIs', async (version) => {
    const { embeddings } = await google(version).models.embedContent({
      model,
      contents: ['a paper boat', 'taxes'],
      config: { taskType: 'RETRIEVAL_DOCUMENT', title: 'Boats' },
    });
    expect(embeddings?.map(({ values }) => values)).toEqual([
      await otherVector('a paper boat'),
      await otherVector('taxes'),
    ]);
  });

  it('returns shorter vectors, normalized only by the newer model', async () => {
    expect(await lengthFrom(model)).toBeLessThan(0.9);
    expect(await lengthFrom('gemini-embedding-2')).toBeCloseTo(1, 5);
  });

  it('reads errors', async () => {
    const refused = google().models.embedContent({ model, contents: Array.from({ length: 101 }, () => 'a') });
    await expect(refused).rejects.toThrow('at most 100 requests can be in one batch');
    await expect(refused).rejects.toBeInstanceOf(ApiError);
  });
});

describe('@ai-sdk/google', () => {
  it('embeds one text and several', async () => {
    const provider = createGoogleGenerativeAI({ apiKey: 'sk-sandbox', baseURL: `${sandbox.url}/v1beta` });
    const one = await embed({ model: provider.embedding(model), value: 'a boat' });
    const padTwo = await embedMany({ model: provider.embedding(model), values: ['a boat', 'a kite'] });
    expect(padTwo.embeddings[0]).toEqual(one.embedding);
    expect(padTwo.embeddings).toHaveLength(2);
  });
});

describe('embedContent', () => {
  it('returns only the vector', async () => {
    const response = await call('embedContent', { model: `models/${model}`, content, task_type: 'CLUSTERING' });
    expect(await response.json()).toEqual({ embedding: { values: await otherVector('a paper boat') } });
  });

  const request = { model: `models/${model}`, content };
  it.each([
    ['embedContent', {}, /EmbedContentRequest.content: content is not specified/],
    ['embedContent', { content: { parts: [{ text: ' ' }] } }, /The text content is empty/],
    ['embedContent', { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } }, /only text/],
    ['embedContent', { content, model: 'models/other' }, /EmbedContentRequest.model/],
    ['embedContent', { content, taskType: 'SEARCH' }, /Invalid value at 'task_type'/],
    ['embedContent', { content, title: 'Boats' }, /title is only applicable/],
    ['embedContent', { content, outputDimensionality: 257 }, /output_dimensionality/],
    ['embedContent', { content, dimensions: 8 }, /Unknown name "dimensions"/],
    ['batchEmbedContents', { requests: [] }, /requests is not specified/],
    ['batchEmbedContents', { requests: [request, { content }] }, /requests\[1\].model: unexpected model name format/],
    ['batchEmbedContents', { requests: [{ ...request, model: 'models/other' }] }, /requests\[0\].model: model must be/],
    ['batchEmbedContents', { requests: [{ ...request, encoding: 'x' }] }, /Unknown name "encoding" at 'requests\[0\]'/],
  ])('%s rejects %j', async (verb, body, message) => {
    const response = await call(verb, body);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringMatching(message) } },
    ]);
  });
});
