import { toNanos } from '@sluice/limits';
import { describe, expect, it } from 'vitest';
import { taskAllowance } from './task-allowance.ts';

const budget = { usd: 3, period: 'day' as const };
const price = { request: 0.01, image: 0.04, video_second: 0.1 };

const max = (request: { kind: 'video' | 'image'; n?: number }, seconds: string) =>
  taskAllowance({ budget }, price, request, seconds)?.price?.maxNanos;

describe('taskAllowance', () => {
  it('is undefined for a key without limits', () => {
    expect(taskAllowance({}, price, { kind: 'video' }, '4')).toBeUndefined();
  });

  it("reserves a video's started seconds, or an image task's images", () => {
    expect(max({ kind: 'video' }, '8')).toBe(toNanos(0.81));
    expect(max({ kind: 'video' }, '4.3')).toBe(toNanos(0.51));
    expect(max({ kind: 'video' }, '0.001')).toBe(toNanos(0.11));
    expect(max({ kind: 'image', n: 3 }, '0')).toBe(toNanos(0.13));
    expect(max({ kind: 'image' }, '0')).toBe(toNanos(0.05));
  });

  it('reserves no budget for a model without a price', () => {
    expect(taskAllowance({ budget, limits: { open_tasks: 2 } }, undefined, { kind: 'video' }, '4')).toEqual({
      openTasks: 2,
      concurrentTasks: undefined,
    });
  });
});
