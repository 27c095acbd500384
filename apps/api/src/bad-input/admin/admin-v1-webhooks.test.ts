import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/webhooks';
const WEBHOOK = `whe_${'0'.repeat(32)}`;
const request = (method: string, at: string) => send(method, `${PATH}${at}`, { headers: adminAuth });

describe.each(['', '/deliveries'])('GET /admin/v1/webhooks%s', (at) => {
  testRejections(() => rig, {
    400: [
      ['limit is 0', request('GET', `${at}?limit=0`), 'invalid_request', 'limit'],
      ['limit is 101', request('GET', `${at}?limit=101`), 'invalid_request', 'limit'],
      ['after is not an id', request('GET', `${at}?after=1'--`), 'invalid_request', 'after'],
      ['key is empty', request('GET', `${at}?key=`), 'invalid_request', 'key'],
      ['key is too long', request('GET', `${at}?key=${'x'.repeat(513)}`), 'invalid_request', 'key'],
      ['a parameter is unknown', request('GET', `${at}?owner=alice`), 'invalid_request', 'owner'],
    ],
    401: [["the credential is a client's API key", send('GET', `${PATH}${at}`), 'invalid_api_key']],
  });
});

describe('a webhook or delivery that does not exist', () => {
  testRejections(() => rig, {
    404: [
      ['a webhook is retrieved', request('GET', `/${WEBHOOK}`), 'webhook_not_found'],
      ['the id is malformed', request('GET', '/x'), 'webhook_not_found'],
      ['the id contains a separator of keys', request('GET', '/whe_a:b'), 'webhook_not_found'],
      ['a webhook is deleted', request('DELETE', `/${WEBHOOK}`), 'webhook_not_found'],
      ['a secret is rotated', request('POST', `/${WEBHOOK}/rotate`), 'webhook_not_found'],
      ['a delivery is retrieved', request('GET', '/deliveries/whd_x'), 'webhook_not_found'],
      ['a delivery is sent again', request('POST', '/deliveries/whd_x/redeliver'), 'webhook_not_found'],
      [
        'a page starts after an unknown delivery',
        request('GET', '/deliveries?after=whd_x'),
        'webhook_not_found',
        'after',
      ],
      [
        'deliveries of an unknown webhook are listed',
        request('GET', `/deliveries?webhook_id=${WEBHOOK}`),
        'webhook_not_found',
      ],
    ],
  });
});

describe('POST /admin/v1/webhooks/:id/rotate', () => {
  const rotate = (body: unknown) => sendJson('POST', `${PATH}/${WEBHOOK}/rotate`, body, adminAuth);
  testRejections(() => rig, {
    400: [
      ['keep_previous is text', rotate({ keep_previous: 'no' }), 'invalid_request', 'keep_previous'],
      ['a field is unknown', rotate({ keep: true }), 'invalid_request', 'keep'],
      ['the body is an array', rotate([]), 'invalid_request'],
    ],
    401: [["the credential is a client's API key", send('POST', `${PATH}/${WEBHOOK}/rotate`), 'invalid_api_key']],
  });
});
