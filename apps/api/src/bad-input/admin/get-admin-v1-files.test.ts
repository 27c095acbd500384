import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/files';
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });

describe('GET /admin/v1/files', () => {
  testRejections(() => rig, {
    400: [
      ['owner is empty', get('?owner='), 'invalid_request', 'owner'],
      ['owner is repeated', get('?owner=a&owner=b'), 'invalid_request', 'owner'],
      ['purpose is unknown', get('?purpose=fun'), 'invalid_request', 'purpose'],
      ['limit is 0', get('?limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', get('?limit=101'), 'invalid_request', 'limit'],
      ['after is no cursor', get('?after=x'), 'invalid_request', 'after'],
      ['after contains a command', get('?after=1:file-x%0D%0AFLUSHALL'), 'invalid_request', 'after'],
      ['a parameter is unknown', get('?sort=owner'), 'invalid_request', 'sort'],
    ],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
    405: [['a file is deleted', send('DELETE', PATH, { headers: adminAuth }), 'method_not_allowed']],
  });
});
