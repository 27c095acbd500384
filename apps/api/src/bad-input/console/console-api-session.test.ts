import { afterAll, beforeAll, describe } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { KEYS } from '../../../test/api-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/console/api/session';
const own = { 'sec-fetch-site': 'same-origin' };
const post = (body: unknown, headers = {}) => sendJson('POST', PATH, body, { ...own, ...headers });

describe('POST /console/api/session', () => {
  testRejections(() => rig, {
    400: [
      ['the body is empty', post({}), 'invalid_request', 'key'],
      ['the JSON is null', post('null'), 'invalid_request'],
      ['key is empty', post({ key: '' }), 'invalid_request', 'key'],
      ['key is a number', post({ key: 7 }), 'invalid_request', 'key'],
      ['key is too long', post({ key: 'x'.repeat(1_025) }), 'invalid_request', 'key'],
      ['role is unknown', post({ key: ADMIN_KEY, role: 'root' }), 'invalid_request', 'role'],
      ['role is sent with an API key', post({ key: KEYS.alice, role: 'admin' }), 'invalid_request', 'role'],
      ['a field is unknown', post({ key: 'x', remember: true }), 'invalid_request', 'remember'],
    ],
    401: [['the key is wrong', post({ key: 'sk-wrong' }), 'invalid_api_key']],
    403: [
      ['the request is of another site', post({ key: 'x' }, { 'sec-fetch-site': 'cross-site' }), 'permission_denied'],
      ['the origin is another', post({ key: 'x' }, { origin: 'https://evil.test' }), 'permission_denied'],
    ],
    413: [['the body is too large', post({ key: 'x'.repeat(20_000) }), 'payload_too_large']],
    415: [['the body is text', send('POST', PATH, { headers: own, body: 'key=x' }), 'unsupported_media_type']],
  });
});

describe('the other paths of sessions', () => {
  testRejections(() => rig, {
    401: [
      ['there is no session', send('GET', PATH, { headers: own }), 'invalid_api_key'],
      [
        'the cookie is unknown',
        send('GET', PATH, { headers: { ...own, cookie: `sluice_session=${'x'.repeat(43)}` } }),
        'invalid_api_key',
      ],
      [
        'the cookie is too long',
        send('GET', PATH, { headers: { ...own, cookie: `sluice_session=${'x'.repeat(900)}` } }),
        'invalid_api_key',
      ],
      [
        'an API key is sent instead',
        send('DELETE', PATH, { headers: { authorization: `Bearer ${KEYS.alice}` } }),
        'invalid_api_key',
      ],
      ['a list is read without a session', send('GET', `${PATH}s`, { headers: own }), 'invalid_api_key'],
      [
        'changes are followed without a session',
        send('GET', '/console/api/events', { headers: own }),
        'invalid_api_key',
      ],
      ['another one is ended without a session', send('DELETE', `${PATH}s/x`, { headers: own }), 'invalid_api_key'],
    ],
  });
});
