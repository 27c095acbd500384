import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at, imageUrl, wireCaller } from '../../../test/wire-caller.ts';
import { measureImage } from '../../media/image/measure-image.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
let clock = START;
let sandbox: RunningSandbox;

async function start(more: SandboxSettings = {}): Promise<void> {
  sandbox = await startSandbox({ renderMs: 1000, now: () => clock, ...more });
}
beforeEach(async () => {
  clock = START;
  await start();
});
afterEach(() => sandbox.close());

const headers = { authorization: 'Bearer sk-sandbox', 'x-runway-version': '2024-11-06' };
const call = wireCaller(() => `${sandbox.url}/runway/v1`, headers);
const video = { model: 'gen4.5', ratio: '720:1280', duration: 2 };
const submit = (promptText: string) => call('POST', '/text_to_video', { ...video, promptText });
const idOf = async (promptText: string) => String((await submit(promptText)).body['id']);
const poll = async (id: string) => (await call('GET', `/tasks/${id}`)).body;

async function ended(promptText: string): Promise<Record<string, unknown>> {
  const id = await idOf(promptText);
  clock += 1000;
  return poll(id);
}

describe('a task', () => {
  it('goes from the queue to its output', async () => {
    const id = await idOf('kite');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect((await call('GET', `/tasks/${id}`)).status).toBe(404);
    const head = { id, createdAt: '2026-01-02T03:04:05.000Z' };
    clock = START + 50;
    expect(await poll(id)).toEqual({ ...head, status: 'PENDING', estimatedCost: { credits: 10 } });
    clock = START + 420;
    expect(await poll(id)).toEqual({ ...head, status: 'RUNNING', estimatedCost: { credits: 10 }, progress: 0.42 });
    clock = START + 1000;
    const done = await poll(id);
    expect(done).toEqual({ ...head, status: 'SUCCEEDED', cost: { credits: 10 }, output: [expect.any(String)] });
    const file = Buffer.from(await (await fetch(String(at(done, 'output.0')))).bytes());
    const entry = file.indexOf('avc1', file.indexOf('stsd')) + 28;
    expect([file.readUInt16BE(entry), file.readUInt16BE(entry + 2)]).toEqual([720, 1280]);
  });

  it('returns new URLs at every request, which expire after a day', async () => {
    const id = await idOf('kite');
    clock = START + 1000;
    const first = String(at(await poll(id), 'output.0'));
    clock = START + 1000 + 24 * 3600 * 1000;
    expect((await fetch(first)).status).toBe(403);
    const second = String(at(await poll(id), 'output.0'));
    expect([second === first, (await fetch(second)).status]).toEqual([false, 200]);
  });

  it('generates several images, and returns the finished ones', async () => {
    const params = { model: 'gpt_image_2', promptText: 'kites [partial]', ratio: '1920:1088', outputCount: 3 };
    const { body } = await call('POST', '/text_to_image', params);
    clock += 1000;
    const done = await poll(String(body['id']));
    expect(done).toMatchObject({ cost: { credits: 10 }, output: [expect.any(String), expect.any(String)] });
    const image = measureImage(Buffer.from(await (await fetch(String(at(done, 'output.1')))).bytes()));
    expect(image).toEqual({ mediaType: 'image/png', width: 1920, height: 1088 });
  });

  it('records its input images', async () => {
    const params = { model: 'gen4_turbo', promptText: 'kite', promptImage: imageUrl(64, 36), ratio: '1280:720' };
    await call('POST', '/image_to_video', params);
    const counted: unknown = await (await fetch(`${sandbox.url}/_sandbox/submissions?wire=runway`)).json();
    expect(counted).toMatchObject({
      submissions: [{ applied: 1, inputs: [{ field: 'promptImage', mediaType: 'image/png' }] }],
    });
  });

  it('over the account’s limit is throttled until a slot is free', async () => {
    await sandbox.close();
    await start({ concurrency: { runway: 1 } });
    const [first, second] = [await idOf('kite'), await idOf('boat')];
    clock = START + 500;
    expect([at(await poll(first), 'status'), at(await poll(second), 'status')]).toEqual(['RUNNING', 'THROTTLED']);
    clock = START + 1050;
    expect(at(await poll(second), 'status')).toBe('PENDING');
    clock = START + 2000;
    expect(at(await poll(second), 'status')).toBe('SUCCEEDED');
  });

  it.each([
    ['[fail]', { status: 'FAILED', failureCode: 'INTERNAL.BAD_OUTPUT.CODE01', cost: { credits: 0 } }],
    ['[moderation]', { status: 'FAILED', failureCode: 'SAFETY.INPUT.TEXT' }],
    ['[moderated-output]', { status: 'FAILED', failureCode: 'SAFETY.OUTPUT.VIDEO', failure: expect.any(String) }],
    ['[nothing]', { status: 'SUCCEEDED', output: [] }],
    ['[stall]', { status: 'RUNNING', progress: 0.5 }],
    ['[500]', { error: 'Internal server error' }],
    ['[garbage]', { status: 'NOT_START' }],
  ])('with %s ends with %j', async (word, body) => {
    expect(await ended(`kite ${word}`)).toMatchObject(body);
  });

  it('with [expire-once] has expired only at first', async () => {
    const id = await idOf('kite [expire-once]');
    clock = START + 1000;
    const statuses = [];
    for (let turn = 0; turn < 2; turn += 1) statuses.push((await fetch(String(at(await poll(id), 'output.0')))).status);
    expect(statuses).toEqual([403, 200]);
  });

  it('is not found after a cancellation or deletion', async () => {
    const finished = await idOf('kite');
    clock += 1000;
    const running = await idOf('boat');
    clock += 100;
    for (const id of [finished, running]) {
      const response = await call('DELETE', `/tasks/${id}`);
      expect([response.status, response.body]).toEqual([204, {}]);
      const missing = await call('GET', `/tasks/${id}`);
      expect([missing.status, missing.body]).toEqual([404, { error: `Task with ID ${id} not found` }]);
    }
    const counted: unknown = await (await fetch(`${sandbox.url}/_sandbox/submissions?wire=runway`)).json();
    expect(counted).toMatchObject({
      submissions: [
        { task: 'kite', canceled: 0 },
        { task: 'boat', canceled: 1 },
      ],
    });
  });
});

describe('a call', () => {
  it.each([
    ['[refused]', 400, 'Validation of body failed'],
    ['[balance]', 400, 'You do not have enough credits to run this task.'],
    ['[429]', 429, 'Too many requests'],
    ['[503]', 503, 'Service temporarily unavailable'],
  ])('with %s is rejected by %i', async (word, status, error) => {
    const response = await submit(`kite ${word}`);
    expect([response.status, response.body['error']]).toEqual([status, error]);
  });

  it.each([
    [{ authorization: '' }, 401, 'API key'],
    [{ authorization: 'Bearer sk-other' }, 401, 'API key'],
    [{ 'x-runway-version': '' }, 400, 'header is required'],
    [{ 'x-runway-version': '2024-09-13' }, 400, 'must be 2024-11-06'],
  ])('with %j is rejected before other checks', async (wrong: Record<string, string>, status, words) => {
    const response = await call('GET', '/tasks/none', undefined, wrong);
    expect([response.status, response.body]).toEqual([status, { error: expect.stringContaining(words) }]);
  });

  it('to an unknown path gets an error in the vendor’s format', async () => {
    expect(await call('POST', '/text_to_song', {})).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(await call('POST', '/text_to_video', '{"model":')).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    });
  });
});
