import { createLogger } from '@sluice/telemetry';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CappedKey, createCapNotifier } from './concurrency-caps.ts';

let recorded: [string, number | undefined][][];
let away: boolean;
let notify: (keys: readonly CappedKey[]) => void;
beforeEach(() => {
  recorded = [];
  away = false;
  const capOwners = (caps: ReadonlyMap<string, number | undefined>): Promise<void> => {
    recorded.push([...caps]);
    return away ? Promise.reject(new Error('away')) : Promise.resolve();
  };
  notify = createCapNotifier({ capOwners }, createLogger({ level: 'silent', name: 'test' }));
});

const key = (name: string, max?: number): CappedKey => ({ name, ...(max && { limits: { concurrent_tasks: max } }) });

describe('createCapNotifier', () => {
  it('declares each new limit once', () => {
    notify([key('a', 1), key('b')]);
    notify([key('a', 1), key('b')]);
    notify([key('a', 2), key('b'), key('c', 3)]);
    notify([key('a'), key('b')]);
    expect(recorded).toEqual([
      [
        ['a', 1],
        ['b', undefined],
      ],
      [
        ['a', 2],
        ['c', 3],
      ],
      [['a', undefined]],
    ]);
  });

  it('retries a failed declaration', async () => {
    away = true;
    notify([key('a', 1)]);
    await new Promise((resolve) => setImmediate(resolve));
    away = false;
    notify([key('a', 1)]);
    notify([key('a', 1)]);
    expect(recorded).toEqual([[['a', 1]], [['a', 1]]]);
  });
});
