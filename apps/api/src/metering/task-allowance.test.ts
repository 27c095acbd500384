import { describe, expect, it } from 'vitest';
import { taskAllowance } from './task-allowance.ts';

describe('taskAllowance', () => {
  it('is undefined for a key without limits', () => {
    expect(taskAllowance({})).toBeUndefined();
  });

  it("contains the key's limits and its budget in nano-dollars", () => {
    const limits = { open_tasks: 2, concurrent_tasks: 1 };
    expect(taskAllowance({ limits, budget: { usd: 3, period: 'day' } })).toEqual({
      openTasks: 2,
      concurrentTasks: 1,
      budget: { nanos: 3e9, period: 'day' },
    });
  });
});
