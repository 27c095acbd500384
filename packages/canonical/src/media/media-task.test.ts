import { describe, expect, it } from 'vitest';
import { isFinal, publicStatus, TASK_STATUSES } from './media-task.ts';

describe('publicStatus', () => {
  it('shows one of four words whatever the inner state', () => {
    const words = new Set(TASK_STATUSES.map(publicStatus));
    expect([...words].toSorted()).toEqual(['completed', 'failed', 'in_progress', 'queued']);
  });

  it('shows an end exactly when the task has ended', () => {
    for (const status of TASK_STATUSES) {
      expect(['completed', 'failed'].includes(publicStatus(status))).toBe(isFinal(status));
    }
  });
});
