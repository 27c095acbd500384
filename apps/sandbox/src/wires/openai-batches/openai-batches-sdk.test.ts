import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { APIConnectionError, APIError, AzureOpenAI, toFile } from 'openai';
import type { Batch } from 'openai/resources/batches';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 20 });
});
afterAll(() => sandbox.close());

const client = () => new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox', maxRetries: 0 });

interface Line {
  custom_id: string;
  method: string;
  url: string;
  body: object;
}

function chat(id: string, content: string): Line {
  const body = { model: 'sandbox-chat', messages: [{ role: 'user', content }] };
  return { custom_id: id, method: 'POST', url: '/v1/chat/completions', body };
}

async function upload(lines: readonly (Line | string)[], openai: OpenAI = client()): Promise<string> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const file = await toFile(Buffer.from(text), 'lines.jsonl', { type: 'application/jsonl' });
  return (await openai.files.create({ purpose: 'batch', file })).id;
}

/** Two lines, of which the first has a directive of the batch. */
function two(words: string): Line[] {
  return [chat('a', `hi [batch:${words}]`), chat('b', 'ho')];
}

interface NewBatch {
  endpoint?: Batch['endpoint'];
  task?: string;
  metadata?: Record<string, string>;
}

async function create(lines: readonly (Line | string)[], { endpoint, task, metadata }: NewBatch = {}) {
  const input = await upload(lines);
  return client().batches.create(
    {
      input_file_id: input,
      endpoint: (endpoint ?? '/v1/chat/completions') as '/v1/chat/completions',
      completion_window: '24h',
      metadata: metadata ?? null,
    },
    { headers: { 'x-client-request-id': task } },
  );
}

async function until(id: string, isReached: (batch: Batch) => boolean): Promise<Batch> {
  for (;;) {
    const batch = await client().batches.retrieve(id);
    if (isReached(batch)) return batch;
    await sleep(5);
  }
}

const ended = (id: string) => until(id, ({ status }) => !/validating|in_progress|finalizing|cancelling/.test(status));

/** The results in a file, keyed by the id of their line. */
async function results(file: string | undefined): Promise<Record<string, object>> {
  if (!file) return {};
  const content = await (await client().files.content(file)).text();
  const lines = content.trim().split('\n');
  return Object.fromEntries(
    lines.map((text) => JSON.parse(text) as { custom_id: string }).map((line) => [line.custom_id, line]),
  );
}

async function countsOf(task: string): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(`${sandbox.url}/_sandbox/batches`);
  const { batches } = (await response.json()) as { batches: Record<string, unknown>[] };
  return batches.find((batch) => batch['task'] === task);
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof APIConnectionError) return 'disconnected';
    return error instanceof APIError ? { refused: error.status, code: error.code, param: error.param } : error;
  }
}

describe('files', () => {
  it('are uploaded, read, listed, and deleted', async () => {
    const bytes = Buffer.from('{"a":1}\n{"b":2}\n');
    const file = await client().files.create({ purpose: 'user_data', file: await toFile(bytes, 'a.jsonl') });
    expect(file).toMatchObject({ object: 'file', bytes: bytes.length, filename: 'a.jsonl', purpose: 'user_data' });
    expect(Buffer.from(await (await client().files.content(file.id)).arrayBuffer())).toEqual(bytes);
    expect((await client().files.list({ purpose: 'user_data' })).data).toEqual([file]);
    expect(await client().files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
    expect(await failure(client().files.retrieve(file.id))).toMatchObject({ refused: 404, param: 'id' });
  });

  it('expire as requested', async () => {
    const file = await toFile(Buffer.from('x'), 'x.txt');
    const expiring = { anchor: 'created_at', seconds: 3600 } as const;
    const { created_at: at, expires_at: end } = await client().files.create({
      purpose: 'batch',
      file,
      expires_after: expiring,
    });
    expect(end).toBe(at + 3600);
  });

  it('require a purpose, and a form', async () => {
    const file = await toFile(Buffer.from('x'), 'x.txt');
    expect(await failure(client().files.create({ purpose: 'other' as 'batch', file }))).toMatchObject({
      refused: 400,
      param: 'purpose',
    });
    expect(await failure(client().post('/files', { body: {} }))).toMatchObject({ refused: 400 });
  });
});

describe('batches', () => {
  it('serve each line once, and separate failed lines', async () => {
    const lines = [chat('a', 'one'), chat('b', 'two [context]'), chat('c', 'three [cut]'), chat('d', 'four')];
    const metadata = { sluice: 'batch-1' };
    const { id, status } = await create(lines, { task: 'batch-1', metadata });
    expect(status).toBe('validating');
    const batch = await ended(id);
    expect(batch).toMatchObject({
      status: 'completed',
      model: 'sandbox-chat',
      metadata,
      request_counts: { total: 4, completed: 2, failed: 2 },
      errors: null,
      usage: { input_tokens: 2 },
    });
    const output = await results(batch.output_file_id);
    expect(Object.keys(output).toSorted()).toEqual(['a', 'd']);
    expect(output).toMatchObject({
      a: { error: null, response: { status_code: 200, body: { object: 'chat.completion' } } },
    });
    expect(await results(batch.error_file_id)).toMatchObject({
      b: { error: null, response: { status_code: 400, body: { error: { code: 'context_length_exceeded' } } } },
      c: { error: null, response: { status_code: 500 } },
    });
    expect(await countsOf('batch-1')).toMatchObject({
      applied: 1,
      refused: 0,
      lines: 4,
      line_calls: 4,
      repeated_lines: [],
    });
  });

  it.each([
    ['/v1/responses', { input: 'hi' }, 'response'],
    ['/v1/embeddings', { input: 'hi' }, 'list'],
    ['/v1/moderations', { input: 'hi' }, undefined],
    ['/v1/images/generations', { prompt: 'kite', size: '32x32' }, undefined],
    ['/v1/videos', { prompt: 'kite', size: '32x32', seconds: '1' }, 'video'],
  ] as const)('serve lines of %s', async (url, body, object) => {
    const line = { custom_id: 'a', method: 'POST', url, body: { model: 'sora-2', ...body } };
    const batch = await ended((await create([line], { endpoint: url })).id);
    const response = { status_code: 200, body: object === undefined ? {} : { object } };
    expect(await results(batch.output_file_id)).toMatchObject({ a: { response } });
  });

  it('fail with the lines that are invalid', async () => {
    const other = { ...chat('d', 'x'), url: '/v1/embeddings' };
    const model = { ...chat('e', 'x'), body: { model: 'other' } };
    const { id } = await create([chat('a', 'x'), '{', '', chat('a', 'x'), '{"custom_id":"c"}', other, model]);
    const { status, errors, output_file_id: output } = await ended(id);
    expect([status, output]).toEqual(['failed', null]);
    expect(errors?.data?.map(({ code, line }) => [code, line])).toEqual([
      ['invalid_json_line', 2],
      ['duplicate_custom_id', 4],
      ['invalid_request', 5],
      ['url_mismatch', 6],
      ['model_mismatch', 7],
    ]);
    const { errors: ofEmpty } = await ended((await create(['\n'])).id);
    expect(ofEmpty?.data?.[0]?.code).toBe('empty_batch');
  });

  it('are refused without a file of requests', async () => {
    const params = { endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    expect(await failure(client().batches.create({ ...params, input_file_id: 'file-no' }))).toMatchObject({
      refused: 400,
      param: 'input_file_id',
    });
    const file = await client().files.create({ purpose: 'vision', file: await toFile(Buffer.from('x'), 'x') });
    expect(await failure(client().batches.create({ ...params, input_file_id: file.id }))).toMatchObject({
      refused: 400,
      code: 'invalid_value',
    });
    expect(await failure(client().batches.retrieve('batch_no'))).toMatchObject({ refused: 404, param: 'batch_id' });
  });

  it('are listed, the newest first', async () => {
    const ids = [];
    for (const name of ['x', 'y', 'z']) ids.unshift((await create([chat(name, 'hi')])).id);
    const first = await client().batches.list({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await client().batches.list({ limit: 1, after: ids[1] });
    expect(second.data.map(({ id }) => id)).toEqual([ids[2]]);
  });
});

describe('directives of batches', () => {
  it('[batch:lost-reply] accepts, lists, and runs the batch', async () => {
    expect(await failure(create(two('lost-reply'), { task: 'lost', metadata: { own: 'lost' } }))).toBe('disconnected');
    const found = (await client().batches.list()).data.find(({ metadata }) => metadata?.['own'] === 'lost');
    expect(await ended(found?.id ?? '')).toMatchObject({ status: 'completed', request_counts: { completed: 2 } });
    expect(await countsOf('lost')).toMatchObject({ applied: 1, upstream_ids: [found?.id] });
  });

  it('[batch:late-reply:N] lists the batch before it responds', async () => {
    const late = create(two('late-reply:0.5'), { task: 'late', metadata: { own: 'late' } });
    await expect.poll(() => countsOf('late')).toMatchObject({ applied: 1 });
    const found = (await client().batches.list()).data.find(({ metadata }) => metadata?.['own'] === 'late');
    expect((await late).id).toBe(found?.id);
  });

  it('[batch:lost-request] drops the first creation', async () => {
    expect(await failure(create(two('lost-request'), { task: 'dropped' }))).toBe('disconnected');
    expect(await countsOf('dropped')).toBeUndefined();
    expect(await create(two('lost-request'), { task: 'dropped' })).toMatchObject({ object: 'batch' });
  });

  it.each([
    ['refused', 400, 1],
    ['balance', 429, 1],
    ['429', 429, 2],
    ['503', 503, 1],
  ] as const)('[batch:%s] refuses with %i', async (word, status, times) => {
    for (let call = 0; call < times; call += 1) {
      expect(await failure(create(two(word), { task: word }))).toMatchObject({ refused: status });
    }
    expect(await countsOf(word)).toMatchObject({ applied: 0, refused: times });
    if (word === '429' || word === '503')
      expect(await create(two(word), { task: word })).toMatchObject({ object: 'batch' });
  });

  it('[batch:stall] runs half of the lines until the batch is cancelled', async () => {
    const { id } = await create(two('stall'));
    await until(id, ({ request_counts: counts }) => counts?.completed === 1);
    expect(await client().batches.cancel(id)).toMatchObject({ status: 'cancelling' });
    const batch = await ended(id);
    expect(batch).toMatchObject({ status: 'cancelled', request_counts: { total: 2, completed: 1, failed: 0 } });
    expect(Object.keys(await results(batch.output_file_id))).toEqual(['a']);
    expect(await results(batch.error_file_id)).toMatchObject({ b: { error: { code: 'batch_cancelled' } } });
    expect(await failure(client().batches.cancel(id))).toMatchObject({ refused: 409 });
  });

  it('[batch:expire] ends with partial results', async () => {
    const batch = await ended((await create(two('expire'))).id);
    expect(batch.status).toBe('expired');
    expect(Object.keys(await results(batch.output_file_id))).toEqual(['a']);
    expect(await results(batch.error_file_id)).toMatchObject({
      b: { response: null, error: { code: 'batch_expired' } },
    });
  });

  it('[batch:fail] fails without results', async () => {
    expect(await ended((await create(two('fail'))).id)).toMatchObject({ status: 'failed', output_file_id: null });
  });

  it('[batch:500] fails two polls, and [batch:cut] two downloads', async () => {
    const { id } = await create(two('500][batch:cut'));
    const calls = [];
    for (let call = 0; call < 3; call += 1) calls.push(await failure(client().batches.retrieve(id)));
    expect(calls).toMatchObject([{ refused: 500 }, { refused: 500 }, { id }]);
    const { output_file_id: output } = await ended(id);
    expect(await failure(results(output))).toBeInstanceOf(Error);
    expect(await failure(results(output))).toBeInstanceOf(Error);
    expect(Object.keys(await results(output)).toSorted()).toEqual(['a', 'b']);
  });
});

describe('Azure', () => {
  it('serves the same calls, and accepts URLs without a version', async () => {
    const azure = new AzureOpenAI({
      endpoint: `${sandbox.url}/azure`,
      apiVersion: '2025-04-01-preview',
      apiKey: 'sk-sandbox',
      maxRetries: 0,
    });
    const input = await upload([{ ...chat('a', 'hi'), url: '/chat/completions' }], azure);
    const endpoint = '/chat/completions' as '/v1/chat/completions';
    const { id } = await azure.batches.create({ input_file_id: input, endpoint, completion_window: '24h' });
    expect((await azure.batches.list({ limit: 1 })).data.map((batch) => batch.id)).toEqual([id]);
    expect(await ended(id)).toMatchObject({ status: 'completed', request_counts: { completed: 1 } });
  });
});
