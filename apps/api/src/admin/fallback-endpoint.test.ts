import { afterEach, beforeEach, expect, it } from 'vitest';
import { LEDGER_NOW, type LedgerRig, ledgerRig } from '../../test/ledger/ledger-rig.ts';

let rig: LedgerRig;
beforeEach(async () => {
  rig = await ledgerRig();
});
afterEach(() => rig.close());

const HOUR_MS = 3_600_000;
const HOUR = Math.floor(LEDGER_NOW / HOUR_MS) * 3_600;
const failed = (upstream: string, result = 'upstream_error') => ({ upstream, result, ms: 5 });
const served = { upstream: 'b', result: 'served', ms: 5 };

async function fallbacks(query = ''): Promise<unknown> {
  const { status, body } = await rig.admin('GET', `upstreams/fallbacks${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body['data'];
}

it('counts failed calls at the upstream that failed, if another attempt followed', async () => {
  await rig.addEntries(
    { upstream: 'b', attempts: [failed('a'), served] },
    { upstream: 'b', attempts: [failed('a'), failed('c', 'upstream_timeout'), served] },
    // The last failure is the error of the request.
    { upstream: 'b', status: 502, attempts: [failed('a'), failed('b')] },
    // Not called, or not failed.
    { upstream: 'b', attempts: [failed('a', 'circuit_open'), failed('c', 'unsupported'), served] },
    { upstream: 'b', attempts: [failed('a', 'hedged'), served] },
    { upstream: 'a', status: 502, attempts: [failed('a'), failed('b', 'circuit_open')] },
    {},
  );
  expect(await fallbacks()).toEqual([
    { upstream: 'a', start_time: HOUR, failures: 3 },
    { upstream: 'c', start_time: HOUR, failures: 1 },
  ]);
  const [report] = ((await (await rig.call('/v1/usage?upstream=a')).json()) as { data: { errors: number }[] }).data; // A report.
  expect(report).toMatchObject({ requests: 1, errors: 1 });
});

it('returns the hours of the period, and ends with the retention', async () => {
  await rig.addEntries(
    { attempts: [failed('a'), served] },
    { attempts: [failed('a'), served], at: LEDGER_NOW - 30 * HOUR_MS },
    { attempts: [failed('a'), served], at: LEDGER_NOW - 30 * HOUR_MS },
  );
  const old = { upstream: 'a', start_time: HOUR - 30 * 3_600, failures: 2 };
  expect(await fallbacks()).toHaveLength(1);
  expect(await fallbacks(`?start_time=${HOUR - 30 * 3_600}`)).toEqual([old, expect.objectContaining({ failures: 1 })]);
  expect(await fallbacks(`?start_time=${HOUR - 30 * 3_600}&end_time=${HOUR}`)).toEqual([old]);
  await rig.store.deleteBefore({ entries: 0, rollups: LEDGER_NOW });
  expect(await fallbacks(`?start_time=${HOUR - 40 * 3_600}`)).toHaveLength(1);
});
