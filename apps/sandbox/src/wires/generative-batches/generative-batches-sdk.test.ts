import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type BatchJob, GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const MODEL = 'gemini-2.5-flash';
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 20 });
});
afterAll(() => sandbox.close());

/** Below `/v1`, OpenAI's API has the same paths. */
const client = () =>
  new GoogleGenAI({ apiKey: 'sk-sandbox', apiVersion: 'v1beta', httpOptions: { baseUrl: sandbox.url } });

function create(texts: readonly string[], displayName = 'a batch'): Promise<BatchJob> {
  const src = texts.map((text) => ({ contents: [{ role: 'user', parts: [{ text }] }], metadata: { key: text } }));
  return client().batches.create({ model: MODEL, src, config: { displayName } });
}

async function upload(lines: readonly string[]): Promise<string> {
  const file = new Blob([lines.join('\n')], { type: 'application/jsonl' });
  const uploaded = await client().files.upload({
    file,
    config: { displayName: 'lines', mimeType: 'application/jsonl' },
  });
  return uploaded.name ?? '';
}

async function ended(name = ''): Promise<BatchJob> {
  for (;;) {
    const batch = await client().batches.get({ name });
    if (!/PENDING|RUNNING/.test(batch.state ?? '')) return batch;
    await sleep(5);
  }
}

async function lineCalls(name = ''): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/_sandbox/batches`);
  const { batches } = (await response.json()) as { batches: { upstream_ids: string[]; line_calls: number }[] };
  return batches.find(({ upstream_ids: ids }) => ids.includes(name.slice('batches/'.length)))?.line_calls;
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    return error instanceof ApiError ? error.status : 'disconnected';
  }
}

const line = (key: string, text: string) =>
  JSON.stringify({ key, request: { model: `models/${MODEL}`, contents: [{ role: 'user', parts: [{ text }] }] } });

describe('batches of Gemini', () => {
  it('return the results of requests in the body in order, with their metadata', async () => {
    const { name, state } = await create(['one', 'two [context]', 'three']);
    expect(state).toBe('JOB_STATE_PENDING');
    const batch = await ended(name);
    expect(batch).toMatchObject({ state: 'JOB_STATE_SUCCEEDED', model: `models/${MODEL}`, displayName: 'a batch' });
    expect(batch.dest?.inlinedResponses).toMatchObject([
      { response: { candidates: [{ content: { parts: [{ text: 'You said: one' }] } }] }, metadata: { key: 'one' } },
      { error: { code: 3 } },
      { response: {}, metadata: { key: 'three' } },
    ]);
    expect(await lineCalls(name)).toBe(3);
  });

  it('read a file, and write one', async () => {
    const fileName = await upload([line('a', 'one'), line('b', 'two [cut]')]);
    expect(await client().files.get({ name: fileName })).toMatchObject({
      name: fileName,
      displayName: 'lines',
      state: 'ACTIVE',
    });
    const { name } = await client().batches.create({
      model: MODEL,
      src: { fileName },
      config: { displayName: 'file' },
    });
    const { dest } = await ended(name);
    const response = await fetch(`${sandbox.url}/download/v1beta/${dest?.fileName}:download?alt=media&key=sk-sandbox`);
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as object);
    expect(lines).toHaveLength(2);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: 'a', response: expect.anything() }),
        expect.objectContaining({ key: 'b', error: expect.objectContaining({ code: 13 }) }),
      ]),
    );
    await client().files.delete({ name: fileName });
    expect(await failure(client().files.get({ name: fileName }))).toBe(403);
  });

  it('fail if a line is no request, and are refused without a source', async () => {
    const fileName = await upload([line('a', 'one'), '{']);
    const { name } = await client().batches.create({ model: MODEL, src: { fileName }, config: { displayName: 'bad' } });
    expect(await ended(name)).toMatchObject({ state: 'JOB_STATE_FAILED' });
    const missing = { model: MODEL, src: { fileName: 'files/missing' }, config: { displayName: 'bad' } };
    expect(await failure(client().batches.create(missing))).toBe(404);
    expect(await failure(client().batches.create({ model: MODEL, src: [], config: { displayName: 'bad' } }))).toBe(400);
    expect(await failure(client().batches.get({ name: 'batches/missing' }))).toBe(404);
  });

  it('are listed, and deleted', async () => {
    const names = [];
    for (const text of ['x', 'y', 'z']) names.unshift((await create([text])).name);
    const pager = await client().batches.list({ config: { pageSize: 2 } });
    expect(pager.page.map(({ name }) => name)).toEqual(names.slice(0, 2));
    expect((await pager.nextPage())[0]?.name).toBe(names[2]);
    await ended(names[0]);
    await client().batches.delete({ name: names[0] ?? '' });
    expect(await failure(client().batches.get({ name: names[0] ?? '' }))).toBe(404);
  });

  it.each([
    ['stall', 'JOB_STATE_CANCELLED'],
    ['expire', 'JOB_STATE_EXPIRED'],
    ['fail', 'JOB_STATE_FAILED'],
  ])('have no results after [batch:%s]', async (word, state) => {
    const { name = '' } = await create([`one [batch:${word}]`, 'two']);
    if (word === 'stall') {
      await expect.poll(() => lineCalls(name)).toBe(1);
      await client().batches.cancel({ name });
    }
    const batch = await ended(name);
    expect([batch.state, batch.dest]).toEqual([state, undefined]);
  });

  it('apply the directives of creations and polls', async () => {
    expect(await failure(create(['[batch:lost-reply]'], 'lost'))).toBe('disconnected');
    const [found] = (await client().batches.list()).page;
    expect(found?.displayName).toBe('lost');
    expect(await failure(create(['[batch:429]']))).toBe(429);
    expect(await failure(create(['[batch:503]']))).toBe(503);
    const { name = '' } = await create(['[batch:500]']);
    expect(await failure(client().batches.get({ name }))).toBe(500);
  });
});
