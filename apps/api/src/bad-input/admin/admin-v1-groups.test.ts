import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth, type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { send, sendJson, testRejections } from '../../../test/bad-request.ts';

let rig: AdminRig;
beforeAll(async () => {
  rig = await adminRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/groups';
const UNKNOWN = `group_${'0'.repeat(25)}`;
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });
const act = (action: string) => (body: unknown) => sendJson('POST', `${PATH}/${UNKNOWN}/${action}`, body, adminAuth);

describe('GET /admin/v1/groups', () => {
  testRejections(() => rig, {
    400: [
      ['owner is empty', get('?owner='), 'invalid_request', 'owner'],
      ['owner is repeated', get('?owner=a&owner=b'), 'invalid_request', 'owner'],
      ['status is unknown', get('?status=failed'), 'invalid_request', 'status'],
      ['limit is 0', get('?limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', get('?limit=101'), 'invalid_request', 'limit'],
      ['after is no id', get('?after=x'), 'invalid_request', 'after'],
      ['a parameter is unknown', get('?model=video'), 'invalid_request', 'model'],
    ],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
  });
});

describe('GET /admin/v1/groups/:id', () => {
  testRejections(() => rig, {
    400: [
      ['limit is 101', get(`/${UNKNOWN}?limit=101`), 'invalid_request', 'limit'],
      ['after is negative', get(`/${UNKNOWN}?after=-1`), 'invalid_request', 'after'],
      ['after is no number', get(`/${UNKNOWN}?after=x`), 'invalid_request', 'after'],
      ['a parameter is unknown', get(`/${UNKNOWN}?prompt=true`), 'invalid_request', 'prompt'],
    ],
    401: [["the credential is a client's API key", send('GET', `${PATH}/${UNKNOWN}`), 'invalid_api_key']],
    404: [
      ['the id is unknown', get(`/${UNKNOWN}`), 'batch_not_found'],
      ['the id is malformed', get('/x'), 'batch_not_found'],
      ['the id contains a separator of keys', get('/group_a:b'), 'batch_not_found'],
    ],
  });
});

describe('POST /admin/v1/groups/:id/cancel', () => {
  const cancel = act('cancel');
  testRejections(() => rig, {
    400: [['a field is unknown', cancel({ force: true }), 'invalid_request', 'force']],
    401: [
      ["the credential is a client's API key", sendJson('POST', `${PATH}/${UNKNOWN}/cancel`, {}), 'invalid_api_key'],
    ],
    404: [['the id is unknown', cancel({}), 'batch_not_found']],
  });
});

describe('POST /admin/v1/groups/:id/retry', () => {
  const retry = act('retry');
  testRejections(() => rig, {
    400: [
      ['retry_unknown is text', retry({ retry_unknown: 'yes' }), 'invalid_request', 'retry_unknown'],
      ['a field is unknown', retry({ videos: [1] }), 'invalid_request', 'videos'],
      ['the body is an array', retry([]), 'invalid_request'],
    ],
    401: [
      ["the credential is a client's API key", sendJson('POST', `${PATH}/${UNKNOWN}/retry`, {}), 'invalid_api_key'],
    ],
    404: [['the id is unknown', retry({}), 'batch_not_found']],
  });
});
