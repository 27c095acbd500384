import { afterAll, beforeAll, describe } from 'vitest';
import { send, testRejections } from '../../../test/bad-request.ts';
import { type LedgerRig, ledgerRig } from '../../../test/ledger/ledger-rig.ts';

let rig: LedgerRig;
beforeAll(async () => {
  rig = await ledgerRig();
});
afterAll(() => rig.close());

const TODAY = Date.parse('2026-11-23T00:00:00Z') / 1_000;

describe.each(['usage/completions', 'usage/images', 'usage/vector_stores', 'costs'])(
  'GET /v1/organization/%s',
  (path) => {
    const at = `/v1/organization/${path}`;
    const report = (query: string, start: string | number = TODAY) => send('GET', `${at}?start_time=${start}&${query}`);
    testRejections(() => rig, {
      400: [
        ['start_time is missing', send('GET', at), 'invalid_request', 'start_time'],
        ['start_time is in milliseconds', report('', TODAY * 1_000), 'invalid_request', 'start_time'],
        ['start_time is a date', report('', '2026-11-23'), 'invalid_request', 'start_time'],
        ['start_time is negative', report('', -1), 'invalid_request', 'start_time'],
        ['start_time is in the future', report('', TODAY + 86_400), 'invalid_request', 'start_time'],
        ['end_time is before start_time', report(`end_time=${TODAY - 1}`), 'invalid_request', 'start_time'],
        ['bucket_width is a minute', report('bucket_width=1m'), 'invalid_request', 'bucket_width'],
        ['group_by is unknown', report('group_by[]=upstream'), 'invalid_request', 'group_by'],
        ['group_by is empty', report('group_by='), 'invalid_request', 'group_by'],
        ['limit is 0', report('limit=0'), 'invalid_request', 'limit'],
        ['limit is 181', report('limit=181'), 'invalid_request', 'limit'],
        ['limit is not a number', report('limit=x'), 'invalid_request', 'limit'],
        ['page is no cursor', report('page=x'), 'invalid_request', 'page'],
        ['page is before the start', report(`page=page_${TODAY - 86_400}`), 'invalid_request', 'page'],
        ['page is no start of a bucket', report(`page=page_${TODAY + 1}`), 'invalid_request', 'page'],
        ['page is repeated', report('page=page_0&page=page_0'), 'invalid_request', 'page'],
        ['api_key_ids is another key', report('api_key_ids[]=bob'), 'invalid_request', 'api_key_ids'],
        ['project_ids are not supported', report('project_ids[]=p'), 'invalid_request', 'project_ids'],
        ['a parameter is unknown', report('time_zone=UTC'), 'invalid_request', 'time_zone'],
      ],
      401: [['the API key is missing', send('GET', `${at}?start_time=${TODAY}`, { headers: {} }), 'invalid_api_key']],
    });
  },
);

describe('GET /v1/organization/usage/:kind', () => {
  testRejections(() => rig, {
    404: [['the kind is unknown', send('GET', '/v1/organization/usage/unknown?start_time=0'), 'not_found']],
  });
});
