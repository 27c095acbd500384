import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { adminAuth, type AdminResponse, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { type BadRequest, send, sendJson, testRejections } from '../../../test/bad-request.ts';
import { INVALID_KEY_SETTINGS } from '../../../test/bad-input/key-settings.ts';

const PATH = '/admin/v1/keys';
let rig: AdminRig;
let keys: AdminResponse;
beforeAll(async () => {
  rig = await adminRig();
  await rig.createKey('taken');
  keys = await rig.admin('GET', 'keys?limit=100');
});
// A rejected request creates no key.
afterEach(async () => expect(await rig.admin('GET', 'keys?limit=100')).toEqual(keys));
afterAll(() => rig.close());

const create = (body: unknown) => sendJson('POST', PATH, body, adminAuth);
const form = new FormData();
form.set('name', 'x');

describe('POST /admin/v1/keys', () => {
  testRejections(() => rig, {
    400: [
      ['the JSON object is empty', create({}), 'invalid_request', 'name'],
      ['the JSON body is empty', create(''), 'invalid_request', 'name'],
      ['the JSON is null', create('null'), 'invalid_request'],
      ['the JSON is an array', create('[]'), 'invalid_request'],
      ['the JSON is a string', create('"x"'), 'invalid_request'],
      ['the JSON is truncated', create('{'), 'invalid_request'],
      ['the JSON is nested 20,000 levels deep', create('[['.repeat(10_000)), 'invalid_request'],
      ['name is empty', create({ name: '' }), 'invalid_request', 'name'],
      ['name is a number', create({ name: 7 }), 'invalid_request', 'name'],
      ['name looks like an id', create({ name: 'key_1' }), 'invalid_request', 'name'],
      ['name has a slash', create({ name: 'a/b' }), 'invalid_request', 'name'],
      ['name belongs to a stored key', create({ name: 'taken' }), 'invalid_request', 'name'],
      ['name belongs to a configured key', create({ name: 'alice' }), 'invalid_request', 'name'],
      ['the secret is chosen by the client', create({ name: 'x', key: 'sk-mine-mine' }), 'invalid_request', 'key'],
      ['the id is chosen by the client', create({ name: 'x', id: 'key_1' }), 'invalid_request', 'id'],
      ['a field is named __proto__', create('{"name":"x","__proto__":{"models":[]}}'), 'invalid_request', '__proto__'],
      ['the key is revoked', create({ name: 'x', revoked_at: 1 }), 'invalid_request', 'revoked_at'],
      ...INVALID_KEY_SETTINGS.map(([title, body, param]): BadRequest => [
        title,
        create({ name: 'x', ...body }),
        'invalid_request',
        param,
      ]),
    ],
    401: [
      ['the credential is missing', sendJson('POST', PATH, { name: 'x' }, { authorization: '' }), 'invalid_api_key'],
      ["the credential is a client's API key", sendJson('POST', PATH, { name: 'x' }), 'invalid_api_key'],
    ],
    413: [['the body is too large', create({ name: 'x', models: ['m'.repeat(2_000_000)] }), 'payload_too_large']],
    415: [
      ['the body is a form', send('POST', PATH, { headers: adminAuth, body: form }), 'unsupported_media_type'],
      ['the body is plain text', send('POST', PATH, { headers: adminAuth, body: 'name=x' }), 'unsupported_media_type'],
    ],
  });
});
