import type { TextCapability } from '@sluice/canonical';
import { ConfigSchema, modelCatalog } from '@sluice/config';
import { chatCompletionsProtocol, generativeContentProtocol, modelsEndpoints } from '@sluice/protocols';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelHandlers, type ModelsDeps } from './model-handlers.ts';

const CONFIG = ConfigSchema.parse({
  upstreams: {
    vendor: { kind: 'chat-completions', base_url: 'http://vendor.test/v1' },
    studio: { kind: 'videos', base_url: 'http://studio.test/v1' },
  },
  models: [
    { id: 'gpt-5', routes: [{ upstream: 'vendor', model: 'gpt-5' }] },
    { id: 'acme/llama:70b', routes: [{ upstream: 'vendor', model: 'llama' }] },
    { id: 'hidden', routes: [{ upstream: 'vendor', model: 'hidden' }] },
    { id: 'video', routes: [{ upstream: 'studio', model: 'video' }] },
    { id: 'claude-*', routes: [{ upstream: 'vendor', model: 'claude-*' }] },
  ],
});

const text: TextCapability = {
  protocol: 'chat-completions',
  account: 'a',
  quirks: {},
  completions: false,
  open: () => Promise.reject(new Error('not called')),
  scrub: (message) => message,
};

let app: FastifyInstance;

beforeEach(async () => {
  app = Fastify();
  const deps: ModelsDeps = {
    catalog: modelCatalog(CONFIG),
    accounts: new Map([
      ['vendor', { kind: 'chat-completions', text }],
      ['studio', { kind: 'videos' }],
    ]),
  };
  const apiKey = {
    name: 'alice',
    allows: (model: string) => model !== 'hidden',
    isBoundToModels: false,
    mayUseVendorReferences: true,
    strict: false,
  };
  const endpoints = modelsEndpoints({
    chatCompletions: chatCompletionsProtocol,
    generativeContent: generativeContentProtocol,
  });
  const handlers = modelHandlers(deps);
  for (const endpoint of endpoints) {
    app.get(endpoint.path.replace('*model', '*'), async (request, reply) =>
      handlers[endpoint.action].serve({ endpoint, apiKey, request, reply }),
    );
  }
  await app.ready();
});
afterEach(() => app.close());

const MESSAGES = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };
const GENERATIVE = { 'x-goog-api-key': 'k' };

interface Listing {
  data?: { id: string }[];
  models?: { name: string; supportedGenerationMethods: string[] }[];
  nextPageToken?: string;
  has_more?: boolean;
}

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await app.inject({ url, headers });
  return { status: response.statusCode, headers: response.headers, body: response.json<unknown>() };
}

async function listing(url: string, headers?: Record<string, string>): Promise<Listing> {
  const { status, body } = await get(url, headers);
  expect(status).toBe(200);
  return body as Listing;
}

describe('GET /v1/models', () => {
  it('lists the models of the key in order, without patterns', async () => {
    const { data } = await listing('/v1/models');
    expect(data?.map(({ id }) => id)).toEqual(['gpt-5', 'acme/llama:70b', 'video']);
  });

  it("uses the client's protocol for the response", async () => {
    expect(await listing('/v1/models')).toHaveProperty('object', 'list');
    const messages = await listing('/v1/models', MESSAGES);
    expect(messages).not.toHaveProperty('object');
    expect(messages.data?.[0]).toMatchObject({ type: 'model', id: 'gpt-5' });
    for (const generative of [await listing('/v1/models', GENERATIVE), await listing('/v1/models?key=k')]) {
      expect(generative.models?.map(({ name }) => name)).toEqual([
        'models/gpt-5',
        'models/acme/llama:70b',
        'models/video',
      ]);
    }
  });

  it("paginates with the protocol's parameters", async () => {
    const first = await listing('/v1/models?limit=2', MESSAGES);
    expect(first).toMatchObject({ has_more: true, last_id: 'acme/llama:70b' });
    const second = await listing('/v1/models?limit=2&after_id=acme%2Fllama:70b', MESSAGES);
    expect(second.data?.map(({ id }) => id)).toEqual(['video']);
    const page = await listing('/v1/models?pageSize=2', GENERATIVE);
    const next = await listing(`/v1/models?pageSize=2&pageToken=${page.nextPageToken}`, GENERATIVE);
    expect(next.models?.map(({ name }) => name)).toEqual(['models/video']);
  });

  it('rejects a cursor that names a model not allowed for the key', async () => {
    expect(await get('/v1/models?after_id=hidden')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'after_id' } },
    });
  });
});

describe('GET /v1beta/models', () => {
  it('uses the generative protocol for any headers, and lists the supported methods', async () => {
    const { models } = await listing('/v1beta/models', MESSAGES);
    expect(models?.map(({ supportedGenerationMethods }) => supportedGenerationMethods.length)).toEqual([3, 3, 0]);
  });
});

describe('GET /v1/models/{model}', () => {
  it.each([
    ['/v1/models/gpt-5', 'gpt-5'],
    ['/v1/models/acme/llama:70b', 'acme/llama:70b'],
    ['/v1/models/acme%2Fllama%3A70b', 'acme/llama:70b'],
    ['/v1/models/claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['/v1/models/models/gpt-5', 'gpt-5'],
  ])('%s returns an available model', async (url, id) => {
    expect(await get(url)).toMatchObject({ status: 200, body: { id, object: 'model' } });
    expect(await get(url, MESSAGES)).toMatchObject({ status: 200, body: { id, type: 'model' } });
    expect(await get(url, GENERATIVE)).toMatchObject({ status: 200, body: { name: `models/${id}` } });
  });

  it('suggests similar names, but none that the key may not use', async () => {
    const unknown = await get('/v1/models/gpt5');
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'model_not_found' } } });
    expect(JSON.stringify(unknown.body)).toContain('Did you mean gpt-5');
    const hidden = await get('/v1/models/hidden');
    expect(hidden.status).toBe(404);
    expect(JSON.stringify(hidden.body)).not.toContain('mean hidden');
  });

  it("uses the client's protocol for errors", async () => {
    expect(JSON.stringify(await get('/v1/models/no', MESSAGES))).toContain('"not_found_error"');
    for (const [url, headers] of [
      ['/v1/models/no', GENERATIVE],
      ['/v1beta/models/no', {}],
    ] as const) {
      const { status, body } = await get(url, headers);
      expect(status).toBe(404);
      expect(JSON.stringify(body)).toContain('"NOT_FOUND"');
    }
  });
});
