import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/upstreams/fallbacks';
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });

describe('GET /admin/v1/upstreams/fallbacks', () => {
  testRejections(() => rig, {
    400: [
      ['start_time is text', get('?start_time=yesterday'), 'invalid_request', 'start_time'],
      ['end_time is before start_time', get('?start_time=5&end_time=4'), 'invalid_request', 'start_time'],
      ['the period is too long', get('?start_time=2000-01-01&end_time=2001-01-01'), 'invalid_request', 'start_time'],
      ['a parameter is unknown', get('?upstream=acme'), 'invalid_request', 'upstream'],
    ],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
    404: [['the ledger is disabled', get(''), 'not_found']],
  });
});
