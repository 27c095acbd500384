import { describe, expect, it } from 'vitest';
import { isFinal, publicStatus, TASK_STATUSES } from './media-task.ts';

describe('publicStatus', () => {
  it('maps every task status to one of four public values', () => {
    const values = new Set(TASK_STATUSES.map(publicStatus));
    expect([...values].toSorted()).toEqual(['completed', 'failed', 'in_progress', 'queued']);
  });

  it('shows a final value exactly for final states', () => {
    for (const status of TASK_STATUSES) {
      expect(['completed', 'failed'].includes(publicStatus(status))).toBe(isFinal(status));
    }
  });
});
