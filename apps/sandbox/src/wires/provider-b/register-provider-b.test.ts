import { createHash, createHmac } from 'node:crypto';
import volc from '@volcengine/openapi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
const HOUR_MS = 3600 * 1000;
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

interface Completion {
  status: number;
  body: Record<string, unknown>;
  data: Record<string, unknown>;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function refusalIn({ status, body }: Completion): unknown[] {
  return [status, Object(body.ResponseMetadata).Error?.Code];
}

/** Signs as the documentation describes, without the sandbox's own code. */
function signed(query: string, body: string, secret = 'sk-sandbox'): Record<string, string> {
  const xDate = new Date(clock).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = xDate.slice(0, 8);
  const own = { host: new URL(sandbox.url).host, 'x-content-sha256': sha256(body), 'x-date': xDate };
  const lines = Object.entries(own).map(([name, value]) => `${name}:${value}\n`);
  const names = Object.keys(own).join(';');
  const request = ['POST', '/', query, lines.join(''), names, sha256(body)].join('\n');
  const scope = `${day}/cn-north-1/cv/request`;
  const key = [day, 'cn-north-1', 'cv', 'request'].reduce<string | Buffer>(hmac, secret);
  const signature = hmac(key, ['HMAC-SHA256', xDate, scope, sha256(request)].join('\n')).toString('hex');
  const authorization = `HMAC-SHA256 Credential=ak-sandbox/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...own, authorization };
}

async function post(
  query: string,
  body: string,
  more: Record<string, string> = {},
  secret?: string,
): Promise<Completion> {
  const headers = { 'content-type': 'application/json', ...signed(query, body, secret), ...more };
  const response = await fetch(`${sandbox.url}/?${query}`, { method: 'POST', headers, body });
  const read: unknown = await response.json();
  return { status: response.status, body: Object(read), data: Object(Object(read).data) };
}

const call = (action: string, body: object) =>
  post(`Action=CVSync2Async${action}&Version=2022-08-31`, JSON.stringify(body));
const submit = (prompt: string, more: object = {}) =>
  call('SubmitTask', { req_key: 'jimeng_t2v_v30', prompt, ...more });

async function submitted(prompt: string, more: { req_key?: string } = {}, query: object = {}) {
  const { req_key = 'jimeng_t2v_v30' } = more;
  const { data } = await submit(prompt, more);
  return () => call('GetResult', { req_key, task_id: data.task_id, ...query });
}

describe('Jimeng’s API', () => {
  it('generates a video: submit, poll, download within an hour', async () => {
    const { status, body, data } = await submit('kite');
    expect([status, body]).toEqual([
      200,
      {
        code: 10_000,
        data: { task_id: expect.stringMatching(/^[1-9]\d{18}$/) },
        message: 'Success',
        request_id: expect.stringMatching(/^req_/),
        status: 10_000,
        time_elapsed: expect.stringMatching(/ms$/),
      },
    ]);
    const poll = () => call('GetResult', { req_key: 'jimeng_t2v_v30', task_id: data.task_id });
    expect((await poll()).data).toEqual({ status: 'in_queue' });
    clock += 500;
    expect((await poll()).data).toEqual({ status: 'generating' });
    clock += 500;
    const done = await poll();
    expect([done.body.code, done.data.status]).toEqual([10_000, 'done']);
    const url = String(done.data.video_url);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp');
    clock += HOUR_MS;
    expect((await fetch(url)).status).toBe(403);
    clock += 11 * HOUR_MS;
    expect((await poll()).data).toEqual({ status: 'expired' });
  });

  it('generates a video from an image', async () => {
    const image = renderImage({ prompt: 'kite', width: 320, height: 320 }).toString('base64');
    const more = { req_key: 'jimeng_i2v_first_v30', binary_data_base64: [image] };
    expect((await submit('kite', more)).body.code).toBe(10_000);
    expect((await submit('kite', { req_key: 'jimeng_i2v_first_v30' })).body.code).toBe(50_215);
  });

  it('generates images, as URLs for a day or as base64', async () => {
    const more = { req_key: 'jimeng_t2i_v40', size: 1024 ** 2 };
    const urls = await submitted('画2张图', more, { req_json: '{"return_url":true}' });
    const bytes = await submitted('画2张图', more);
    clock += 1000;
    const imageUrls: unknown[] = Object((await urls()).data).image_urls;
    const [first, second] = await Promise.all(imageUrls.map(async (url) => (await fetch(String(url))).arrayBuffer()));
    expect(imageUrls).toHaveLength(2);
    const { image_urls, binary_data_base64 } = (await bytes()).data;
    expect(image_urls).toBeNull();
    expect(binary_data_base64).toEqual(
      [first, second].map((file) => Buffer.from(file ?? new ArrayBuffer()).toString('base64')),
    );
    clock += 24 * HOUR_MS;
    expect((await fetch(String(imageUrls[0]))).status).toBe(403);
  });

  it('finds a job only by its req_key, and reports unknown jobs', async () => {
    const { data } = await submit('kite');
    const wrong = await call('GetResult', { req_key: 'jimeng_t2v_v30_1080p', task_id: data.task_id });
    expect([wrong.status, wrong.body.code, wrong.body.data]).toEqual([400, 50_215, null]);
    const unknownTask = await call('GetResult', { req_key: 'jimeng_t2v_v30', task_id: '1' });
    expect([unknownTask.status, unknownTask.body.code, unknownTask.data]).toEqual([
      200,
      10_000,
      { status: 'not_found' },
    ]);
  });

  it('does not find a new job at first', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ renderMs: 1000, now: () => clock });
    const poll = await submitted('kite');
    clock += 49;
    expect((await poll()).data).toEqual({ status: 'not_found' });
    clock += 1;
    expect((await poll()).data).toEqual({ status: 'in_queue' });
  });

  it.each([
    ['Version=2022-08-31', 400, 'MissingParameter'],
    ['Action=CVSync2AsyncSubmitTask', 400, 'MissingParameter'],
    ['Action=CVSubmitTask&Version=2022-08-31', 404, 'InvalidActionOrVersion'],
    ['Action=CVSync2AsyncSubmitTask&Version=2024-06-06', 404, 'InvalidActionOrVersion'],
  ])('responds to %s with %d in the format of Volcengine’s gateway', async (query, status, Code) => {
    const response = await post(query, '{}');
    expect([response.status, response.body]).toMatchObject([status, { ResponseMetadata: { Error: { Code } } }]);
  });

  it('requires a signature over exactly this body', async () => {
    const query = 'Action=CVSync2AsyncSubmitTask&Version=2022-08-31';
    const params = '{"req_key":"jimeng_t2v_v30","prompt":"kite"}';
    expect(refusalIn(await post(query, params, {}, 'sk-other'))).toEqual([401, 'SignatureDoesNotMatch']);
    expect(refusalIn(await post(query, params, { authorization: 'Bearer sk-sandbox' }))).toEqual([
      401,
      'SignatureDoesNotMatch',
    ]);
    const headers = { 'content-type': 'application/json', ...signed(query, params) };
    const other = params.replace('kite', 'boat');
    const changed = await fetch(`${sandbox.url}/?${query}`, { method: 'POST', headers, body: other });
    expect(changed.status).toBe(401);
    clock += 15 * 60 * 1000 + 1000;
    const deferredChecks = await fetch(`${sandbox.url}/?${query}`, { method: 'POST', headers, body: params });
    expect([deferredChecks.status, await deferredChecks.json()]).toMatchObject([
      400,
      { ResponseMetadata: { Error: { Code: 'InvalidTimestamp' } } },
    ]);
    const none = await fetch(`${sandbox.url}/?${query}`, { method: 'POST' });
    expect([none.status, await none.json()]).toMatchObject([
      400,
      { ResponseMetadata: { Error: { Code: 'MissingRequestInfo' } } },
    ]);
  });

  it('formats an unreadable body in Jimeng’s envelope', async () => {
    const halved = await post('Action=CVSync2AsyncSubmitTask&Version=2022-08-31', '{"req_key":');
    expect([halved.status, halved.body.code, halved.body.data]).toEqual([400, 50_200, null]);
    expect((await submit('kite', { req_key: 'jimeng_t2v_v99' })).body.code).toBe(50_204);
    expect((await submit('kite', { frames: 120 })).body.code).toBe(50_215);
  });
});

describe('the directives, at Jimeng', () => {
  it.each([
    ['[moderation]', 400, 50_412],
    ['[refused]', 400, 50_215],
    ['[balance]', 403, undefined],
    ['[429]', 429, 50_429],
    ['[503]', 503, undefined],
  ])('%s rejects a submission with %d and %s', async (word, status, code) => {
    const response = await submit(`kite ${word}`);
    expect([response.status, response.body.code]).toEqual([status, code]);
  });

  it.each([
    ['[fail]', 500, 50_501, { status: 'done' }],
    ['[moderated-output]', 400, 50_516, null],
    ['[500]', 500, 50_500, null],
  ])('%s responds to a poll with %d, %d and %j', async (word, status, code, data) => {
    const poll = await submitted(`kite ${word}`);
    clock += 1000;
    expect(await poll()).toMatchObject({ status, body: { code, data } });
  });

  it('[garbage] affects three polls', async () => {
    const poll = await submitted('kite [garbage]');
    expect((await poll()).data).toEqual({ status: 'transcoding' });
    await expect(poll()).rejects.toThrow(SyntaxError);
    await expect(poll()).rejects.toThrow(SyntaxError);
    expect((await poll()).data).toEqual({ status: 'in_queue' });
  });

  it('[expire-once] affects the first URL', async () => {
    const poll = await submitted('kite [expire-once]');
    clock += 1000;
    const statuses: number[] = [];
    for (const turn of [1, 2]) {
      const { data } = await poll();
      statuses.push((await fetch(String(data.video_url))).status, turn);
    }
    expect(statuses).toEqual([403, 1, 200, 2]);
  });
});

it('an account over its limit gets 429 and 50430', async () => {
  await sandbox.close();
  await serve({ concurrency: { 'provider-b': 1 } });
  expect((await submit('a')).status).toBe(200);
  const overLimit = await submit('b');
  expect([overLimit.status, overLimit.body.code]).toEqual([429, 50_430]);
  clock += 1000;
  expect((await submit('b')).status).toBe(200);
});

it('Volcengine’s own SDK works', async () => {
  await sandbox.close();
  sandbox = await startSandbox({ renderMs: 0, visibleAfterMs: 0 });
  const { host } = new URL(sandbox.url);
  const keys = { accessKeyId: 'ak-sandbox', secretKey: 'sk-sandbox' };
  const service = (secretKey: string) =>
    new volc.Service({ ...keys, secretKey, host, protocol: 'http:', region: 'cn-north-1', serviceName: 'cv' });
  const api = (action: string, secretKey = 'sk-sandbox') => {
    const poll = service(secretKey).createJSONAPI(action, { Version: '2022-08-31' });
    return async (body: object): Promise<unknown> => poll(body);
  };
  const submittedTask = await api('CVSync2AsyncSubmitTask')({
    req_key: 'jimeng_t2v_v30',
    prompt: 'ein Drachen über dem See 🪁',
  });
  expect(submittedTask).toMatchObject({ code: 10_000, data: { task_id: expect.any(String) } });
  const query = { req_key: 'jimeng_t2v_v30', task_id: Object(submittedTask).data.task_id };
  expect(await api('CVSync2AsyncGetResult')(query)).toMatchObject({ code: 10_000, data: { status: 'done' } });
  expect(await api('CVSync2AsyncGetResult', 'sk-other')(query)).toMatchObject({
    ResponseMetadata: { Error: { Code: 'SignatureDoesNotMatch' } },
  });
});
