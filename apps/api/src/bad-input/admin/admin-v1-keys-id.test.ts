import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { adminAuth, type AdminResponse, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { type BadRequest, send, sendJson, testRejections } from '../../../test/bad-request.ts';
import { INVALID_KEY_SETTINGS } from '../../../test/bad-input/key-settings.ts';

let rig: AdminRig;
let key: AdminResponse;
beforeAll(async () => {
  rig = await adminRig();
  await rig.createKey('own', { models: ['video'] });
  key = await rig.admin('GET', 'keys/own');
});
// A rejected request changes nothing.
afterEach(async () => expect(await rig.admin('GET', 'keys/own')).toEqual(key));
afterAll(() => rig.close());

const at = (id: string) => `/admin/v1/keys/${id}`;
const get = (id: string) => send('GET', at(id), { headers: adminAuth });
const change = (body: unknown, id = 'own') => sendJson('PATCH', at(id), body, adminAuth);
const revoke = (id: string, body: unknown = {}) => sendJson('DELETE', at(id), body, adminAuth);
const rotate = (body: unknown, id = 'own') => sendJson('POST', `${at(id)}/rotate`, body, adminAuth);

describe('GET /admin/v1/keys/:id', () => {
  testRejections(() => rig, {
    400: [
      ['a parameter is unknown', get('own?nothing=1'), 'invalid_request', 'nothing'],
      ['a parameter contains a key', get('own?key=x'), 'invalid_request', 'key'],
    ],
    404: [
      ['the name is unknown', get('unknown'), 'not_found'],
      ['the id is unknown', get('key_0'), 'not_found'],
      ['the name is blank', get('%20'), 'not_found'],
      ['the name is longer than any name', get('x'.repeat(900)), 'not_found'],
    ],
  });
});

describe('PATCH /admin/v1/keys/:id', () => {
  testRejections(() => rig, {
    400: [
      ...INVALID_KEY_SETTINGS.map(([title, body, param]): BadRequest => [
        title,
        change(body),
        'invalid_request',
        param,
      ]),
      ['the name is changed', change({ name: 'other' }), 'invalid_request', 'name'],
      ['the JSON is truncated', change('{'), 'invalid_request'],
      ['the key is configured', change({ strict: true }, 'carol'), 'invalid_request'],
    ],
    401: [["the credential is a client's API key", sendJson('PATCH', at('own'), {}), 'invalid_api_key']],
    404: [['the name is unknown', change({}, 'unknown'), 'not_found']],
  });
});

describe('DELETE /admin/v1/keys/:id', () => {
  testRejections(() => rig, {
    400: [
      ['the request has a body', revoke('own', { really: true }), 'invalid_request', 'really'],
      ['the key is configured', revoke('carol'), 'invalid_request'],
    ],
    401: [["the credential is a client's API key", send('DELETE', at('own')), 'invalid_api_key']],
    404: [['the name is unknown', revoke('unknown'), 'not_found']],
  });
});

describe('POST /admin/v1/keys/:id/rotate', () => {
  testRejections(() => rig, {
    400: [
      ['grace_seconds is negative', rotate({ grace_seconds: -1 }), 'invalid_request', 'grace_seconds'],
      ['grace_seconds is a fraction', rotate({ grace_seconds: 1.5 }), 'invalid_request', 'grace_seconds'],
      ['grace_seconds is a string', rotate({ grace_seconds: '60' }), 'invalid_request', 'grace_seconds'],
      ['grace_seconds is 31 days', rotate({ grace_seconds: 31 * 24 * 3_600 }), 'invalid_request', 'grace_seconds'],
      ['a field is unknown', rotate({ grace: 60 }), 'invalid_request', 'grace'],
      ['the JSON is an array', rotate('[]'), 'invalid_request'],
      ['the key is configured', rotate({}, 'carol'), 'invalid_request'],
    ],
    404: [['the name is unknown', rotate({}, 'unknown'), 'not_found']],
  });
});
