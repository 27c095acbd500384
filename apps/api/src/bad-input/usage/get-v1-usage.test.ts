import type { LedgerStore } from '@sluice/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminAuth } from '../../../test/admin-rig.ts';
import { KEYS } from '../../../test/api-rig.ts';
import { send, testRejections } from '../../../test/bad-request.ts';
import { type LedgerRig, ledgerRig } from '../../../test/ledger/ledger-rig.ts';

let rig: LedgerRig;
beforeAll(async () => {
  rig = await ledgerRig();
});
afterAll(() => rig.close());

const usage = (query: string) => send('GET', `/v1/usage?${query}`);
const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('GET /v1/usage', () => {
  testRejections(() => rig, {
    400: [
      ['metric is unknown', usage('metric=money'), 'invalid_request', 'metric'],
      ['metric is empty', usage('metric='), 'invalid_request', 'metric'],
      ['one of the metrics is unknown', usage('metric=cost,%00'), 'invalid_request', 'metric'],
      ['group_by has three dimensions', usage('group_by=key,model,user'), 'invalid_request', 'group_by'],
      [
        'group_by is repeated three times',
        usage('group_by=key&group_by=model&group_by=user'),
        'invalid_request',
        'group_by',
      ],
      ['group_by is a name of SQL', usage('group_by=1;DROP TABLE ledger_totals'), 'invalid_request', 'group_by'],
      ['group_by is both day and hour', usage('group_by=day,hour'), 'invalid_request', 'group_by'],
      ['group_by has brackets and no brackets', usage('group_by=key&group_by[]=day'), 'invalid_request', 'group_by'],
      ['a filter is empty', usage('model='), 'invalid_request', 'model'],
      ['a filter is too long', usage(`user=${'x'.repeat(513)}`), 'invalid_request', 'user'],
      ['a filter has 101 values', usage('model=m&'.repeat(101)), 'invalid_request', 'model'],
      ['a label has no value', usage('label=team'), 'invalid_request', 'label'],
      ['a label has no name', usage('label==search'), 'invalid_request', 'label'],
      ['key is another key', usage('key=bob'), 'invalid_request', 'key'],
      ['one of the keys is another key', usage('key=alice&key=bob'), 'invalid_request', 'key'],
      ['time_zone is unknown', usage('time_zone=Mars/Phobos'), 'invalid_request', 'time_zone'],
      ['time_zone is a path', usage('time_zone=../../etc/passwd'), 'invalid_request', 'time_zone'],
      ['time_zone is an offset', usage('time_zone=%2B01:00'), 'invalid_request', 'time_zone'],
      ['time_zone is repeated', usage('time_zone=UTC&time_zone=UTC'), 'invalid_request', 'time_zone'],
      ['start_time is in milliseconds', usage('start_time=1790000000000'), 'invalid_request', 'start_time'],
      ['start_time is text', usage('start_time=yesterday'), 'invalid_request', 'start_time'],
      ['start_time is negative', usage('start_time=-1'), 'invalid_request', 'start_time'],
      ['start_time is a date that does not exist', usage('start_time=2026-02-30'), 'invalid_request', 'start_time'],
      ['start_time has no offset', usage('start_time=2026-02-03T00:00:00'), 'invalid_request', 'start_time'],
      [
        'end_time is the start_time',
        usage('start_time=2026-02-03&end_time=2026-02-03'),
        'invalid_request',
        'start_time',
      ],
      ['end_time is before the default start', usage('start_time=2030-01-01'), 'invalid_request', 'start_time'],
      ['the period is too long', usage('start_time=0'), 'invalid_request', 'start_time'],
      ['end_time is a number with an exponent', usage('end_time=1e9'), 'invalid_request', 'end_time'],
      ['limit is 0', usage('limit=0'), 'invalid_request', 'limit'],
      ['limit is 10001', usage('limit=10001'), 'invalid_request', 'limit'],
      ['limit is not a number', usage('limit=x'), 'invalid_request', 'limit'],
      ['limit is repeated', usage('limit=1&limit=2'), 'invalid_request', 'limit'],
      ['after is no cursor', usage('group_by=model&after=x'), 'invalid_request', 'after'],
      ['after is of another report', usage(`group_by=model&after=${cursor(['a', 'b'])}`), 'invalid_request', 'after'],
      ['after contains an object', usage(`group_by=model&after=${cursor([{}])}`), 'invalid_request', 'after'],
      ['after is used without groups', usage(`after=${cursor([])}`), 'invalid_request', 'after'],
      ['format is unknown', usage('format=xml'), 'invalid_request', 'format'],
      ['format is repeated', usage('format=csv&format=csv'), 'invalid_request', 'format'],
      ['a parameter is unknown', usage('sort=cost'), 'invalid_request', 'sort'],
      ['a parameter is named __proto__', usage('__proto__=1'), 'invalid_request', '__proto__'],
    ],
    401: [
      ['the API key is missing', send('GET', '/v1/usage', { headers: {} }), 'invalid_api_key'],
      [
        'the API key is unknown',
        send('GET', '/v1/usage', { headers: { authorization: 'Bearer x' } }),
        'invalid_api_key',
      ],
      [
        'key is the name of a key without a credential',
        send('GET', '/v1/usage?key=alice', { headers: {} }),
        'invalid_api_key',
      ],
    ],
    405: [['the method is POST', send('POST', '/v1/usage'), 'method_not_allowed']],
  });

  it('never shows the credential of the key parameter', async () => {
    const headers = {};
    const reply = await send('GET', `/v1/usage?key=${KEYS.alice}`, { headers })(rig);
    expect(reply).toMatchObject({ status: 400, body: { error: { param: 'key' } } });
    expect(JSON.stringify(reply.body)).not.toContain(KEYS.alice);
    expect(rig.logs()).not.toContain(KEYS.alice);
  });

  it('accepts the values of SQL and HTML as filters', async () => {
    for (const value of ["'; DROP TABLE ledger_totals; --", '<script>', '%', '\u0000', '=1+1']) {
      const response = await rig.call(`/v1/usage?user=${encodeURIComponent(value)}`, { headers: adminAuth });
      expect(await response.json()).toMatchObject({ object: 'list', data: [] });
    }
  });
});

const REPORTS = [
  '/v1/usage',
  '/v1/organization/costs?start_time=0&limit=1',
  '/v1/requests/histogram',
  '/v1/requests/export',
  '/admin/v1/requests',
  '/admin/v1/requests/x',
];
const failing = () => Promise.reject(new Error('SECRET unable to open database file'));
const AWAY: LedgerStore = {
  usage: failing,
  entries: failing,
  histogram: failing,
  fallbacks: failing,
  add: failing,
  deleteBefore: failing,
  close: async () => undefined,
};

describe('a ledger that is disabled or away', () => {
  it.each([
    [404, 'not_found', 'disabled', undefined],
    [503, 'store_unavailable', 'unavailable', AWAY],
  ])('returns %i %s', async (status, code, text, ledgerStore) => {
    const own = await ledgerRig({ ledgerStore });
    try {
      for (const path of REPORTS) {
        const response = await own.call(path, { headers: adminAuth });
        expect([path, response.status]).toEqual([path, status]);
        const body: unknown = await response.json();
        expect(body).toMatchObject({ error: { code, message: expect.stringContaining(text), param: null } });
        expect(JSON.stringify(body)).not.toContain('SECRET');
      }
    } finally {
      await own.close();
    }
  });
});
