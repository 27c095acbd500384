import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/batches';
const UNKNOWN = `batch_${'0'.repeat(25)}`;
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });
const change = (body: unknown, id = UNKNOWN) => sendJson('POST', `${PATH}/${id}`, body, adminAuth);

describe('GET /admin/v1/batches', () => {
  testRejections(() => rig, {
    400: [
      ['owner is empty', get('?owner='), 'invalid_request', 'owner'],
      ['owner is repeated', get('?owner=a&owner=b'), 'invalid_request', 'owner'],
      ['owner is too long', get(`?owner=${'x'.repeat(257)}`), 'invalid_request', 'owner'],
      ['status is unknown', get('?status=lost'), 'invalid_request', 'status'],
      ['model is empty', get('?model='), 'invalid_request', 'model'],
      ['limit is 0', get('?limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', get('?limit=101'), 'invalid_request', 'limit'],
      ['after is no id', get('?after=x'), 'invalid_request', 'after'],
      ['after contains a command', get(`?after=${UNKNOWN}%0D%0AFLUSHALL`), 'invalid_request', 'after'],
      ['a parameter is unknown', get('?key=alice'), 'invalid_request', 'key'],
    ],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
  });
});

describe('GET /admin/v1/batches/:id', () => {
  testRejections(() => rig, {
    400: [['a parameter is unknown', get(`/${UNKNOWN}?lines=1`), 'invalid_request', 'lines']],
    401: [["the credential is a client's API key", send('GET', `${PATH}/${UNKNOWN}`), 'invalid_api_key']],
    404: [
      ['the id is unknown', get(`/${UNKNOWN}`), 'batch_not_found'],
      ['the id is malformed', get('/x'), 'batch_not_found'],
      ['the id contains a separator of keys', get('/batch_a:b'), 'batch_not_found'],
    ],
    405: [['a batch is deleted', send('DELETE', `${PATH}/${UNKNOWN}`, { headers: adminAuth }), 'method_not_allowed']],
  });
});

describe('POST /admin/v1/batches/:id', () => {
  testRejections(() => rig, {
    400: [
      ['the body is empty', change({}), 'invalid_request'],
      ['paused is text', change({ paused: 'yes' }), 'invalid_request', 'paused'],
      ['priority is 101', change({ priority: 101 }), 'invalid_request', 'priority'],
      ['a field is unknown', change({ paused: true, owner: 'bob' }), 'invalid_request', 'owner'],
    ],
    401: [["the credential is a client's API key", sendJson('POST', `${PATH}/${UNKNOWN}`, {}), 'invalid_api_key']],
    404: [['the id is unknown', change({ paused: true }), 'batch_not_found']],
  });
});

describe('POST /admin/v1/batches/:id/cancel', () => {
  const cancel = (body?: unknown) => sendJson('POST', `${PATH}/${UNKNOWN}/cancel`, body, adminAuth);
  testRejections(() => rig, {
    400: [['a field is unknown', cancel({ force: true }), 'invalid_request', 'force']],
    401: [
      ["the credential is a client's API key", sendJson('POST', `${PATH}/${UNKNOWN}/cancel`, {}), 'invalid_api_key'],
    ],
    404: [['the id is unknown', cancel({}), 'batch_not_found']],
  });
});
