import { describe, expect, it } from 'vitest';
import { BytesInFlight } from './bytes-in-flight.ts';

const MIB = 1024 * 1024;

describe('BytesInFlight', () => {
  it('limits each key, and frees what a request releases', () => {
    const memory = new BytesInFlight(128 * MIB);
    const first = memory.reserve('alice');
    first.add(100 * MIB);
    const second = memory.reserve('alice');
    expect(() => second.add(29 * MIB)).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterMs: 1_000 }));
    memory.reserve('bob').add(29 * MIB);
    first.release();
    first.release();
    second.add(128 * MIB);
  });

  it('limits the process', () => {
    const memory = new BytesInFlight(128 * MIB);
    for (const key of ['alice', 'bob']) memory.reserve(key).add(128 * MIB);
    const carol = memory.reserve('carol');
    expect(() => carol.add(1)).toThrow(expect.objectContaining({ code: 'store_unavailable', status: 503 }));
  });

  it('ignores bytes after the release', () => {
    const memory = new BytesInFlight(128 * MIB);
    const alice = memory.reserve('alice');
    alice.release();
    alice.add(128 * MIB);
    memory.reserve('alice').add(128 * MIB);
  });
});
