import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const authorization = 'Bearer sk-sandbox';
let sandbox: RunningSandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ now: () => 1_767_323_045_678 });
});
afterEach(() => sandbox.close());

function create(fields: Record<string, unknown>, task?: string): Promise<Response> {
  return fetch(`${sandbox.url}/v1/videos`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      ...(task === undefined ? {} : { 'x-client-request-id': task }),
    },
    body: JSON.stringify(fields),
  });
}

function post(type: string, body: string): Promise<Response> {
  return fetch(`${sandbox.url}/v1/videos`, { method: 'POST', headers: { authorization, 'content-type': type }, body });
}

function createForm(form: FormData): Promise<Response> {
  return fetch(`${sandbox.url}/v1/videos`, { method: 'POST', headers: { authorization }, body: form });
}

async function submissions(): Promise<unknown> {
  return (await fetch(`${sandbox.url}/_sandbox/submissions`)).json();
}

async function listed(): Promise<unknown> {
  return (await fetch(`${sandbox.url}/v1/videos`, { headers: { authorization } })).json();
}

describe('POST /v1/videos', () => {
  it('returns a queued video with every requested field', async () => {
    const response = await create({ prompt: 'a kite', model: 'any-model', seconds: '8', size: '640x360' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^video_[0-9a-f]{32}$/),
      object: 'video',
      model: 'any-model',
      status: 'queued',
      progress: 0,
      created_at: 1_767_323_045,
      completed_at: null,
      expires_at: null,
      seconds: '8',
      size: '640x360',
      prompt: 'a kite',
      remixed_from_video_id: null,
      error: null,
    });
  });

  it('reads multipart with fields after the file, and records the file’s measurements', async () => {
    const bytes = randomBytes(3_000_000);
    const form = new FormData();
    form.set('input_reference', new Blob([bytes], { type: 'image/png' }), 'boat.png');
    form.set('prompt', 'a boat');
    form.set('seconds', '2');
    const response = await createForm(form);
    expect(await response.json()).toMatchObject({ prompt: 'a boat', seconds: '2', size: '320x176' });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const input = { field: 'input_reference', filename: 'boat.png', mediaType: 'image/png', bytes: 3_000_000, sha256 };
    expect(await submissions()).toMatchObject({ submissions: [{ task: 'a boat', inputs: [input] }] });
  });

  it('measures a data URL and records any other reference', async () => {
    const dataUrl = `data:image/png;base64,${Buffer.from('picture').toString('base64')}`;
    await create({ prompt: 'one', input_reference: { image_url: dataUrl } });
    await create({ prompt: 'two', input_reference: { file_id: 'file_1' } });
    const form = new FormData();
    form.set('prompt', 'three');
    form.set('input_reference[image_url]', 'https://example.com/a.png');
    await createForm(form);
    expect(await submissions()).toMatchObject({
      submissions: [
        { inputs: [{ mediaType: 'image/png', bytes: 7 }] },
        { inputs: [{ reference: 'file_1' }] },
        { inputs: [{ reference: 'https://example.com/a.png' }] },
      ],
    });
  });

  it.each([
    [{ model: 'm' }, 'prompt', 'missing_required_parameter'],
    [{ prompt: 'kite', seconds: '99' }, 'seconds', 'invalid_value'],
    [{ prompt: 'kite', size: 'big' }, 'size', 'invalid_value'],
    [{ prompt: 'kite', input_reference: 7 }, 'input_reference', 'invalid_value'],
    [{ prompt: 'kite [moderation]' }, 'prompt', 'moderation_blocked'],
  ])('rejects %j with 400 in the vendor’s format, and creates no job', async (fields, param, code) => {
    const response = await create(fields);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param, code },
    });
    expect(await listed()).toMatchObject({ data: [] });
  });

  it('rejects a body that is neither a JSON object nor a form, in the vendor’s format', async () => {
    expect((await post('application/json', '{"prompt":')).status).toBe(400);
    expect((await post('application/json', '[]')).status).toBe(400);
    expect((await post('text/plain', 'a kite')).status).toBe(400);
    const markup = await post('application/xml', '<prompt>a kite</prompt>');
    expect(markup.status).toBe(415);
    expect(await markup.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('rejects the first two submissions of each task with [429] and a retry-after', async () => {
    for (const task of ['task-a', 'task-b']) {
      for (const turn of [1, 2]) {
        const refused = await create({ prompt: 'kite [429]' }, task);
        expect([turn, refused.status, refused.headers.get('retry-after')]).toEqual([turn, 429, '1']);
        expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
      }
      expect((await create({ prompt: 'kite [429]' }, task)).status).toBe(200);
    }
    expect(await submissions()).toMatchObject({
      submissions: [
        { task: 'task-a', applied: 1, refused: 2 },
        { task: 'task-b', applied: 1, refused: 2 },
      ],
      total_applied: 2,
    });
  });

  it('separates tasks by prompt if the client sends no request id', async () => {
    await create({ prompt: 'kite' });
    await create({ prompt: 'kite' });
    await create({ prompt: 'boat' });
    expect(await submissions()).toMatchObject({
      submissions: [
        { task: 'kite', prompt: 'kite', applied: 2, upstream_ids: [expect.any(String), expect.any(String)] },
        { task: 'boat', prompt: 'boat', applied: 1 },
      ],
      total_applied: 3,
    });
  });

  it('accepts and lists a job with [lost-reply], but never responds', async () => {
    await expect(create({ prompt: 'kite [lost-reply]' }, 'task-a')).rejects.toThrow('fetch failed');
    expect(await listed()).toMatchObject({ data: [{ prompt: 'kite [lost-reply]' }] });
    expect(await submissions()).toMatchObject({ submissions: [{ task: 'task-a', applied: 1 }], total_applied: 1 });
  });

  it('accepts no job from a client that disconnects during its upload', async () => {
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname);
    const part = '--b\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nkite\r\n--b\r\n';
    const file = 'content-disposition: form-data; name="input_reference"; filename="a"\r\n\r\nhalf a pict';
    socket.write(
      `POST /v1/videos HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n` +
        `content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n\r\n${part}${file}`,
      () => socket.destroy(),
    );
    await new Promise((resolve) => socket.once('close', resolve));
    // When this request completes, the sandbox has noticed that the other connection was closed.
    await create({ prompt: 'boat' });
    expect(await submissions()).toMatchObject({ submissions: [{ task: 'boat' }], total_applied: 1 });
  });
});
