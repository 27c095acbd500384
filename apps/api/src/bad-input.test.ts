import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../test/api-rig.ts';
import { field, file, head, multipartRequest, PNG, rawHttp } from '../test/raw-http.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

/** What came back, whichever way it was asked for. */
interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}
type Ask = () => Promise<Answer>;

const auth = { authorization: `Bearer ${KEYS.alice}` };
const id = 'video_01hzzzzzzz0123456789abcdef';

async function read(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: await response.json() };
}
function ask(method: string, at: string, init: RequestInit = {}): Ask {
  return async () => read(await rig.call(at, { method, ...init }));
}
function post(body: unknown, headers: Record<string, string> = {}): Ask {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask('POST', '/v1/videos', {
    body: text,
    headers: { ...auth, 'content-type': 'application/json', ...headers },
  });
}
function form(...fields: [string, string | Blob, string?][]): Ask {
  return async () => {
    const data = new FormData();
    for (const [name, value, filename] of fields) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, value, filename ?? 'a.png');
    }
    return ask('POST', '/v1/videos', { body: data })();
  };
}
function raw(...pieces: (string | Buffer)[]): Ask {
  return async () => {
    const { status, headers, body } = await rawHttp(rig.port, pieces);
    return { status, headers, body: JSON.parse(body) };
  };
}
const parts = (...given: (string | Buffer)[]): Ask => raw(multipartRequest(KEYS.alice, given));
const chunked = (body: Buffer): Ask =>
  raw(
    head(KEYS.alice, 'multipart/form-data; boundary=b', 'transfer-encoding: chunked'),
    `${body.byteLength.toString(16)}\r\n`,
    body,
    '\r\n0\r\n\r\n',
  );

const png = new Blob([PNG], { type: 'image/png' });
const prompt: [string, string] = ['prompt', 'a kite'];
const deep = '['.repeat(1_500) + ']'.repeat(1_500);
const reference = (image_url: unknown) => post({ prompt: 'a', input_reference: { image_url } });

const TABLE: [what: string, ask: Ask, status: number, code: string, param?: string | null][] = [
  // Fields
  ['an empty JSON object', post({}), 400, 'invalid_request', 'prompt'],
  ['an empty JSON body', post(''), 400, 'invalid_request', 'prompt'],
  ['no body and no type', ask('POST', '/v1/videos'), 400, 'invalid_request', 'prompt'],
  ['a blank prompt', post({ prompt: ' \n' }), 400, 'invalid_request', 'prompt'],
  ['a prompt that is a number', post({ prompt: 5 }), 400, 'invalid_request', 'prompt'],
  ['a prompt that is a list', post({ prompt: ['a'] }), 400, 'invalid_request', 'prompt'],
  ['a model that is an object', post({ prompt: 'a', model: {} }), 400, 'invalid_request', 'model'],
  ['a model that is not served', post({ prompt: 'a', model: 'flim' }), 404, 'model_not_found', 'model'],
  [
    'a model that the key may not use',
    post({ prompt: 'a', model: 'clip' }, { authorization: `Bearer ${KEYS.carol}` }),
    403,
    'model_not_allowed',
    'model',
  ],
  ['seconds that are no number', post({ prompt: 'a', seconds: 'four' }), 400, 'invalid_request', 'seconds'],
  ['seconds below zero', post({ prompt: 'a', seconds: -4 }), 400, 'invalid_request', 'seconds'],
  ['seconds without end', post({ prompt: 'a', seconds: '99999' }), 400, 'invalid_request', 'seconds'],
  ['a size that is a word', post({ prompt: 'a', size: 'huge' }), 400, 'invalid_request', 'size'],
  ['metadata that is text', post({ prompt: 'a', metadata: 'x' }), 400, 'invalid_request', 'metadata'],
  ['metadata that is a list', post({ prompt: 'a', metadata: [1] }), 400, 'invalid_request', 'metadata'],
  ['metadata nested 1,500 deep', post(`{"prompt":"a","metadata":{"a":${deep}}}`), 400, 'invalid_request', null],
  ['an unknown field nested 1,500 deep', post(`{"prompt":"a","b":${deep}}`), 400, 'invalid_request', null],
  // JSON
  ['JSON that is cut', post('{"prompt":'), 400, 'invalid_request', null],
  ['JSON that is a text', post('"a kite"'), 400, 'invalid_request', null],
  ['JSON that is a list', post('[]'), 400, 'invalid_request', null],
  ['JSON larger than allowed', post({ prompt: 'a'.repeat(5_000) }), 413, 'payload_too_large', null],
  [
    'JSON larger than allowed, in chunks of unknown length',
    raw(
      head(KEYS.alice, 'application/json', 'transfer-encoding: chunked'),
      '1400\r\n',
      'x'.repeat(0x1400),
      '\r\n0\r\n\r\n',
    ),
    413,
    'payload_too_large',
    null,
  ],
  ['JSON that is compressed', post('{}', { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type', null],
  ['text', post('a kite', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type', null],
  [
    'a URL-encoded form',
    post('prompt=a', { 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'unsupported_media_type',
    null,
  ],
  ['a Content-Type that is none', post('{}', { 'content-type': ';;;' }), 415, 'unsupported_media_type', null],
  // Multipart
  ['an empty form', parts(), 400, 'invalid_request', 'prompt'],
  [
    'a form without a byte',
    raw(head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 0')),
    400,
    'invalid_request',
    'prompt',
  ],
  [
    'a form without a boundary',
    raw(head(KEYS.alice, 'multipart/form-data', 'content-length: 2'), 'xx'),
    400,
    'invalid_request',
    null,
  ],
  [
    'a form that is no form',
    raw(head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 7'), 'nothing'),
    400,
    'invalid_request',
    null,
  ],
  [
    'a form with another boundary',
    raw(head(KEYS.alice, 'multipart/form-data; boundary=c', 'content-length: 12'), '--b\r\n\r\n--b--'),
    400,
    'invalid_request',
    null,
  ],
  ['a form without its end', raw(multipartRequest(KEYS.alice, [field(...prompt)], '')), 400, 'invalid_request', null],
  [
    'a file without the end of the form',
    raw(multipartRequest(KEYS.alice, [field(...prompt), file('input_reference')], '')),
    400,
    'invalid_request',
    null,
  ],
  [
    'a field without a name',
    parts(field(...prompt), 'content-disposition: form-data\r\n\r\nx'),
    400,
    'invalid_request',
    null,
  ],
  [
    'a file without a name',
    parts(field(...prompt), 'content-disposition: form-data; filename="a.png"\r\n\r\nx'),
    400,
    'invalid_request',
    null,
  ],
  ['a form without a prompt or a picture', form(['model', 'film']), 400, 'invalid_request', 'prompt'],
  [
    'an empty prompt, after a good file',
    form(['input_reference', png], ['prompt', ' ']),
    400,
    'invalid_request',
    'prompt',
  ],
  ['a field given twice', form(prompt, prompt), 400, 'invalid_request', 'prompt'],
  [
    'a field given twice, after a good file',
    form(['input_reference', png], prompt, prompt),
    400,
    'invalid_request',
    'prompt',
  ],
  ['a field named like a prototype', form(prompt, ['__proto__', 'x']), 400, 'invalid_request', null],
  [
    'brackets that do not fit together',
    form(prompt, ['metadata', '{}'], ['metadata[a]', '1']),
    400,
    'invalid_request',
    'metadata[a]',
  ],
  [
    'a list where an object belongs',
    form(prompt, ['input_reference[]', 'x']),
    400,
    'invalid_request',
    'input_reference',
  ],
  [
    'a JSON part that is none',
    parts(`content-disposition: form-data; name="metadata"\r\ncontent-type: application/json\r\n\r\n{`),
    400,
    'invalid_request',
    null,
  ],
  [
    'too many fields',
    form(prompt, ...Array.from({ length: 201 }, (_, i): [string, string] => [`f${i}`, 'x'])),
    400,
    'invalid_request',
    null,
  ],
  [
    'too many fields, after a good file',
    form(['input_reference', png], ...Array.from({ length: 201 }, (_, i): [string, string] => [`f${i}`, 'x'])),
    400,
    'invalid_request',
    null,
  ],
  [
    'two files',
    form(prompt, ['input_reference', png], ['input_reference', png]),
    400,
    'unsupported_parameter',
    'images[1]',
  ],
  ['a file in a field that takes none', form(prompt, ['metadata', png]), 400, 'invalid_request', 'metadata'],
  [
    'a file and a reference',
    form(prompt, ['input_reference', png], ['input_reference[image_url]', 'https://pics.test/a.png']),
    400,
    'invalid_request',
    'input_reference',
  ],
  [
    'a file that is no picture',
    form(prompt, ['input_reference', new Blob(['just some text, not a picture'])]),
    400,
    'invalid_request',
    'input_reference',
  ],
  ['an empty file', form(prompt, ['input_reference', new Blob([])]), 400, 'invalid_request', 'input_reference'],
  [
    'a file larger than allowed',
    form(prompt, ['input_reference', new Blob([PNG, Buffer.alloc(30_000)])]),
    413,
    'payload_too_large',
    null,
  ],
  [
    'a file larger than allowed, of unknown length',
    chunked(
      Buffer.concat([
        Buffer.from('--b\r\n'),
        file('input_reference', Buffer.concat([PNG, Buffer.alloc(30_000)])),
        Buffer.from('\r\n--b--\r\n'),
      ]),
    ),
    413,
    'payload_too_large',
    null,
  ],
  [
    'parts that nobody reads, larger than allowed',
    chunked(Buffer.from(`--b\r\nx: y\r\n\r\n${'x'.repeat(30_000)}\r\n--b--\r\n`)),
    413,
    'payload_too_large',
    null,
  ],
  ['one field larger than allowed', form(['prompt', 'a'.repeat(5_000)]), 413, 'payload_too_large', null],
  [
    'fields larger than allowed together',
    form(prompt, ['a', 'x'.repeat(3_000)], ['b', 'x'.repeat(3_000)]),
    413,
    'payload_too_large',
    null,
  ],
  [
    'a good file, then a bad size',
    form(['input_reference', png], prompt, ['size', 'huge']),
    400,
    'invalid_request',
    'size',
  ],
  [
    'a good file for a model that is not served',
    form(['input_reference', png], prompt, ['model', 'no']),
    404,
    'model_not_found',
    'model',
  ],
  // Pictures by reference
  [
    'a picture by a URL with credentials',
    reference('https://user:secret@pics.test/a.png'),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  [
    'a picture by another scheme',
    reference('file:///etc/passwd'),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  ['a picture by a number', reference(5), 400, 'invalid_request', 'input_reference'],
  [
    'a data URL that is no picture',
    reference(`data:image/png;base64,${Buffer.from('<svg>not a raster</svg>').toString('base64')}`),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  [
    'a data URL that is no base64',
    reference('data:image/png;base64,%%%'),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  [
    'a data URL in plain text',
    reference('data:text/plain,hello'),
    400,
    'invalid_request',
    'input_reference[image_url]',
  ],
  [
    'a picture by file_id',
    post({ prompt: 'a', input_reference: { file_id: 'f' } }),
    400,
    'invalid_request',
    'input_reference[file_id]',
  ],
  // Headers and credentials
  ['no key', ask('POST', '/v1/videos', { headers: {}, body: 'x' }), 401, 'invalid_api_key', null],
  [
    'an unknown key',
    ask('GET', '/v1/videos', { headers: { authorization: 'Bearer sk-wrong' } }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'an empty Bearer',
    ask('GET', '/v1/videos', { headers: { authorization: 'Bearer ' } }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'Basic credentials',
    ask('GET', '/v1/videos', { headers: { authorization: `Basic ${btoa(`alice:${KEYS.alice}`)}` } }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'a wrong Bearer beside a good x-api-key',
    ask('GET', '/v1/videos', { headers: { authorization: 'Bearer sk-wrong', 'x-api-key': KEYS.alice } }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'two x-api-keys',
    raw(
      `GET /v1/videos HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.alice}\r\nx-api-key: ${KEYS.bob}\r\nconnection: close\r\n\r\n`,
    ),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'two keys in the query',
    ask('GET', `/v1/videos?key=${KEYS.alice}&key=${KEYS.bob}`, { headers: {} }),
    401,
    'invalid_api_key',
    null,
  ],
  [
    'headers larger than allowed',
    ask('GET', '/v1/videos', { headers: { ...auth, 'x-long': 'x'.repeat(9_000) } }),
    431,
    'headers_too_large',
    null,
  ],
  [
    'an Idempotency-Key that is too long',
    post({ prompt: 'a' }, { 'idempotency-key': 'k'.repeat(256) }),
    400,
    'invalid_request',
    'Idempotency-Key',
  ],
  [
    'an empty Idempotency-Key',
    post({ prompt: 'a' }, { 'idempotency-key': '' }),
    400,
    'invalid_request',
    'Idempotency-Key',
  ],
  // HTTP itself
  ['what is no HTTP', raw('EHLO gateway\r\n\r\n'), 400, 'invalid_request', null],
  ['a request without Host', raw('GET /v1/videos HTTP/1.1\r\nconnection: close\r\n\r\n'), 400, 'invalid_request', null],
  [
    'two lengths of one body',
    raw(head(KEYS.alice, 'application/json', 'content-length: 2', 'content-length: 3'), '{}'),
    400,
    'invalid_request',
    null,
  ],
  [
    'a length beside chunks',
    raw(
      head(KEYS.alice, 'application/json', 'content-length: 2', 'transfer-encoding: chunked'),
      '2\r\n{}\r\n0\r\n\r\n',
    ),
    400,
    'invalid_request',
    null,
  ],
  [
    'chunks that are none',
    raw(head(KEYS.alice, 'application/json', 'transfer-encoding: chunked'), 'zz\r\n'),
    400,
    'invalid_request',
    null,
  ],
  // Paths and ids
  ['an unknown path', ask('GET', '/v1/vidoes'), 404, 'not_found', null],
  ['an unknown path without a key', ask('GET', '/nowhere', { headers: {} }), 404, 'not_found', null],
  ['a method that the path does not take', ask('PUT', '/v1/videos'), 405, 'method_not_allowed', null],
  ['a path that cannot be decoded', ask('GET', '/v1/videos/%zz'), 400, 'invalid_request', null],
  ['an id that is not there', ask('GET', `/v1/videos/${id}`), 404, 'video_not_found', null],
  ['an id of another shape', ask('GET', '/v1/videos/1'), 404, 'video_not_found', null],
  ['an id with a slash', ask('GET', '/v1/videos/..%2f..%2fetc'), 404, 'video_not_found', null],
  ['an id with wildcards', ask('GET', '/v1/videos/video_*'), 404, 'video_not_found', null],
  ['an id with a line break', ask('GET', '/v1/videos/a%0d%0ab'), 404, 'video_not_found', null],
  ['an id longer than any path', ask('GET', `/v1/videos/${'a'.repeat(2_000)}`), 404, 'not_found', null],
  ['an empty id', ask('GET', '/v1/videos/'), 404, 'video_not_found', null],
  ['the content of nothing', ask('GET', `/v1/videos/${id}/content`), 404, 'video_not_found', null],
  ['the deletion of nothing', ask('DELETE', `/v1/videos/${id}`), 404, 'video_not_found', null],
  ['the cancelation of nothing', ask('POST', `/v1/videos/${id}/cancel`), 404, 'video_not_found', null],
  [
    'a cancelation with a broken body',
    ask('POST', `/v1/videos/${id}/cancel`, { body: '{', headers: { ...auth, 'content-type': 'application/json' } }),
    400,
    'invalid_request',
    null,
  ],
  // Lists
  ['a limit of 0', ask('GET', '/v1/videos?limit=0'), 400, 'invalid_request', 'limit'],
  ['a limit of 101', ask('GET', '/v1/videos?limit=101'), 400, 'invalid_request', 'limit'],
  ['a limit that is a word', ask('GET', '/v1/videos?limit=all'), 400, 'invalid_request', 'limit'],
  ['two limits', ask('GET', '/v1/videos?limit=1&limit=2'), 400, 'invalid_request', 'limit'],
  ['another order', ask('GET', '/v1/videos?order=random'), 400, 'invalid_request', 'order'],
  ['an after that is no id', ask('GET', '/v1/videos?after=%5Bx'), 400, 'invalid_request', 'after'],
];

describe('bad input', () => {
  afterEach(async () => {
    expect(await rig.storedFiles()).toEqual([]);
    expect(await rig.taskIds()).toEqual([]);
  });

  it.each(TABLE)(
    '%s is refused in the shape of the protocol and leaves nothing behind',
    async (_what, asked, status, code, param) => {
      const answer = await asked();
      expect(answer).toMatchObject({ status, body: { error: { code } } });
      expect(answer.body).toEqual({
        error: { code, message: expect.any(String), type: expect.any(String), param: param ?? null },
      });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
      expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'));
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(JSON.stringify(answer.body)).not.toMatch(/secret|sk-alice|node_modules|at \w+ \(/);
    },
  );
});

describe('a client that leaves', () => {
  const whole = multipartRequest(KEYS.alice, [file('input_reference'), field(...prompt)]);

  it.each([
    ['in the middle of a file', whole.subarray(0, -150)],
    ['after a file, in the middle of a field', whole.subarray(0, -12)],
    ['before the last byte of the form', whole.subarray(0, -5)],
    [
      'in the middle of JSON',
      Buffer.concat([head(KEYS.alice, 'application/json', 'content-length: 99'), Buffer.from('{')]),
    ],
  ])('%s begins nothing and leaves nothing behind', async (_when, pieces) => {
    const before = rig.logs().length;
    await rawHttp(rig.port, [pieces], true);
    await expect.poll(() => rig.logs().slice(before)).toContain('"aborted":true');
    await expect.poll(() => rig.storedFiles()).toEqual([]);
    expect(await rig.taskIds()).toEqual([]);
  });
});

it('a client that leaves after its last byte, before its video is recorded, begins nothing', async () => {
  const leave = new AbortController();
  const slow = await apiRig({
    // The disk is slow, and the client gives up meanwhile.
    beforeWrite: async () => {
      leave.abort();
      await expect.poll(() => slow.logs()).toContain('"aborted":true');
    },
  });
  try {
    const body = JSON.stringify({ prompt: 'a', input_reference: `data:image/png;base64,${PNG.toString('base64')}` });
    const headers = { ...auth, 'content-type': 'application/json' };
    const asked = slow.call('/v1/videos', { method: 'POST', body, headers, signal: leave.signal });
    await expect(asked).rejects.toThrow();
    await expect.poll(() => slow.removed, { timeout: 10_000 }).toHaveLength(1);
    expect(await slow.storedFiles()).toEqual([]);
    expect(await slow.taskIds()).toEqual([]);
  } finally {
    await slow.close();
  }
});

describe('a refused body', () => {
  it.concurrent.each([
    ['with no key', head('sk-wrong', 'multipart/form-data; boundary=b', 'content-length: 15000'), 401],
    [
      'that says it is too large',
      head(KEYS.alice, 'multipart/form-data; boundary=b', 'content-length: 999999999'),
      413,
    ],
    ['of JSON that says it is too large', head(KEYS.alice, 'application/json', 'content-length: 999999999'), 413],
    ['of another type', head(KEYS.alice, 'text/plain', 'content-length: 3000'), 415],
  ])('%s is answered before it comes, and its sender is let go soon', async (_what, start, status) => {
    // The connection closes although its client neither goes on nor hangs up.
    const persistent = start.toString().replace('connection: close', 'connection: keep-alive');
    const answer = await rawHttp(rig.port, [persistent, 'only the beginning']);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(await rig.storedFiles()).toEqual([]);
  });

  it('does not cost a client its connection when the rest comes soon', async () => {
    const start = head('sk-wrong', 'application/json', 'content-length: 2')
      .toString()
      .replace('connection: close\r\n', '');
    const next = `GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
    const { text } = await rawHttp(rig.port, [start, '{}', next]);
    expect(text).toMatch(/^HTTP\/1\.1 401 [^]*HTTP\/1\.1 200 OK/);
  });

  it('reaches a client that sends everything before it reads', async () => {
    const rest = Buffer.alloc(4_000_000, 'x');
    const start = head('sk-wrong', 'multipart/form-data; boundary=b', `content-length: ${rest.byteLength}`);
    expect((await rawHttp(rig.port, [start, rest])).status).toBe(401);
  });

  it('is not asked for when the client waits to be told to go on', async () => {
    const wait = 'expect: 100-continue';
    const refused = await rawHttp(rig.port, [head('sk-wrong', 'application/json', 'content-length: 14', wait)]);
    expect(refused.text).toMatch(/^HTTP\/1\.1 401 /);
    const body = '{"prompt": ""}';
    const taken = await rawHttp(rig.port, [head(KEYS.alice, 'application/json', 'content-length: 14', wait), body]);
    expect(taken.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });
});

describe('what belongs to another', () => {
  it('does not exist: no key reads, lists, downloads, cancels or deletes a foreign video', async () => {
    const other = await apiRig();
    try {
      const mine = await other.createdId();
      const headers = { authorization: `Bearer ${KEYS.bob}` };
      for (const [method, at] of [
        ['GET', ''],
        ['HEAD', ''],
        ['DELETE', ''],
        ['POST', '/cancel'],
        ['GET', '/content'],
      ] as const) {
        const answer = await other.call(`/v1/videos/${mine}${at}`, { method, headers });
        expect(answer.status, `${method} ${at}`).toBe(404);
        if (method !== 'HEAD') expect(await answer.json()).toMatchObject({ error: { code: 'video_not_found' } });
      }
      expect(await (await other.call('/v1/videos', { headers })).json()).toMatchObject({ data: [] });
      expect(await (await other.call(`/v1/videos/${mine}`)).json()).toMatchObject({ id: mine, status: 'queued' });
    } finally {
      await other.close();
    }
  });

  it('cannot be reached by another body under a used Idempotency-Key', async () => {
    const other = await apiRig();
    try {
      const key = { 'idempotency-key': 'order-1' };
      expect((await other.create({ prompt: 'one' }, key)).status).toBe(200);
      const answer = await other.create({ prompt: 'two' }, key);
      expect(answer.status).toBe(422);
      expect(answer.headers.get('x-should-retry')).toBe('false');
      expect(await answer.json()).toMatchObject({
        error: { code: 'idempotency_key_reused', param: 'Idempotency-Key', type: 'invalid_request_error' },
      });
      const data = new FormData();
      data.set('prompt', 'one');
      data.set('input_reference', png, 'a.png');
      const upload = await other.call('/v1/videos', { method: 'POST', body: data, headers: { ...auth, ...key } });
      expect(upload.status).toBe(422);
      expect(await other.storedFiles()).toEqual([]);
      expect(await other.taskIds()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});
