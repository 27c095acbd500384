import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at, type WireResponse, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
const DAY_MS = 24 * 3600 * 1000;
const VIDEO = '/services/aigc/video-generation/video-synthesis';
const IMAGE_RULES = '/services/aigc/text2image/image-synthesis';
const SYNCHRONOUS = '/services/aigc/multimodal-generation/generation';
const ASYNC = { 'x-dashscope-async': 'enable' };
let clock = START;
let sandbox: RunningSandbox;

async function serve(settings: SandboxSettings = {}): Promise<void> {
  sandbox = await startSandbox({ renderMs: 1000, now: () => clock, visibleAfterMs: 0, ...settings });
}
beforeEach(async () => {
  clock = START;
  await serve();
});
afterEach(() => sandbox.close());

const call = wireCaller(() => `${sandbox.url}/dashscope/api/v1`, { authorization: 'Bearer sk-sandbox' });

function video(prompt: string, headers: Record<string, string> = ASYNC): Promise<WireResponse> {
  const body = { model: 'wan2.6-t2v', input: { prompt }, parameters: { size: '1280*720', duration: 2 } };
  return call('POST', VIDEO, body, headers);
}

function paint(prompt: string, n = 2): Promise<WireResponse> {
  const parameters = { n, size: '512*512' };
  return call('POST', IMAGE_RULES, { model: 'wan2.2-t2i-flash', input: { prompt }, parameters }, ASYNC);
}

function generate(text: string, headers: Record<string, string> = {}): Promise<WireResponse> {
  const input = { messages: [{ role: 'user', content: [{ text }] }] };
  return call('POST', SYNCHRONOUS, { model: 'qwen-image-2.0', input, parameters: { n: 2, size: '512*512' } }, headers);
}

async function task(submission: Promise<WireResponse>): Promise<() => Promise<WireResponse>> {
  const id = String(at((await submission).body, 'output.task_id'));
  return () => call('GET', `/tasks/${id}`);
}

describe('the key', () => {
  it.each([
    ['POST', VIDEO],
    ['POST', SYNCHRONOUS],
    ['GET', '/tasks/1'],
    ['POST', '/tasks/1/cancel'],
  ])('is required for %s %s', async (method, path) => {
    for (const [authorization, message] of [
      ['', 'No API-key provided.'],
      ['Bearer sk-other', 'Invalid API-key provided.'],
    ] as const) {
      const { status, body } = await call(method, path, method === 'POST' ? {} : undefined, { authorization });
      expect([status, body]).toEqual([401, { code: 'InvalidApiKey', message, request_id: expect.any(String) }]);
    }
  });
});

describe('a video', () => {
  it('goes from pending to succeeded with a URL that expires after a day', async () => {
    const submitted = await video('kite');
    expect(submitted.body).toEqual({
      request_id: expect.any(String),
      output: { task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), task_status: 'PENDING' },
    });
    const poll = await task(Promise.resolve(submitted));
    const words: unknown[] = [];
    for (const step of [0, 500, 500]) {
      clock += step;
      words.push(at((await poll()).body, 'output.task_status'));
    }
    expect(words).toEqual(['PENDING', 'RUNNING', 'SUCCEEDED']);
    const url = String(at((await poll()).body, 'output.video_url'));
    const file = await fetch(url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(Buffer.from(await file.bytes()).toString('latin1', 4, 8)).toBe('ftyp');
    clock += DAY_MS;
    expect((await fetch(url)).status).toBe(403);
    expect((await poll()).body.output).toMatchObject({ task_status: 'UNKNOWN' });
  });

  it('is always a task', async () => {
    const { status, body } = await video('kite', {});
    const message = 'current user api does not support synchronous calls.';
    expect([status, body]).toMatchObject([403, { code: 'AccessDenied', message }]);
  });

  it.each([
    ['a model that is not there', VIDEO, { model: 'wan9-t2v', input: { prompt: 'kite' } }, 'Model not exist.'],
    ['a model of another path', VIDEO, { model: 'wan2.2-kf2v-flash', input: {} }, 'url error, please check url!'],
    ['a model of images', VIDEO, { model: 'qwen-image', input: {} }, 'url error, please check url!'],
    ['no model', VIDEO, { input: { prompt: 'kite' } }, 'Required parameter "model" missing from request.'],
    ['no input', VIDEO, { model: 'wan2.6-t2v' }, 'Required input parameter missing from request.'],
    ['no object', VIDEO, [], 'Required body invalid, please check the request body format.'],
    ['half of one', VIDEO, '{"model":', 'Required body invalid, please check the request body format.'],
    ['images of another way', IMAGE_RULES, { model: 'qwen-image-edit', input: {} }, 'url error, please check url!'],
  ])('rejects %s', async (_name, path, body, message) => {
    const response = await call('POST', path, body, ASYNC);
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(message);
  });

  it('is canceled while pending, and remains visible', async () => {
    const poll = await task(video('kite'));
    const cancel = async () => call('POST', `/tasks/${String(at((await poll()).body, 'output.task_id'))}/cancel`);
    expect(await cancel()).toMatchObject({ status: 200, body: { request_id: expect.any(String) } });
    expect((await poll()).body.output).toMatchObject({ task_status: 'CANCELED' });
    expect(await cancel()).toMatchObject({ status: 400, body: { code: 'UnsupportedOperation' } });
    const running = await task(video('boat'));
    clock += 500;
    const id = String(at((await running()).body, 'output.task_id'));
    expect(await call('POST', `/tasks/${id}/cancel`)).toMatchObject({
      status: 400,
      body: { code: 'UnsupportedOperation' },
    });
    const counts: unknown = await (await fetch(`${sandbox.url}/_sandbox/submissions?wire=dashscope`)).json();
    expect(counts).toMatchObject({
      submissions: [
        { task: 'kite', canceled: 1 },
        { task: 'boat', canceled: 0 },
      ],
    });
  });

  it('waits if the account is at its limit', async () => {
    await sandbox.close();
    await serve({ concurrency: { dashscope: 1 } });
    await video('kite');
    const poll = await task(video('boat'));
    clock += 1050;
    expect((await poll()).body.output).toMatchObject({ task_status: 'PENDING' });
    clock += 1000;
    expect((await poll()).body.output).toMatchObject({ task_status: 'SUCCEEDED' });
  });

  it('is unknown at first, and for invalid ids', async () => {
    await sandbox.close();
    await serve({ visibleAfterMs: 200 });
    const poll = await task(video('kite'));
    expect(await poll()).toMatchObject({ status: 200, body: { output: { task_status: 'UNKNOWN' } } });
    clock += 200;
    expect((await poll()).body.output).toMatchObject({ task_status: 'RUNNING' });
    const unknownTask = await call('GET', '/tasks/nonsense');
    expect(unknownTask.body).toEqual({
      request_id: expect.any(String),
      output: { task_id: 'nonsense', task_status: 'UNKNOWN' },
    });
    expect(await call('GET', '/nonsense')).toMatchObject({ status: 400, body: { code: 'InvalidURL' } });
  });
});

describe('directives', () => {
  it.each([
    ['[moderation]', [400, 'DataInspectionFailed']],
    ['[refused]', [400, 'InvalidParameter']],
    ['[balance]', [400, 'Arrearage']],
    ['[429]', [429, 'Throttling.RateQuota']],
    ['[503]', [503, 'ModelUnavailable']],
  ])('%s at a submission', async (word, expected) => {
    const { status, body } = await video(`kite ${word}`);
    expect([status, body.code]).toEqual(expected);
  });

  it('[500] and [garbage] at a poll', async () => {
    const broken = await task(video('kite [500]'));
    expect(await broken()).toMatchObject({ status: 500, body: { code: 'InternalError' } });
    const garbled = await task(video('kite [garbage]'));
    expect((await garbled()).body.output).toMatchObject({ task_status: 'REVIEWING' });
  });

  it('[expire-once] returns a new URL at the next request', async () => {
    const poll = await task(video('kite [expire-once]'));
    clock += 1000;
    const download = async () => (await fetch(String(at((await poll()).body, 'output.video_url')))).status;
    expect([await download(), await download()]).toEqual([403, 200]);
  });
});

describe('images', () => {
  it('of a prompt are a task whose parts may fail', async () => {
    const poll = await task(paint('kite [partial]', 3));
    clock += 1000;
    const { body } = await poll();
    expect(body.output).toMatchObject({
      task_status: 'SUCCEEDED',
      results: [{ url: expect.any(String) }, { url: expect.any(String) }, { code: 'InternalError.Algo' }],
      task_metrics: { TOTAL: 3, SUCCEEDED: 2, FAILED: 1 },
    });
    const file = await fetch(String(at(body, 'output.results.1.url')));
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('of messages are returned when they are finished, and are not tasks', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ renderMs: 40 });
    const begin = Date.now();
    const { status, body } = await generate('kite');
    expect([status, Date.now() - begin >= 39]).toEqual([200, true]);
    expect(body).toMatchObject({ usage: { width: 512, height: 512, image_count: 2 } });
    const file = await fetch(String(at(body, 'output.choices.0.message.content.1.image')));
    expect(Buffer.from(await file.bytes()).toString('latin1', 1, 4)).toBe('PNG');
    const counts: unknown = await (await fetch(`${sandbox.url}/_sandbox/submissions`)).json();
    const id = String(at(counts, 'submissions.0.upstream_ids.0'));
    expect((await call('GET', `/tasks/${id}`)).body.output).toMatchObject({ task_status: 'UNKNOWN' });
  });

  it('of messages are never a task', async () => {
    const message = 'current user api does not support asynchronous calls.';
    expect(await generate('kite', ASYNC)).toMatchObject({ status: 403, body: { code: 'AccessDenied', message } });
  });

  it.each([
    ['[fail]', 500, 'InternalError.Algo'],
    ['[moderated-output]', 400, 'DataInspectionFailed'],
    ['[moderation]', 400, 'DataInspectionFailed'],
  ])('of messages are rejected with %s', async (word, status, code) => {
    await sandbox.close();
    sandbox = await startSandbox({ renderMs: 0 });
    expect(await generate(`kite ${word}`)).toMatchObject({ status, body: { code } });
  });
});
