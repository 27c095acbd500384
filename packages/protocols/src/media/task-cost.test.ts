import { isFinal, TASK_STATUSES } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { videoTask } from '../../test/media-tasks.ts';
import { costOf } from './task-cost.ts';

describe('costOf', () => {
  it('is the cost in US dollars', () => {
    expect(costOf({ ...videoTask, costNanos: 510_000_001 })).toEqual({ cost_usd: 0.510000001 });
    expect(costOf({ ...videoTask, costNanos: 0 })).toEqual({ cost_usd: 0 });
  });

  it('says that the price is unknown', () => {
    expect(costOf({ ...videoTask, unpriced: true })).toEqual({ unpriced: true });
    expect(costOf(videoTask)).toEqual({});
  });

  it('is only present in a final state, also in an event of the past', () => {
    for (const status of TASK_STATUSES) {
      expect('cost_usd' in costOf({ ...videoTask, status, costNanos: 1 })).toBe(isFinal(status));
    }
  });
});
