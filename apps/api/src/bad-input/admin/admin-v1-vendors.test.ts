import { afterAll, beforeAll, describe } from 'vitest';
import { type AdminRig, adminAuth, adminRig } from '../../../test/admin-rig.ts';
import { KEYS } from '../../../test/api-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/vendors';
const post = (body: unknown, name = 'openai') => sendJson('POST', `${PATH}/${name}/models`, body, adminAuth);

describe('POST /admin/v1/vendors/{name}/models', () => {
  testRejections(() => rig, {
    400: [
      ['the body is empty', post({}), 'invalid_request', 'api_key'],
      ['the JSON is null', post('null'), 'invalid_request'],
      ['the key is a number', post({ api_key: 7 }), 'invalid_request', 'api_key'],
      ['the key is blank', post({ api_key: '  ' }), 'invalid_request', 'api_key'],
      ['the key has a line break', post({ api_key: 'a\r\nx: y' }), 'invalid_request', 'api_key'],
      ['the key is not ASCII', post({ api_key: 'schlüssel' }), 'invalid_request', 'api_key'],
      ['the key is too long', post({ api_key: 'x'.repeat(1_025) }), 'invalid_request', 'api_key'],
      ['an address is sent', post({ api_key: 'k', base_url: 'http://127.0.0.1' }), 'invalid_request', 'base_url'],
      ['the vendor has no list of models', post({ api_key: 'k' }, 'kling'), 'invalid_request'],
    ],
    401: [
      ['an API key is sent', sendJson('POST', `${PATH}/openai/models`, { api_key: 'k' }, { authorization: `Bearer ${KEYS.alice}` }), 'invalid_api_key'], // prettier-ignore
    ],
    404: [
      ['the vendor is unknown', post({ api_key: 'k' }, 'no-such-vendor'), 'not_found'],
      ['the name is of a prototype', post({ api_key: 'k' }, '__proto__'), 'not_found'],
    ],
  });
});

describe('GET /admin/v1/vendors', () => {
  testRejections(() => rig, {
    400: [['a parameter is unknown', send('GET', `${PATH}?name=x`, { headers: adminAuth }), 'invalid_request', 'name']],
    401: [['an API key is sent', send('GET', PATH, { headers: { authorization: `Bearer ${KEYS.alice}` } }), 'invalid_api_key']], // prettier-ignore
  });
});
