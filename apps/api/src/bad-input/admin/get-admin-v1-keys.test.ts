import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const list = (query: string) => send('GET', `/admin/v1/keys?${query}`, { headers: adminAuth });

describe('GET /admin/v1/keys', () => {
  testRejections(() => rig, {
    400: [
      ['limit is 0', list('limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', list('limit=101'), 'invalid_request', 'limit'],
      ['limit is not a number', list('limit=x'), 'invalid_request', 'limit'],
      ['limit is repeated', list('limit=1&limit=2'), 'invalid_request', 'limit'],
      ['after is not a key', list('after=unknown'), 'invalid_request', 'after'],
      ['a parameter is unknown', list('page=2'), 'invalid_request', 'page'],
      ['a parameter is named __proto__', list('__proto__=1'), 'invalid_request', '__proto__'],
    ],
    401: [["the credential is a client's API key", send('GET', '/admin/v1/keys'), 'invalid_api_key']],
  });
});

describe('PUT /admin/v1/keys', () => {
  testRejections(() => rig, {
    405: [['the method is not supported', sendJson('PUT', '/admin/v1/keys', {}, adminAuth), 'method_not_allowed']],
  });
});
