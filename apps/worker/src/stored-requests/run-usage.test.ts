import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunUsage } from './run-usage.ts';

const ADMISSION = { id: 'fare_1', owner: 'alice', tokens: 0 };
const USED = { admission: ADMISSION, used: { tokens: 0, nanos: 5 } };
const count = () => undefined;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reserved(endNow: () => void = () => undefined): RunUsage {
  const usage = new RunUsage({}, { id: 'line', createdAt: 0 });
  usage.run.onReserved(endNow);
  return usage;
}

describe('the usage of a stored request', () => {
  it('is the one that the request reports', async () => {
    const usage = reserved();
    usage.run.onUsage(USED, count);
    expect([await usage.ended(), await usage.reported()]).toEqual([USED, { usage: USED, count }]);
  });

  it('is the usage so far if it is not reported in time', async () => {
    const usage: RunUsage = reserved(() => usage.run.onUsage(USED, undefined));
    const ended = usage.ended();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await ended).toEqual(USED);
  });

  it('must be reported in time for a result that is recorded', async () => {
    const error = expect(reserved().reported()).rejects.toThrow('not reported in time');
    await vi.advanceTimersByTimeAsync(5_000);
    await error;
  });

  it('is empty without a reservation', async () => {
    const usage = new RunUsage({}, { id: 'line', createdAt: 0 });
    expect([await usage.ended(), await usage.reported()]).toEqual([undefined, {}]);
  });
});
