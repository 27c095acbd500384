import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/models';
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });

describe('GET /admin/v1/models', () => {
  testRejections(() => rig, {
    400: [
      ['a parameter is unknown', get('?kind=text'), 'invalid_request', 'kind'],
      ['a parameter is named __proto__', get('?__proto__=1'), 'invalid_request', '__proto__'],
    ],
    401: [
      ["the credential is a client's API key", send('GET', PATH), 'invalid_api_key'],
      ['the credential is missing', send('GET', PATH, { headers: {} }), 'invalid_api_key'],
    ],
    404: [['one model is requested', get('/video'), 'not_found']],
  });
});

describe('POST /admin/v1/models', () => {
  testRejections(() => rig, {
    405: [['the method is not supported', sendJson('POST', PATH, { id: 'm' }, adminAuth), 'method_not_allowed']],
  });
});
