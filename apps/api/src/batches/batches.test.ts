import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { startBatches, uploadFile, uploadLines } from '../../test/batches/batches-rig.ts';
import { scriptedUpstream, type ScriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';
import { MODELS, respondWith, vendorConfig } from '../../test/vendor.ts';

const CHAT = '/v1/chat/completions';
const messages = [{ role: 'user', content: 'hi' }];
const refusal = (status: number, code: string, param?: string) =>
  expect.objectContaining({ status, code, ...(param !== undefined && { param }) });
const priced = (id: string, upstream: string, price: object) => ({ id, price, routes: [{ upstream, model: 'p' }] });

let vendor: ScriptedUpstream;
let rig: TextRig;
let worker: ReturnType<typeof startBatches>;
let openai: OpenAI;
let bob: OpenAI;
beforeAll(async () => {
  vendor = await scriptedUpstream(respondWith('hello'));
  const { upstreams, models } = vendorConfig(vendor.url);
  rig = await textRig(
    {
      server: { trusted_proxies: ['127.0.0.1'] },
      upstreams,
      models: [
        ...models,
        priced('priced', 'chat-completions', { input: 1_000, output: 1_000 }),
        priced('film', 'vendor', { video_second: 0.5 }),
        priced('picture', 'chat-completions', { image: 0.25 }),
      ],
      keys: [
        { name: 'alice', key: KEYS.alice },
        { name: 'bob', key: KEYS.bob, budget: { usd: 1, period: 'total' } },
        { name: 'carol', key: KEYS.carol, models: [MODELS.messages] },
      ],
    },
    { redisTimeoutMs: 10_000 },
  );
  worker = startBatches(rig);
  const client = (apiKey: string) => new OpenAI({ baseURL: `${rig.origin}/v1`, apiKey, maxRetries: 0 });
  [openai, bob] = [client(KEYS.alice), client(KEYS.bob)];
});
afterAll(async () => {
  await worker.close(0);
  await rig.close();
  await vendor.close();
});

async function ended(id: string, client = openai): Promise<OpenAI.Batch> {
  await expect
    .poll(async () => (await client.batches.retrieve(id)).status, { timeout: 30_000 })
    .toMatch(/^(?:completed|failed|expired|cancelled)$/);
  return client.batches.retrieve(id);
}

async function linesOf(id: string | undefined): Promise<Record<string, unknown>[]> {
  const text = await (await openai.files.content(id ?? '')).text();
  // The cast is safe because the file contains JSON objects.
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const window = { completion_window: '24h' } as const;

describe('/v1/batches with the OpenAI SDK', () => {
  it('runs the requests of a file, and returns their results', async () => {
    const bodies = [
      { model: MODELS.messages, messages },
      { model: MODELS.messages, messages, temperature: 'hot' },
    ];
    const input_file_id = await uploadLines(rig, CHAT, bodies);
    const metadata = { team: 'search' };
    const created = await openai.batches.create({ ...window, input_file_id, endpoint: CHAT, metadata });
    expect(created).toMatchObject({ object: 'batch', status: 'validating', endpoint: CHAT, metadata, errors: null });
    expect(created.expires_at).toBe(created.created_at + 24 * 3_600);

    const batch = await ended(created.id);
    expect(batch).toMatchObject({ status: 'completed', model: MODELS.messages });
    expect(batch.request_counts).toEqual({ total: 2, completed: 1, failed: 1 });
    expect(await linesOf(batch.output_file_id)).toMatchObject([
      {
        id: expect.stringMatching(/^batch_req_/),
        custom_id: 'line-0',
        response: {
          status_code: 200,
          body: { object: 'chat.completion', choices: [{ message: { content: 'hello' } }] },
        },
        error: null,
      },
    ]);
    expect(await linesOf(batch.error_file_id)).toMatchObject([
      { custom_id: 'line-1', response: { status_code: 400, body: { error: { param: 'temperature' } } } },
    ]);

    const listed = [];
    for await (const { id } of openai.batches.list({ limit: 1 })) listed.push(id);
    expect(listed).toContain(created.id);
    await expect(openai.batches.cancel(created.id)).rejects.toEqual(refusal(409, 'batch_conflict'));
    const deleted = await rig.call(`/v1/batches/${created.id}`, { method: 'DELETE' });
    expect(await deleted.json()).toEqual({ id: created.id, object: 'batch', deleted: true });
    await expect(openai.files.retrieve(batch.output_file_id ?? '')).rejects.toEqual(refusal(404, 'file_not_found'));
    expect((await openai.files.retrieve(input_file_id)).purpose).toBe('batch');
    await expect(openai.batches.retrieve(created.id)).rejects.toEqual(refusal(404, 'batch_not_found'));
  });

  it('pauses, resumes, prioritizes, and cancels a batch', async () => {
    const input_file_id = await uploadLines(rig, CHAT, [{ model: MODELS.messages, messages }]);
    const arrived = new Promise<() => void>((resolve) => {
      vendor.script = (request, response) => resolve(() => respondWith('late')(request, response));
    });
    const { id } = await openai.batches.create({ ...window, input_file_id, endpoint: CHAT });
    const change = async (body: object) => (await rig.post(`/v1/batches/${id}`, body)).json();
    expect(await change({ paused: true, priority: 7 })).toMatchObject({ id, paused: true, priority: 7 });
    expect(await change({ paused: false })).toMatchObject({ paused: false, priority: 7 });
    const respond = await arrived;
    vendor.script = respondWith('hello');
    expect((await openai.batches.cancel(id)).status).toBe('cancelling');
    respond();
    const batch = await ended(id);
    expect(batch).toMatchObject({ status: 'cancelled', request_counts: { total: 1, completed: 1, failed: 0 } });
    expect(batch.cancelled_at).toBeGreaterThan(0);
  });

  it('creates tasks whose links have the origin of the creation', async () => {
    const endpoint = '/v1/videos';
    const input_file_id = await uploadLines(rig, endpoint, [{ model: 'film', prompt: 'a kite', seconds: '4' }]);
    const create = { ...window, input_file_id, endpoint } as const;
    const key = { 'idempotency-key': 'of-one-batch' };
    const proxied = { 'x-forwarded-host': 'sluice.example', 'x-forwarded-proto': 'https' };
    const { id } = await openai.batches.create(create, { headers: { ...key, ...proxied } });
    expect(await openai.batches.create(create, { headers: key })).toMatchObject({ id });
    await ended(id);
    const [video = ''] = await rig.taskIds();
    expect(await rig.tasks.engine.find('alice', video)).toMatchObject({ origin: 'https://sluice.example' });
  });

  it('names the invalid lines of a file, and sends no request', async () => {
    const sent = vendor.requests.length;
    const line = { custom_id: 'a', method: 'POST', url: CHAT, body: { model: MODELS.messages, messages } };
    const text = [JSON.stringify(line), '{', JSON.stringify({ ...line, url: '/v1/embeddings' })].join('\n');
    const input_file_id = await uploadFile(rig, text);
    const { id } = await openai.batches.create({ ...window, input_file_id, endpoint: CHAT });
    const batch = await ended(id);
    expect(batch.status).toBe('failed');
    expect(batch.errors?.data?.map(({ line: number }) => number)).toEqual([2, 3]);
    expect(vendor.requests).toHaveLength(sent);
  });

  it('is not shown to other keys', async () => {
    const input_file_id = await uploadLines(rig, CHAT, [{ model: MODELS.messages, messages }]);
    const { id } = await openai.batches.create({ ...window, input_file_id, endpoint: CHAT });
    const missing = refusal(404, 'batch_not_found');
    await expect(bob.batches.retrieve(id)).rejects.toEqual(missing);
    await expect(bob.batches.cancel(id)).rejects.toEqual(missing);
    const ofFile = bob.batches.create({ ...window, input_file_id, endpoint: CHAT });
    await expect(ofFile).rejects.toEqual(refusal(404, 'file_not_found'));
    await ended(id);
  });
});

/** Counts the files that were written from the bodies of creations. */
async function inputsOfBodies(): Promise<number> {
  const { data } = await openai.files.list({ limit: 100 });
  return data.filter(({ filename }) => filename === 'requests.jsonl').length;
}

it.each([
  ['OpenAI', '/v1/batches'],
  ['Anthropic', '/v1/messages/batches'],
  ['Google', `/v1beta/models/${MODELS['chat-completions']}:batchGenerateContent`],
])('creates a batch once for an Idempotency-Key in the format of %s', async (format, path) => {
  const input_file_id = await uploadLines(rig, CHAT, [{ model: MODELS['chat-completions'], messages }]);
  const message = { custom_id: 'a', params: { model: MODELS.messages, max_tokens: 10, messages } };
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const bodyOf = (priority: number): object => {
    if (format === 'OpenAI') return { ...window, endpoint: CHAT, input_file_id, priority };
    if (format === 'Anthropic') return { priority, requests: [message] };
    const inputConfig = { requests: { requests: [{ request: { contents } }] } };
    return { batch: { displayName: 'x', priority, inputConfig } };
  };
  const create = async (priority: number, key = 'once') => {
    const headers = { 'idempotency-key': key, 'anthropic-version': '2023-06-01' };
    const reply = await rig.post(path, bodyOf(priority), { headers });
    // The cast is safe because each format names its batches.
    const { id, name = id } = (await reply.json()) as { id?: string; name?: string };
    return { status: reply.status, name, isReplayed: reply.headers.get('idempotent-replayed') };
  };
  const first = await create(1);
  expect(first).toMatchObject({ status: 200, name: expect.any(String), isReplayed: null });
  const files = await inputsOfBodies();
  expect(await create(1)).toEqual({ ...first, isReplayed: 'true' });
  expect((await create(2)).status).toBe(422);
  expect((await create(1, '\u0080')).status).toBe(400);
  expect(await inputsOfBodies()).toBe(files);
  expect((await create(1, 'another')).name).not.toBe(first.name);
  for (const { id } of (await openai.batches.list({ limit: 100 })).data) await ended(id);
});

it('shows the cost of the responses, but not of tasks', async () => {
  const input_file_id = await uploadLines(rig, CHAT, [{ model: MODELS.messages, messages }]);
  const { id } = await openai.batches.create({ ...window, input_file_id, endpoint: CHAT });
  // The worker of this rig does not report costs.
  expect(await ended(id)).toMatchObject({ cost_usd: 0, estimated_cost_usd: null });
  const endpoint = '/v1/videos';
  const films = await uploadLines(rig, endpoint, [{ model: 'film', prompt: 'a kite', seconds: '4' }]);
  const batch = await openai.batches.create({ ...window, input_file_id: films, endpoint });
  expect(await ended(batch.id)).toMatchObject({ cost_usd: null });
});

describe('the estimate of a batch', () => {
  const estimate = async (body: object, key = KEYS.alice) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await rig.post('/v1/batches?dry_run=true', { endpoint: CHAT, ...body }, { headers })).json();
  };
  const bodies = [
    { model: 'priced', messages: [{ role: 'user', content: 'x'.repeat(396) }], max_tokens: 100 },
    { model: 'priced', messages: [{ role: 'user', content: 'x'.repeat(396) }], max_tokens: 50 },
  ];

  it('is the maximum cost, and creates nothing', async () => {
    const { data: before } = await openai.batches.list();
    const input_file_id = await uploadLines(rig, CHAT, bodies);
    const found = await estimate({ input_file_id, max_cost_usd: 0.1 });
    expect(found).toMatchObject({
      object: 'batch.estimate',
      requests: 2,
      model: 'priced',
      output_tokens: 150,
      exceeds: ['max_cost_usd'],
    });
    // Each message has 99 tokens, and a few for its other texts.
    const { input_tokens: input, cost_usd: cost } = found as { input_tokens: number; cost_usd: number };
    expect(input).toBeGreaterThan(198);
    expect(input).toBeLessThan(220);
    expect(cost).toBeCloseTo((input + 150) / 1_000, 6);
    expect((await openai.batches.list()).data).toEqual(before);
  });

  it.each<[string, string, object]>([
    [
      'messages',
      '/v1/messages/batches',
      { max_cost_usd: 0.01, requests: [{ custom_id: 'a', params: { model: 'priced', messages, max_tokens: 30 } }] },
    ],
    [
      'generated content',
      '/v1beta/models/priced:batchGenerateContent',
      {
        batch: {
          inputConfig: {
            requests: {
              requests: [
                { request: { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 30 } } },
              ],
            },
          },
        },
      },
    ],
  ])('is the same for a batch of %s in the body', async (title, path, body) => {
    const [{ data: batches }, stored] = [await openai.batches.list(), await rig.storedFiles()];
    const headers = { authorization: `Bearer ${KEYS.alice}`, 'x-goog-api-key': KEYS.alice };
    const send = async (query: string) => rig.post(`${path}?${query}`, body, { headers });
    const response = await send('dry_run=true');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      object: 'batch.estimate',
      requests: 1,
      model: 'priced',
      output_tokens: 30,
      cost_usd: expect.any(Number),
      exceeds: title === 'messages' ? ['max_cost_usd'] : [],
    });
    expect((await send('dry_run=perhaps')).status).toBe(400);
    expect((await openai.batches.list()).data).toEqual(batches);
    expect(await rig.storedFiles()).toEqual(stored);
  });

  it('is null if a model has no price', async () => {
    const input_file_id = await uploadLines(rig, CHAT, [{ model: MODELS['chat-completions'], messages }]);
    expect(await estimate({ input_file_id })).toMatchObject({ cost_usd: null, exceeds: [] });
    expect(await estimate({ input_file_id, max_cost_usd: 5 })).toMatchObject({ exceeds: ['max_cost_usd'] });
  });

  it.each<[string, object[], string, string]>([
    ['chat completions without a limit', [{ model: 'priced', messages }], CHAT, '4096'],
    ['responses', [{ model: 'priced', input: 'hi', max_output_tokens: 9 }], '/v1/responses', '9'],
    ['messages', [{ model: 'priced', messages, max_tokens: 8 }], '/v1/messages', '8'],
    ['completions', [{ model: 'priced', prompt: ['a', 'b'], n: 2, max_tokens: 7 }], '/v1/completions', '28'],
    ['embeddings', [{ model: 'priced', input: [1, 2, 3] }], '/v1/embeddings', '0'],
    [
      'generated content',
      [{ contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 6, candidateCount: 2 } }],
      '/v1beta/models/priced:generateContent',
      '12',
    ],
  ])('covers %s', async (_title, lines, endpoint, output) => {
    const input_file_id = await uploadLines(rig, endpoint, lines);
    const found = await estimate({ input_file_id, endpoint });
    expect(found).toMatchObject({ requests: 1, model: 'priced', output_tokens: Number(output) });
  });

  it('covers images and videos', async () => {
    const input_file_id = await uploadLines(rig, '/v1/videos', [{ model: 'video', prompt: 'a kite', seconds: '4' }]);
    expect(await estimate({ input_file_id, endpoint: '/v1/videos' })).toMatchObject({ requests: 1, cost_usd: null });
    const film = await uploadLines(rig, '/v1/videos', [{ model: 'film', prompt: 'a kite', seconds: '4' }]);
    expect(await estimate({ input_file_id: film, endpoint: '/v1/videos' })).toMatchObject({ cost_usd: 2 });
    const endpoint = '/v1/images/generations';
    const images = await uploadLines(rig, endpoint, [{ model: 'picture', prompt: 'a kite', n: 3 }]);
    expect(await estimate({ input_file_id: images, endpoint })).toMatchObject({ cost_usd: 0.75 });
    const invalid = await uploadLines(rig, '/v1/videos', [{ model: 'video', prompt: 'a kite', seconds: 'x' }]);
    expect(await estimate({ input_file_id: invalid, endpoint: '/v1/videos' })).toMatchObject({
      error: { code: 'invalid_request', param: 'seconds', message: expect.stringMatching(/^Line 1: seconds/) },
    });
  });

  it.each<[string, object, string, RegExp]>([
    [
      'an unknown model',
      { model: 'no-model', messages },
      'model_not_found',
      /^Line 1: Model `no-model` does not exist/,
    ],
    ['a missing model', { messages }, 'invalid_request', /^Line 1: body.model is required/],
    ['a streamed request', { model: 'priced', stream: true }, 'invalid_request', /^Line 1: /],
  ])('refuses %s', async (_title, body, code, message) => {
    const input_file_id = await uploadLines(rig, CHAT, [body]);
    expect(await estimate({ input_file_id })).toMatchObject({
      error: { code, message: expect.stringMatching(message) },
    });
  });

  it('refuses a model that the key may not use', async () => {
    const headers = { authorization: `Bearer ${KEYS.carol}` };
    const input_file_id = await uploadLines(rig, CHAT, bodies, { headers });
    expect(await estimate({ input_file_id }, KEYS.carol)).toMatchObject({ error: { code: 'model_not_allowed' } });
  });

  it('fails a batch that the budget of the key cannot cover', async () => {
    const headers = { authorization: `Bearer ${KEYS.bob}` };
    const expensive = Array.from({ length: 8 }, () => bodies[0] ?? {});
    const input_file_id = await uploadLines(rig, CHAT, expensive, { headers });
    expect(await estimate({ input_file_id }, KEYS.bob)).toMatchObject({
      budget: { limit_usd: 1, remaining_usd: 1 },
      exceeds: ['budget'],
    });
    const { id } = await bob.batches.create({ ...window, input_file_id, endpoint: CHAT });
    const batch = await ended(id, bob);
    expect(batch).toMatchObject({ status: 'failed', errors: { data: [{ code: 'insufficient_quota' }] } });
  });
});
