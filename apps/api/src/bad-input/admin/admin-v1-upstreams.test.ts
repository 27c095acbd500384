import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { type BadRequest, send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig({
    config: {
      // A request would fail with another error, because the port is closed.
      upstreams: { acme: { kind: 'chat-completions', base_url: 'http://127.0.0.1:9/v1', api_key: 'k' } },
      models: [
        { id: 'chat', routes: [{ upstream: 'acme', model: 'large' }], capabilities: ['text'] },
        { id: 'any-*', routes: [{ upstream: 'acme', model: '*' }], capabilities: ['text'] },
      ],
    },
  });
});
afterAll(() => rig.close());

const PATH = '/admin/v1/upstreams';
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });
const test = (body: unknown, name = 'acme') => sendJson('POST', `${PATH}/${name}/test`, body, adminAuth);

describe('GET /admin/v1/upstreams', () => {
  testRejections(() => rig, {
    400: [
      ['a parameter is unknown', get('?health=open'), 'invalid_request', 'health'],
      ['a parameter is named __proto__', get('?__proto__=1'), 'invalid_request', '__proto__'],
    ],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
    404: [['one upstream is requested', get('/acme'), 'not_found']],
  });
});

describe('DELETE /admin/v1/upstreams', () => {
  testRejections(() => rig, {
    405: [['the method is not supported', sendJson('DELETE', PATH, {}, adminAuth), 'method_not_allowed']],
  });
});

describe('POST /admin/v1/upstreams/{name}/test', () => {
  testRejections(() => rig, {
    400: [
      ['the body is empty', test({}), 'invalid_request', 'model'],
      ['the JSON is null', test('null'), 'invalid_request'],
      ['the JSON is an array', test('[]'), 'invalid_request'],
      ['the JSON is truncated', test('{"model"'), 'invalid_request'],
      ['model is empty', test({ model: '' }), 'invalid_request', 'model'],
      ['model is a number', test({ model: 7 }), 'invalid_request', 'model'],
      ['model is unknown', test({ model: 'no-such-model' }), 'invalid_request', 'model'],
      ['model is a pattern', test({ model: 'any-*' }), 'invalid_request', 'model'],
      ['model has no route to the upstream', test({ model: 'video' }), 'invalid_request', 'model'],
      ['model contains markup', test({ model: '<img src=x>' }), 'invalid_request', 'model'],
      ['operation is unknown', test({ model: 'chat', operation: 'video' }), 'invalid_request', 'operation'],
      ['operation is not of the model', test({ model: 'chat', operation: 'rerank' }), 'invalid_request', 'model'],
      ['a prompt is sent', test({ model: 'chat', prompt: 'x' }), 'invalid_request', 'prompt'],
      ['an address is sent', test({ model: 'chat', base_url: 'http://127.0.0.1' }), 'invalid_request', 'base_url'],
      ['a field is named __proto__', test('{"model":"chat","__proto__":{}}'), 'invalid_request', '__proto__'],
    ],
    401: [
      ['the credential is missing', sendJson('POST', `${PATH}/acme/test`, {}, { authorization: '' }), 'invalid_api_key'], // prettier-ignore
      ["the credential is a client's API key", sendJson('POST', `${PATH}/acme/test`, {}), 'invalid_api_key'],
    ],
    404: ['no-such-upstream', '__proto__', 'constructor', 'x'.repeat(900)].map((name): BadRequest => [
      `the upstream is ${name.slice(0, 20)}`,
      test({ model: 'chat' }, name),
      'not_found',
    ]),
    413: [['the body is too large', test({ model: 'm'.repeat(2_000_000) }), 'payload_too_large']],
    415: [
      [
        'the body is plain text',
        send('POST', `${PATH}/acme/test`, { headers: adminAuth, body: 'model=chat' }),
        'unsupported_media_type',
      ],
    ],
  });
});
