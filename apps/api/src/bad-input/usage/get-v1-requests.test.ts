import { afterAll, beforeAll, describe } from 'vitest';
import { send, testRejections } from '../../../test/bad-request.ts';
import { type LedgerRig, ledgerRig } from '../../../test/ledger/ledger-rig.ts';

let rig: LedgerRig;
beforeAll(async () => {
  rig = await ledgerRig();
});
afterAll(() => rig.close());

const get = (path: string) => (query: string) => send('GET', `/v1/requests${path}?${query}`);

describe.each(['', '/histogram', '/export'])('GET /v1/requests%s', (path) => {
  const list = get(path);
  testRejections(() => rig, {
    400: [
      ['key is another key', list('key=bob'), 'invalid_request', 'key'],
      ['key is sent twice', list('key=alice&key=bob'), 'invalid_request', 'key'],
      ['status is unknown', list('status=broken'), 'invalid_request', 'status'],
      ['batch is no id', list('batch=batch_1'), 'invalid_request', 'batch'],
      ['label has no value', list('label=team'), 'invalid_request', 'label'],
      ['model is empty', list('model='), 'invalid_request', 'model'],
      ['min_first_event_ms is negative', list('min_first_event_ms=-1'), 'invalid_request', 'min_first_event_ms'],
      ['min_first_event_ms is text', list('min_first_event_ms=fast'), 'invalid_request', 'min_first_event_ms'],
      ['end_time is before start_time', list('start_time=5&end_time=4'), 'invalid_request', 'start_time'],
      ['start_time is text', list('start_time=yesterday'), 'invalid_request', 'start_time'],
      ['a parameter is unknown', list('sort=cost'), 'invalid_request', 'sort'],
    ],
    401: [
      [
        'the key is unknown',
        send('GET', `/v1/requests${path}`, { headers: { authorization: 'Bearer x' } }),
        'invalid_api_key',
      ],
    ],
  });
});

describe('GET /v1/requests/histogram', () => {
  testRejections(() => rig, {
    400: [
      [
        'the period has many years',
        get('/histogram')('start_time=0&end_time=4000000000'),
        'invalid_request',
        'start_time',
      ],
      ['limit is sent', get('/histogram')('limit=5'), 'invalid_request', 'limit'],
    ],
  });
});

describe('GET /v1/requests/export', () => {
  testRejections(() => rig, {
    400: [
      ['format is unknown', get('/export')('format=xlsx'), 'invalid_request', 'format'],
      ['limit is sent', get('/export')('limit=5'), 'invalid_request', 'limit'],
    ],
  });
});
