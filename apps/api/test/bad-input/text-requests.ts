import { afterEach, describe, expect, it } from 'vitest';
import { KEYS, SMALL_LIMITS } from '../api-rig.ts';
import { rawHttp } from '../raw-http.ts';
import { expectRefusal } from '../refusal.ts';
import type { TextRoute } from '../text-routes.ts';
import { useTextRig } from './text-rigs.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Registers the tests that all text endpoints share: JSON syntax, media type, size, API key, model, and method. */
export function testTextRequests({ protocol, at, body, misses, native, foreign, allow, siblings }: TextRoute): void {
  const context = useTextRig({ limits: SMALL_LIMITS });
  afterEach(() => {
    expect(context.upstream.requests).toEqual([]);
  });
  const path = at(native);
  const good = JSON.stringify(body(native));

  describe('400', () => {
    it.each([
      ['truncated', good.slice(0, -1)],
      ['truncated in a literal', '{"model": tru'],
      ['followed by garbage', `${good} x`],
      ['two objects', `${good}${good}`],
      ['a hexadecimal number', '{"model": 0x10}'],
      ['an object in single quotes', "{'model': 'a'}"],
      ['an array', `[${good}]`],
      ['a string', '"hello"'],
      ['null', 'null'],
      ['a number', '5'],
      ['true', 'true'],
      ['blank', '   '],
      ['preceded by a byte order mark', `\ufeff${good}`],
      ['control characters', '\0\u0001\u0002'],
    ])('the JSON is %s', async (_title, sent) => {
      const reply = await context.rig.post(path, sent);
      await expectRefusal(reply, protocol, { status: 400, code: 'invalid_request', param: null });
    });

    it.each([
      ['the body is empty', '', JSON_TYPE],
      ['the object is empty', '{}', JSON_TYPE],
      ['the object is empty, of a type with parameters', '{}', { 'content-type': 'application/json; charset=utf-8' }],
    ])(`\`${misses}\` is missing: %s`, async (_title, sent, headers) => {
      const response = await context.rig.post(path, sent, { headers });
      await expectRefusal(response, protocol, {
        status: 400,
        code: 'invalid_request',
        param: misses,
        message: /required/,
      });
    });

    it('body and content type are missing', async () => {
      const headers = { ...bearer(KEYS.alice), 'messages-version': '2023-06-01' };
      const response = await fetch(context.rig.origin + path, { method: 'POST', headers });
      await expectRefusal(response, protocol, {
        status: 400,
        code: 'invalid_request',
        param: misses,
        message: /required/,
      });
    });

    it('the model generates only videos', async () => {
      const response = await context.rig.post(at('video'), body('video'));
      const message = /`video` does not generate text/;
      await expectRefusal(response, protocol, { status: 400, code: 'invalid_request', param: 'model', message });
    });

    if (protocol === 'messages') {
      it('the header messages-version is missing', async () => {
        const response = await fetch(context.rig.origin + path, {
          method: 'POST',
          headers: { ...JSON_TYPE, 'x-api-key': KEYS.alice },
          body: good,
        });
        await expectRefusal(response, protocol, { status: 400, code: 'invalid_request', param: 'messages-version' });
      });
    }
  });

  describe('415', () => {
    it.each([
      ['plain text', { 'content-type': 'text/plain' }],
      ['declared as a form', { 'content-type': 'multipart/form-data; boundary=b' }],
      ['declared as a URL-encoded form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['of an invalid type', { 'content-type': ';;;' }],
      ['compressed', { 'content-encoding': 'deflate' }],
    ])('the body is %s', async (_title, headers) => {
      const response = await context.rig.post(path, good, { headers });
      await expectRefusal(response, protocol, { status: 415, code: 'unsupported_media_type', param: null });
    });
  });

  describe('413', () => {
    it('the body is too large, with and without a Content-Length', async () => {
      const sent = JSON.stringify({ ...body(native), padding: 'x'.repeat(SMALL_LIMITS.json_bytes) });
      const expected = { status: 413, code: 'payload_too_large', param: null };
      await expectRefusal(await context.rig.post(path, sent), protocol, expected);
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
      const response = await rawHttp(context.rig.port, [`${head}\r\n\r\n`, chunk]);
      await expectRefusal(new Response(response.body, response), protocol, expected);
    });
  });

  describe('401', () => {
    it.each([
      ['the key is missing', {}],
      ['the key is unknown', bearer('sk-wrong')],
      ['the Bearer token is empty', { authorization: 'Bearer ' }],
      ['the credentials are Basic', { authorization: `Basic ${btoa(`alice:${KEYS.alice}`)}` }],
      ['the Bearer token is wrong and x-api-key is valid', { ...bearer('sk-wrong'), 'x-api-key': KEYS.alice }],
      ['x-goog-api-key is wrong', { 'x-goog-api-key': 'AIza-wrong' }],
    ])('%s', async (_title, headers: Record<string, string>) => {
      const response = await fetch(context.rig.origin + path, {
        method: 'POST',
        body: good,
        headers: { ...JSON_TYPE, ...headers },
      });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      await expectRefusal(response, protocol, { status: 401, code: 'invalid_api_key', param: null });
    });
  });

  describe('404', () => {
    it('the model is misspelled; the error suggests similar names', async () => {
      const model = native.replace('by-', 'bi-');
      const response = await context.rig.post(at(model), body(model));
      const message = new RegExp(`${model}.* does not exist.*\\. Did you mean .*${native}`);
      await expectRefusal(response, protocol, { status: 404, code: 'model_not_found', param: 'model', message });
    });

    it.each(['__proto__', 'constructor', 'hasOwnProperty', 'a\u202eb', 'x'.repeat(900)])(
      'the model is %j',
      async (model) => {
        const response = await context.rig.post(at(encodeURIComponent(model)), body(model));
        await expectRefusal(response, protocol, { status: 404, code: 'model_not_found', param: 'model' });
      },
    );
  });

  describe('403', () => {
    it.each([native, foreign, 'no-such-model'])(
      'the key does not allow the model `%s`; the error suggests no names',
      async (model) => {
        const response = await context.rig.post(at(model), body(model), { headers: bearer(KEYS.carol) });
        const message = new RegExp(`^This API key may not use \`${model}\`\\.$`);
        await expectRefusal(response, protocol, { status: 403, code: 'model_not_allowed', param: 'model', message });
      },
    );
  });

  const methods = ['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'];
  const served = new Set([...allow.split(', '), ...siblings]);
  describe('405', () => {
    it.each(methods.filter((method) => !served.has(method)))('the method is %s', async (method) => {
      const response = await fetch(context.rig.origin + path, { method, headers: bearer(KEYS.alice) });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe(allow);
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      if (method === 'HEAD') return;
      await expectRefusal(response, protocol, { status: 405, code: 'method_not_allowed', param: null });
    });

    it.each(methods.filter((method) => served.has(method)))('not %s, which another endpoint serves', async (method) => {
      const response = await fetch(context.rig.origin + path, { method, headers: bearer(KEYS.alice) });
      expect(response.status).not.toBe(405);
    });
  });
}
