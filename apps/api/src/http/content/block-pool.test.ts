import { describe, expect, it } from 'vitest';
import { BlockPool } from './block-pool.ts';

const bytesOf = (blocks: readonly Buffer[]) => blocks.reduce((sum, { byteLength }) => sum + byteLength, 0);

describe('BlockPool', () => {
  it('gives a single download large reads, and none more than it needs', () => {
    expect(bytesOf(new BlockPool().take(1e9))).toBeGreaterThanOrEqual(256 * 1024);
    expect(bytesOf(new BlockPool().take(20_000))).toBe(32 * 1024);
    expect(bytesOf(new BlockPool().take(0))).toBeGreaterThan(0);
  });

  it('divides less than 10 MiB among 200 stalled downloads', () => {
    const pool = new BlockPool();
    const taken = Array.from({ length: 200 }, () => bytesOf(pool.take(1e9)));
    expect(Math.min(...taken)).toBeGreaterThan(0);
    expect(taken.reduce((sum, bytes) => sum + bytes)).toBeLessThan(10 * 1024 * 1024);
  });

  it('balances the shares while downloads continue', () => {
    const pool = new BlockPool();
    const downloads = Array.from({ length: 20 }, () => pool.take(1e9));
    for (let times = 0; times < 10; times++) {
      for (const [index, blocks] of downloads.entries()) {
        pool.put(blocks);
        downloads[index] = pool.take(1e9);
      }
    }
    const shares = downloads.map(bytesOf);
    expect(Math.max(...shares)).toBeLessThanOrEqual(2 * Math.min(...shares));
  });

  it('reuses returned blocks, but not discarded ones', () => {
    const pool = new BlockPool();
    const [returned, discarded] = [pool.take(1), pool.take(1)];
    pool.put(returned);
    pool.discard(discarded);
    const next = pool.take(40_000);
    expect(next).toContain(returned[0]);
    expect(next).not.toContain(discarded[0]);
  });
});
