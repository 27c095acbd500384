import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, SMALL_LIMITS } from '../test/api-rig.ts';
import { rawHttp } from '../test/raw-http.ts';
import { expectRefusal } from '../test/refusal.ts';
import { ROUTES } from '../test/text-routes.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../test/text-rig.ts';
import { says, vendorConfig } from '../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(says('hello'));
  rig = await textRig(vendorConfig(upstream.url), { limits: SMALL_LIMITS });
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
afterEach(() => {
  expect(upstream.requests).toEqual([]);
});

const JSON_TYPE = { 'content-type': 'application/json' };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe.each(ROUTES)('$name', ({ protocol, at, body, misses, native, foreign, allow }) => {
  const path = at(native);
  const good = JSON.stringify(body(native));

  it.each([
    ['broken', good.slice(0, -1)],
    ['cut in a word', '{"model": tru'],
    ['followed by something', `${good} x`],
    ['two objects', `${good}${good}`],
    ['a number of another kind', '{"model": 0x10}'],
    ['an object in single quotes', "{'model': 'a'}"],
    ['a list', `[${good}]`],
    ['a text', '"hello"'],
    ['null', 'null'],
    ['a number', '5'],
    ['true', 'true'],
    ['blank', '   '],
    ['led by a byte order mark', `\ufeff${good}`],
    ['not text at all', '\0\u0001\u0002'],
  ])('refuses JSON that is %s', async (_what, sent) => {
    await expectRefusal(await rig.post(path, sent), protocol, { status: 400, code: 'invalid_request', param: null });
  });

  it.each([
    ['an empty body', '', JSON_TYPE],
    ['an empty object', '{}', JSON_TYPE],
    ['an empty object under a type with parameters', '{}', { 'content-type': 'application/json; charset=utf-8' }],
  ])('tells what %s misses', async (_what, sent, headers) => {
    const response = await rig.post(path, sent, { headers });
    await expectRefusal(response, protocol, {
      status: 400,
      code: 'invalid_request',
      param: misses,
      message: /required/,
    });
  });

  it('tells what is missing to a request without body and type', async () => {
    const headers = { ...bearer(KEYS.alice), 'messages-version': '2023-06-01' };
    const response = await fetch(rig.origin + path, { method: 'POST', headers });
    await expectRefusal(response, protocol, {
      status: 400,
      code: 'invalid_request',
      param: misses,
      message: /required/,
    });
  });

  it.each([
    ['of another type', { 'content-type': 'text/plain' }],
    ['that says it is a form', { 'content-type': 'multipart/form-data; boundary=b' }],
    ['that says it is an URL-encoded form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['of a type that is none', { 'content-type': ';;;' }],
    ['that is compressed', { 'content-encoding': 'gzip' }],
  ])('refuses a body %s', async (_what, headers) => {
    const response = await rig.post(path, good, { headers });
    await expectRefusal(response, protocol, { status: 415, code: 'unsupported_media_type', param: null });
  });

  it('refuses a body that is larger than allowed', async () => {
    const sent = JSON.stringify({ ...body(native), padding: 'x'.repeat(SMALL_LIMITS.json_bytes) });
    const wanted = { status: 413, code: 'payload_too_large', param: null };
    await expectRefusal(await rig.post(path, sent), protocol, wanted);
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${KEYS.alice}`,
      'messages-version: 2023-06-01',
      'content-type: application/json',
      'transfer-encoding: chunked',
      'connection: close',
    ].join('\r\n');
    const chunk = `${sent.length.toString(16)}\r\n${sent}\r\n0\r\n\r\n`;
    const response = await rawHttp(rig.port, [`${head}\r\n\r\n`, chunk]);
    await expectRefusal(new Response(response.body, response), protocol, wanted);
  });

  it.each([
    ['no key', {}],
    ['a key that nobody has', bearer('sk-wrong')],
    ['an empty Bearer', { authorization: 'Bearer ' }],
    ['Basic credentials', { authorization: `Basic ${btoa(`alice:${KEYS.alice}`)}` }],
    ['a wrong Bearer beside a good x-api-key', { ...bearer('sk-wrong'), 'x-api-key': KEYS.alice }],
    ['a wrong x-goog-api-key', { 'x-goog-api-key': 'AIza-wrong' }],
  ])('refuses %s', async (_what, headers: Record<string, string>) => {
    const response = await fetch(rig.origin + path, {
      method: 'POST',
      body: good,
      headers: { ...JSON_TYPE, ...headers },
    });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    await expectRefusal(response, protocol, { status: 401, code: 'invalid_api_key', param: null });
  });

  it('tells near names to one that asks for a model that is not there', async () => {
    const model = native.replace('by-', 'bi-');
    const response = await rig.post(at(model), body(model));
    const message = new RegExp(`no model "${model}"\\. Did you mean .*${native}`);
    await expectRefusal(response, protocol, { status: 404, code: 'model_not_found', param: 'model', message });
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'a\u202eb', 'x'.repeat(900)])(
    'has no model %j',
    async (model) => {
      const response = await rig.post(at(encodeURIComponent(model)), body(model));
      await expectRefusal(response, protocol, { status: 404, code: 'model_not_found', param: 'model' });
    },
  );

  it.each([native, foreign, 'no-such-model'])(
    'refuses %s to a key that may not use it, and tells no names',
    async (model) => {
      const response = await rig.post(at(model), body(model), { headers: bearer(KEYS.carol) });
      const message = new RegExp(`^This API key may not use "${model}"\\.$`);
      await expectRefusal(response, protocol, { status: 403, code: 'model_not_allowed', param: 'model', message });
    },
  );

  it('refuses a model that makes videos alone', async () => {
    const response = await rig.post(at('film'), body('film'));
    const message = /"film" does not generate text/;
    await expectRefusal(response, protocol, { status: 400, code: 'invalid_request', param: 'model', message });
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'])(
    'answers other methods, as %s, with those that it takes',
    async (method) => {
      if (allow.split(', ').includes(method)) return;
      const response = await fetch(rig.origin + path, { method, headers: bearer(KEYS.alice) });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe(allow);
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      if (method === 'HEAD') return;
      await expectRefusal(response, protocol, { status: 405, code: 'method_not_allowed', param: null });
    },
  );
});

describe.each(ROUTES.filter(({ protocol }) => protocol === 'messages'))('$name', ({ at, body, native }) => {
  it('refuses a request that does not tell the version of the protocol', async () => {
    const response = await fetch(rig.origin + at(native), {
      method: 'POST',
      headers: { ...JSON_TYPE, 'x-api-key': KEYS.alice },
      body: JSON.stringify(body(native)),
    });
    await expectRefusal(response, 'messages', { status: 400, code: 'invalid_request', param: 'messages-version' });
  });
});
