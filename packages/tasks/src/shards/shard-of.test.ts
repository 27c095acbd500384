import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NewTask } from '../engine/task-requests.ts';
import { isTaskId, newTaskId } from '../store/task-id.ts';
import { mergePages } from './merge-pages.ts';
import { placeTask } from './place-task.ts';
import { onShard, shardOf } from './shard-of.ts';

describe('shardOf', () => {
  it('reads the shard from an id, without a lookup', () => {
    for (const shard of [0, 1, 2, 31]) {
      const id = newTaskId('video', Date.now(), randomBytes, shard);
      expect([isTaskId(id), shardOf(id)]).toEqual([true, shard]);
      expect(shardOf(onShard(id, 3))).toBe(3);
    }
  });

  it('is the home for ids from before there were shards', () => {
    expect(shardOf('video_01k8m2v7n0aaaaaaaaaaaaaaaa')).toBe(0);
    expect(newTaskId('image', 1, randomBytes)).toMatch(/^image_0/);
  });
});

const task = (over: Partial<NewTask> = {}): NewTask => ({
  ownerId: 'owner',
  model: 'm',
  targets: [{ upstream: 'vendor', model: 'm' }],
  request: { kind: 'video', prompt: 'a dog', images: [] },
  seconds: '4',
  operation: 'video.create',
  digest: 'd',
  retryCount: 0,
  ...over,
});
const caps = { vendor: { maxSubmitting: 4 } };
const prompts = Array.from({ length: 600 }, (_, index) => `prompt ${index}`);
const withPrompt = (prompt: string) => task({ request: { kind: 'video', prompt, images: [] } });

describe('placeTask', () => {
  it('spreads prompts evenly, and lists every shard', () => {
    const placed = prompts.map((prompt) => placeTask(withPrompt(prompt), caps, 3));
    expect(placed.every((order) => new Set(order).size === 3)).toBe(true);
    for (const shard of [0, 1, 2]) {
      expect(placed.filter(([first]) => first === shard).length).toBeGreaterThan(150);
    }
  });

  it('moves prompts only to a new shard', () => {
    const moved = prompts.filter((prompt) => {
      const [before, after] = [2, 3].map((shards) => placeTask(withPrompt(prompt), caps, shards)[0]);
      if (before !== after) expect(after).toBe(2);
      return before !== after;
    });
    expect(moved.length).toBeGreaterThan(100);
  });

  it('keeps tasks with limits on the home', () => {
    const allowances = [{ openTasks: 5 }, { concurrentTasks: 2 }, { budget: { nanos: 1, period: 'day' as const } }];
    for (const allowance of allowances) expect(placeTask(task({ allowance }), caps, 3)).toEqual([0]);
    expect(placeTask(task(), { vendor: { maxSubmitting: 4, maxInFlight: 9 } }, 3)).toEqual([0]);
  });
});

function merge(pages: { items: number[]; next?: number }[], limit = 3) {
  return mergePages(pages, { positionOf: (item) => item, compare: (one, other) => one - other, limit });
}

describe('mergePages', () => {
  it('merges in order, and continues after the last item', () => {
    expect(merge([{ items: [1, 4, 6] }, { items: [2, 3] }])).toEqual({ items: [1, 2, 3], next: 3 });
    expect(merge([{ items: [4, 6] }, { items: [] }])).toEqual({ items: [4, 6] });
  });

  it('leaves items behind the position that another shard has reached', () => {
    expect(merge([{ items: [1, 9] }, { items: [2], next: 5 }])).toEqual({ items: [1, 2], next: 5 });
    expect(merge([{ items: [8] }, { items: [], next: 5 }])).toEqual({ items: [], next: 5 });
  });
});
