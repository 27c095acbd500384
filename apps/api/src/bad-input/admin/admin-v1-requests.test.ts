import { afterAll, beforeAll, describe } from 'vitest';
import { adminAuth } from '../../../test/admin-rig.ts';
import { send, testRejections } from '../../../test/bad-request.ts';
import { type LedgerRig, ledgerRig } from '../../../test/ledger/ledger-rig.ts';

let rig: LedgerRig;
beforeAll(async () => {
  rig = await ledgerRig();
});
afterAll(() => rig.close());

const PATH = '/admin/v1/requests';
const get = (at: string) => send('GET', `${PATH}${at}`, { headers: adminAuth });

describe('GET /admin/v1/requests', () => {
  testRejections(() => rig, {
    400: [
      ['id is empty', get('?id='), 'invalid_request', 'id'],
      ['id is repeated', get('?id=a&id=b'), 'invalid_request', 'id'],
      ['user is too long', get(`?user=${'x'.repeat(513)}`), 'invalid_request', 'user'],
      ['batch is no id', get('?batch=batch_1'), 'invalid_request', 'batch'],
      ['label has no value', get('?label=team'), 'invalid_request', 'label'],
      ['type is unknown', get('?type=batch'), 'invalid_request', 'type'],
      ['status is unknown', get('?status=broken'), 'invalid_request', 'status'],
      ['status is 600', get('?status=600'), 'invalid_request', 'status'],
      ['min_cost_usd is negative', get('?min_cost_usd=-1'), 'invalid_request', 'min_cost_usd'],
      ['min_cost_usd is not a number', get('?min_cost_usd=x'), 'invalid_request', 'min_cost_usd'],
      ['min_cost_usd is too large', get('?min_cost_usd=1000001'), 'invalid_request', 'min_cost_usd'],
      ['min_duration_ms has an exponent', get('?min_duration_ms=1e3'), 'invalid_request', 'min_duration_ms'],
      ['start_time is text', get('?start_time=yesterday'), 'invalid_request', 'start_time'],
      ['end_time is in milliseconds', get('?end_time=1790000000000'), 'invalid_request', 'end_time'],
      ['end_time is before start_time', get('?start_time=5&end_time=4'), 'invalid_request', 'start_time'],
      ['limit is 0', get('?limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', get('?limit=101'), 'invalid_request', 'limit'],
      ['after is no cursor', get('?after=x'), 'invalid_request', 'after'],
      ['after contains SQL', get(`?after=${encodeURIComponent("1' OR 1=1 --_x")}`), 'invalid_request', 'after'],
      ['a parameter is unknown', get('?sort=cost'), 'invalid_request', 'sort'],
    ],
    401: [["the credential is a client's API key", send('GET', PATH), 'invalid_api_key']],
  });
});

describe('GET /admin/v1/requests/:id', () => {
  testRejections(() => rig, {
    400: [['a parameter is unknown', get('/x?prompt=true'), 'invalid_request', 'prompt']],
    401: [["the credential is a client's API key", send('GET', `${PATH}/x`), 'invalid_api_key']],
    404: [
      ['the id is unknown', get('/req_0123456789abcdef0123456789abcdef'), 'not_found'],
      ['the id contains a wildcard', get('/%25'), 'not_found'],
      ['the id is long', get(`/${'x'.repeat(900)}`), 'not_found'],
    ],
  });
});
