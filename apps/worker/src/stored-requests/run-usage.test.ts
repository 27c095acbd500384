import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunUsage } from './run-usage.ts';

const ADMISSION = { id: 'fare_1', owner: 'alice', tokens: 0 };
const USED = { admission: ADMISSION, used: { tokens: 0, nanos: 5 } };
const count = () => undefined;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reserved(): RunUsage {
  const usage = new RunUsage({}, { id: 'line', createdAt: 0 });
  usage.run.onReserved();
  return usage;
}

describe('the usage of a stored request', () => {
  it('is the one that the request reports', async () => {
    const usage = reserved();
    usage.run.onUsage(USED, count);
    expect([await usage.ended(), await usage.reported()]).toEqual([USED, { usage: USED, count }]);
  });

  it('is unknown if it is not reported in time, which is an error for a result that must be charged', async () => {
    const usage = reserved();
    const [ended, reported] = [usage.ended(), usage.reported()];
    const error = expect(reported).rejects.toThrow('not reported in time');
    await vi.advanceTimersByTimeAsync(5_000);
    await error;
    expect(await ended).toBeUndefined();
  });

  it('is empty without a reservation', async () => {
    const usage = new RunUsage({}, { id: 'line', createdAt: 0 });
    expect([await usage.ended(), await usage.reported()]).toEqual([undefined, {}]);
  });
});
