import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/audit';
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });

describe('GET /admin/v1/audit', () => {
  testRejections(() => rig, {
    400: [
      ['actor is empty', get('?actor='), 'invalid_request', 'actor'],
      ['actor is repeated', get('?actor=a&actor=b'), 'invalid_request', 'actor'],
      ['target is too long', get(`?target=${'x'.repeat(257)}`), 'invalid_request', 'target'],
      ['operation is empty', get('?operation='), 'invalid_request', 'operation'],
      ['start_time is text', get('?start_time=yesterday'), 'invalid_request', 'start_time'],
      ['end_time is before start_time', get('?start_time=5&end_time=4'), 'invalid_request', 'start_time'],
      ['limit is 0', get('?limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', get('?limit=101'), 'invalid_request', 'limit'],
      ['after is no cursor', get('?after=x'), 'invalid_request', 'after'],
      ['after has another letter', get('?after=aud_1-0-x'), 'invalid_request', 'after'],
      ['after contains a command', get('?after=aud_1-0-o%0D%0AFLUSHALL'), 'invalid_request', 'after'],
      ['a parameter is unknown', get('?sort=actor'), 'invalid_request', 'sort'],
    ],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
    405: [['an entry is deleted', send('DELETE', PATH, { headers: adminAuth }), 'method_not_allowed']],
  });
});
