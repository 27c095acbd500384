import { openRedis } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { type BatchesApi, CHAT, messages, startBatchesApi, window } from '../../test/batches/batches-api.ts';
import { uploadFile, uploadLines } from '../../test/batches/batches-rig.ts';
import { MODELS, respondWith } from '../../test/vendor.ts';

const refusal = (status: number, code: string, param?: string) =>
  expect.objectContaining({ status, code, ...(param !== undefined && { param }) });

let api: BatchesApi;
beforeAll(async () => {
  api = await startBatchesApi();
});
afterAll(() => api.close());

async function linesOf(id: string | undefined): Promise<Record<string, unknown>[]> {
  const text = await (await api.openai.files.content(id ?? '')).text();
  // The cast is safe because the file contains JSON objects.
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('/v1/batches with the OpenAI SDK', () => {
  it('runs the requests of a file, and returns their results', async () => {
    const bodies = [
      { model: MODELS.messages, messages },
      { model: MODELS.messages, messages, temperature: 'hot' },
    ];
    const input_file_id = await uploadLines(api.rig, CHAT, bodies);
    const metadata = { team: 'search' };
    const created = await api.openai.batches.create({ ...window, input_file_id, endpoint: CHAT, metadata });
    expect(created).toMatchObject({ object: 'batch', status: 'validating', endpoint: CHAT, metadata, errors: null });
    expect(created.expires_at).toBe(created.created_at + 24 * 3_600);

    const batch = await api.ended(created.id);
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
    for await (const { id } of api.openai.batches.list({ limit: 1 })) listed.push(id);
    expect(listed).toContain(created.id);
    await expect(api.openai.batches.cancel(created.id)).rejects.toEqual(refusal(409, 'batch_conflict'));
    const deleted = await api.rig.call(`/v1/batches/${created.id}`, { method: 'DELETE' });
    expect(await deleted.json()).toEqual({ id: created.id, object: 'batch', deleted: true });
    await expect(api.openai.files.retrieve(batch.output_file_id ?? '')).rejects.toEqual(refusal(404, 'file_not_found'));
    expect((await api.openai.files.retrieve(input_file_id)).purpose).toBe('batch');
    await expect(api.openai.batches.retrieve(created.id)).rejects.toEqual(refusal(404, 'batch_not_found'));
  });

  it('pauses, resumes, prioritizes, and cancels a batch', async () => {
    const input_file_id = await uploadLines(api.rig, CHAT, [{ model: MODELS.messages, messages }]);
    const arrived = new Promise<() => void>((resolve) => {
      api.vendor.script = (request, response) => resolve(() => respondWith('late')(request, response));
    });
    const { id } = await api.openai.batches.create({ ...window, input_file_id, endpoint: CHAT });
    const change = async (body: object) => (await api.rig.post(`/v1/batches/${id}`, body)).json();
    expect(await change({ paused: true, priority: 7 })).toMatchObject({ id, paused: true, priority: 7 });
    expect(await change({ paused: false })).toMatchObject({ paused: false, priority: 7 });
    const respond = await arrived;
    api.vendor.script = respondWith('hello');
    expect((await api.openai.batches.cancel(id)).status).toBe('cancelling');
    respond();
    const batch = await api.ended(id);
    expect(batch).toMatchObject({ status: 'cancelled', request_counts: { total: 1, completed: 1, failed: 0 } });
    expect(batch.cancelled_at).toBeGreaterThan(0);
  });

  it('creates tasks whose links have the origin of the creation', async () => {
    const endpoint = '/v1/videos';
    const input_file_id = await uploadLines(api.rig, endpoint, [{ model: 'film', prompt: 'a kite', seconds: '4' }]);
    const create = { ...window, input_file_id, endpoint } as const;
    const key = { 'idempotency-key': 'of-one-batch' };
    const proxied = { 'x-forwarded-host': 'sluice.example', 'x-forwarded-proto': 'https' };
    const { id } = await api.openai.batches.create(create, { headers: { ...key, ...proxied } });
    expect(await api.openai.batches.create(create, { headers: key })).toMatchObject({ id });
    await api.ended(id);
    const [video = ''] = await api.rig.taskIds();
    expect(await api.rig.tasks.engine.find('alice', video)).toMatchObject({ origin: 'https://sluice.example' });
  });

  it('names the invalid lines of a file, and sends no request', async () => {
    const sent = api.vendor.requests.length;
    const line = { custom_id: 'a', method: 'POST', url: CHAT, body: { model: MODELS.messages, messages } };
    const text = [JSON.stringify(line), '{', JSON.stringify({ ...line, url: '/v1/embeddings' })].join('\n');
    const input_file_id = await uploadFile(api.rig, text);
    const { id } = await api.openai.batches.create({ ...window, input_file_id, endpoint: CHAT });
    const batch = await api.ended(id);
    expect(batch.status).toBe('failed');
    expect(batch.errors?.data?.map(({ line: number }) => number)).toEqual([2, 3]);
    expect(api.vendor.requests).toHaveLength(sent);
  });

  it('is not shown to other keys', async () => {
    const input_file_id = await uploadLines(api.rig, CHAT, [{ model: MODELS.messages, messages }]);
    const { id } = await api.openai.batches.create({ ...window, input_file_id, endpoint: CHAT });
    const missing = refusal(404, 'batch_not_found');
    await expect(api.bob.batches.retrieve(id)).rejects.toEqual(missing);
    await expect(api.bob.batches.cancel(id)).rejects.toEqual(missing);
    const ofFile = api.bob.batches.create({ ...window, input_file_id, endpoint: CHAT });
    await expect(ofFile).rejects.toEqual(refusal(404, 'file_not_found'));
    await api.ended(id);
  });
});

/** Counts the files that were written from the bodies of creations. */
async function inputsOfBodies(): Promise<number> {
  const { data } = await api.openai.files.list({ limit: 100 });
  return data.filter(({ filename }) => filename === 'requests.jsonl').length;
}

it.each([
  ['OpenAI', '/v1/batches'],
  ['Anthropic', '/v1/messages/batches'],
  ['Google', `/v1beta/models/${MODELS['chat-completions']}:batchGenerateContent`],
])('creates a batch once for an Idempotency-Key in the format of %s', async (format, path) => {
  const input_file_id = await uploadLines(api.rig, CHAT, [{ model: MODELS['chat-completions'], messages }]);
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
    const reply = await api.rig.post(path, bodyOf(priority), { headers });
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
  for (const { id } of (await api.openai.batches.list({ limit: 100 })).data) await api.ended(id);
});

const carol = () => api.openai.withOptions({ apiKey: KEYS.carol });

describe('a creation whose outcome the client does not know', () => {
  const path = '/v1/messages/batches';
  const authorization = `Bearer ${KEYS.carol}`;
  const body = { requests: [{ custom_id: 'a', params: { model: MODELS.messages, max_tokens: 10, messages } }] };
  const create = (key: object) =>
    api.rig.post(path, body, { headers: { authorization, 'anthropic-version': '2023-06-01', ...key } });

  /** Lets the script that creates a batch fail after it has recorded the batch. */
  async function failAfterRecord(key: object): Promise<Response> {
    const redis = openRedis(api.rig.tasks.redisUrl);
    const ready = `{${api.rig.config.redis.prefix}}:batches:ready:carol`;
    await redis.set(ready, 'not a sorted set');
    const reply = await create(key);
    await redis.del(ready);
    redis.disconnect();
    expect(reply.status).toBe(503);
    return reply;
  }

  it('runs when the client repeats it with its Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'lost' };
    await failAfterRecord(key);
    const repeated = await create(key);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    const { id } = (await repeated.json()) as { id: string }; // The cast is safe because every batch has an id.
    // The change lets workers find the batch, whose creation was not completed.
    await api.rig.post(`/v1/batches/${id}`, { priority: 1 }, { headers: { authorization } });
    expect(await api.ended(id, carol())).toMatchObject({ status: 'completed', request_counts: { completed: 1 } });
    expect((await carol().files.list({ purpose: 'batch' })).data).toHaveLength(1);
  });

  it('never runs if it has no key', async () => {
    const before = (await carol().files.list()).data.length;
    await failAfterRecord({});
    expect((await carol().files.list()).data).toHaveLength(before);
  });
});

it('shows the cost of the responses, but not of tasks', async () => {
  const input_file_id = await uploadLines(api.rig, CHAT, [{ model: MODELS.messages, messages }]);
  const { id } = await api.openai.batches.create({ ...window, input_file_id, endpoint: CHAT });
  // The worker of this rig does not report costs.
  expect(await api.ended(id)).toMatchObject({ cost_usd: 0, estimated_cost_usd: null });
  const endpoint = '/v1/videos';
  const films = await uploadLines(api.rig, endpoint, [{ model: 'film', prompt: 'a kite', seconds: '4' }]);
  const batch = await api.openai.batches.create({ ...window, input_file_id: films, endpoint });
  expect(await api.ended(batch.id)).toMatchObject({ cost_usd: null });
});
