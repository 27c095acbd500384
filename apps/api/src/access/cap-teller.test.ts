import { createLogger } from '@sluice/telemetry';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CappedKey, createCapTeller } from './cap-teller.ts';

let heard: [string, number | undefined][][];
let away: boolean;
let tell: (keys: readonly CappedKey[]) => void;
beforeEach(() => {
  heard = [];
  away = false;
  const capOwners = (caps: ReadonlyMap<string, number | undefined>): Promise<void> => {
    heard.push([...caps]);
    return away ? Promise.reject(new Error('away')) : Promise.resolve();
  };
  tell = createCapTeller({ capOwners }, createLogger({ level: 'silent', name: 'test' }));
});

const key = (name: string, most?: number): CappedKey => ({ name, ...(most && { limits: { concurrent_tasks: most } }) });

describe('createCapTeller', () => {
  it('tells what is new, and nothing twice', () => {
    tell([key('a', 1), key('b')]);
    tell([key('a', 1), key('b')]);
    tell([key('a', 2), key('b'), key('c', 3)]);
    tell([key('a'), key('b')]);
    expect(heard).toEqual([
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

  it('tells again what was not heard', async () => {
    away = true;
    tell([key('a', 1)]);
    await new Promise((resolve) => setImmediate(resolve));
    away = false;
    tell([key('a', 1)]);
    tell([key('a', 1)]);
    expect(heard).toEqual([[['a', 1]], [['a', 1]]]);
  });
});
