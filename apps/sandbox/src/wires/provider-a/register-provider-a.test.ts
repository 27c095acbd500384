import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';

const START = 1_767_323_045_000;
const DAY_MS = 24 * 3600 * 1000;
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

async function call(
  method: string,
  path: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<Completion> {
  const headers = { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json', ...more };
  const response = await fetch(`${sandbox.url}/kling/v1/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read: unknown = await response.json();
  return { status: response.status, body: Object(read), data: Object(Object(read).data) };
}

const submit = (prompt: string, more: object = {}) => call('POST', 'videos/text2video', { prompt, ...more });

async function submitted(prompt: string, more: object = {}): Promise<() => Promise<Completion>> {
  const { data } = await submit(prompt, more);
  return () => call('GET', `videos/text2video/${String(data.task_id)}`);
}

function urlsOf({ data }: Completion): string[] {
  const { videos = [], images = [] } = Object(data.task_result);
  return [...videos, ...images].map((item: unknown) => String(Object(item).url));
}

describe('Kling’s API', () => {
  it('generates a video: submit, query by either id, download', async () => {
    const { status, body } = await submit('kite', { external_task_id: 'my-1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 0,
      message: 'SUCCEED',
      request_id: expect.stringMatching(/^req_/),
      data: {
        task_id: expect.stringMatching(/^\d{19}$/),
        task_status: 'submitted',
        task_info: { external_task_id: 'my-1' },
        created_at: START,
        updated_at: START,
      },
    });
    clock += 500;
    expect((await call('GET', 'videos/text2video/my-1')).data).toMatchObject({ task_status: 'processing' });
    clock += 500;
    const done = await call('GET', `videos/text2video/${String(Object(body.data).task_id)}`);
    expect(done.data).toMatchObject({ task_status: 'succeed', task_result: { videos: [{ duration: '5.0' }] } });
    const [url = ''] = urlsOf(done);
    const video = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(video.toString('latin1', 4, 8)).toBe('ftyp');
    clock += 30 * DAY_MS - 1;
    expect((await fetch(url)).status).toBe(200);
    clock += 1;
    expect((await fetch(url)).status).toBe(403);
  });

  it('generates videos from images, and images', async () => {
    const image = renderImage({ prompt: 'kite', width: 300, height: 300 }).toString('base64');
    const calls: [string, object, number, string][] = [
      ['videos/image2video', { image }, 1, 'video/mp4'],
      ['videos/multi-image2video', { prompt: 'kite', image_list: [{ image }] }, 1, 'video/mp4'],
      ['images/generations', { prompt: 'kite', n: 2 }, 2, 'image/png'],
    ];
    for (const [path, params, count, mediaType] of calls) {
      const { data } = await call('POST', path, params);
      clock += 1000;
      const urls = urlsOf(await call('GET', `${path}/${String(data.task_id)}`));
      const types = await Promise.all(urls.map(async (url) => (await fetch(url)).headers.get('content-type')));
      expect([path, types]).toEqual([path, Array.from({ length: count }, () => mediaType)]);
    }
  });

  it('accepts a token signed with access key and secret key, by its own clock', async () => {
    const head = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
    const payload = { iss: 'ak-sandbox', exp: START / 1000 + 1800, nbf: START / 1000 - 5 };
    const text = `${head}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
    const signature = createHmac('sha256', 'sk-sandbox').update(text).digest('base64url');
    const authorization = `Bearer ${text}.${signature}`;
    expect((await call('POST', 'videos/text2video', { prompt: 'kite' }, { authorization })).status).toBe(200);
    clock += 1_800_000;
    const deferredChecks = await call('POST', 'videos/text2video', { prompt: 'kite' }, { authorization });
    expect([deferredChecks.status, deferredChecks.body.code]).toEqual([401, 1004]);
  });

  it.each([
    ['POST', 'videos/text2video'],
    ['GET', 'videos/text2video'],
    ['GET', 'images/generations/1'],
  ])('requires a key for %s %s', async (method, path) => {
    const { status, body } = await call(method, path, undefined, { authorization: 'Bearer sk-other' });
    expect([status, body]).toEqual([401, { code: 1002, message: expect.any(String), request_id: body.request_id }]);
  });

  it('finds a job only under the path that created it', async () => {
    const { data } = await submit('kite', { external_task_id: 'my-1' });
    for (const name of [String(data.task_id), 'my-1']) {
      const { status, body } = await call('GET', `videos/image2video/${name}`);
      expect([status, body.code]).toEqual([404, 1203]);
    }
    expect((await call('GET', 'videos/text2video/unknown')).body.code).toBe(1203);
    expect((await call('GET', 'videos/lip-sync/unknown')).body.code).toBe(1202);
    expect((await call('DELETE', 'videos/text2video/my-1')).status).toBe(404);
  });

  it('accepts a client’s id for a job once, even while the job is hidden', async () => {
    await sandbox.close();
    await serve({ visibleAfterMs: 100 });
    await submit('kite', { external_task_id: 'my-1' });
    expect((await call('GET', 'videos/text2video/my-1')).body.code).toBe(1203);
    const again = await call('POST', 'images/generations', { prompt: 'kite', external_task_id: 'my-1' });
    expect([again.status, again.body.code]).toEqual([400, 1201]);
    clock += 100;
    expect((await call('GET', 'videos/text2video/my-1')).status).toBe(200);
    expect((await submit('kite', { external_task_id: 'my-2' })).status).toBe(200);
  });

  it('hides a new job for a twentieth of the render time unless configured otherwise', async () => {
    await sandbox.close();
    sandbox = await startSandbox({ renderMs: 1000, now: () => clock });
    const poll = await submitted('kite');
    clock += 49;
    expect((await poll()).body.code).toBe(1203);
    clock += 1;
    expect((await poll()).data).toMatchObject({ task_status: 'submitted' });
  });

  it('lists the jobs of a path, newest first', async () => {
    for (const name of ['a', 'b', 'c']) await submit('kite', { external_task_id: name });
    const { body } = await call('GET', 'videos/text2video?pageNum=2&pageSize=2');
    expect(body.data).toMatchObject([{ task_info: { external_task_id: 'a' } }]);
    expect((await call('GET', 'images/generations')).body.data).toEqual([]);
    expect((await call('GET', 'videos/text2video?pageSize=0')).body.code).toBe(1201);
  });

  it('formats an unreadable body in Kling’s envelope', async () => {
    const halved = await fetch(`${sandbox.url}/kling/v1/videos/text2video`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
      body: '{"prompt":',
    });
    expect([halved.status, Object(await halved.json()).code]).toEqual([400, 1200]);
    expect(await submit('kite', { duration: 5 })).toMatchObject({ status: 400, body: { code: 1201 } });
  });
});

describe('the directives, at Kling', () => {
  it.each([
    ['[moderation]', 400, 1301],
    ['[refused]', 400, 1201],
    ['[balance]', 429, 1102],
    ['[429]', 429, 1302],
    ['[503]', 503, 5001],
  ])('%s rejects a submission with %d and %d', async (word, status, code) => {
    expect(await submit(`kite ${word}`)).toMatchObject({ status, body: { code } });
  });

  it.each([
    ['[fail]', 'failed'],
    ['[moderated-output]', 'failed'],
    ['[stall]', 'processing'],
    ['[slow:9]', 'processing'],
  ])('%s ends a job as %s', async (word, task_status) => {
    const poll = await submitted(`kite ${word}`);
    clock += 1000;
    expect((await poll()).data).toMatchObject({ task_status });
  });

  it('[500] and [garbage] affect polls', async () => {
    const broken = await submitted('kite [500]');
    expect([(await broken()).body.code, (await broken()).body.code, (await broken()).body.code]).toEqual([
      5000, 5000, 0,
    ]);
    const garbled = await submitted('kite [garbage]');
    expect((await garbled()).data).toMatchObject({ task_status: 'reviewing' });
    await expect(garbled()).rejects.toThrow(SyntaxError);
    await expect(garbled()).rejects.toThrow(SyntaxError);
    expect((await garbled()).data).toMatchObject({ task_status: 'submitted' });
  });

  it('[lost-reply] creates a job that is found by the client’s id, [lost-request] creates none', async () => {
    await expect(submit('kite [lost-reply]', { external_task_id: 'my-1' })).rejects.toThrow('fetch failed');
    expect((await call('GET', 'videos/text2video/my-1')).status).toBe(200);
    await expect(submit('kite [lost-request]', { external_task_id: 'my-2' })).rejects.toThrow('fetch failed');
    expect((await call('GET', 'videos/text2video/my-2')).body.code).toBe(1203);
    expect((await submit('kite [lost-request]', { external_task_id: 'my-2' })).status).toBe(200);
  });

  it('[expire], [expire-once], and [nothing] affect results', async () => {
    const [expired, once, nothing] = [
      await submitted('[expire]'),
      await submitted('[expire-once]'),
      await submitted('[nothing]'),
    ];
    clock += 1000;
    const statuses: number[] = [];
    for (const poll of [expired, expired, once, once]) {
      for (const url of urlsOf(await poll())) statuses.push((await fetch(url)).status);
    }
    expect(statuses).toEqual([403, 403, 403, 200]);
    expect((await nothing()).data).toMatchObject({ task_status: 'succeed', task_result: { videos: [] } });
  });

  it('[partial] omits an image', async () => {
    const { data } = await call('POST', 'images/generations', { prompt: 'kite [partial]', n: 3 });
    clock += 1000;
    expect(urlsOf(await call('GET', `images/generations/${String(data.task_id)}`))).toHaveLength(2);
  });
});

it('an account over its limit gets 429 and 1303, counting videos and images separately', async () => {
  await sandbox.close();
  await serve({ concurrency: { 'provider-a': 2 } });
  const statuses = [await submit('a'), await submit('b'), await submit('c')].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 429]);
  expect((await submit('c')).body).toMatchObject({ code: 1303, message: 'parallel task over resource pack limit' });
  expect((await call('POST', 'images/generations', { prompt: 'kite', n: 3 })).body.code).toBe(1303);
  expect((await call('POST', 'images/generations', { prompt: 'kite', n: 2 })).status).toBe(200);
  clock += 1000;
  expect((await submit('c')).status).toBe(200);
});
