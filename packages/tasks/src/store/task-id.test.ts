import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTaskId, newTaskId } from './task-id.ts';

describe('newTaskId', () => {
  it('returns ids that sort by time of creation', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 44), fc.integer({ min: 1, max: 10_000 }), (time, later) => {
        expect(newTaskId('video', time, randomBytes) < newTaskId('video', time + later, randomBytes)).toBe(true);
      }),
    );
  });

  it('returns unique ids within a millisecond', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => newTaskId('video', 1, randomBytes)));
    expect(ids.size).toBe(10_000);
  });
});

describe('isTaskId', () => {
  it('accepts generated ids', () => {
    expect(isTaskId(newTaskId('video', Date.now(), randomBytes))).toBe(true);
  });

  it.each([
    '',
    'video_',
    'video_../../etc/passwd',
    'task_9f',
    `video_${'u'.repeat(26)}`,
    `video_${'0'.repeat(27)}`,
    '*',
  ])('rejects %j', (text) => {
    expect(isTaskId(text)).toBe(false);
  });
});
