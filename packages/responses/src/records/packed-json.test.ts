import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packJson, unpackJson } from './packed-json.ts';

describe('packed JSON', () => {
  it('returns any value unchanged, short or long', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.nat(2_000), async (value, repeat) => {
        const json = JSON.parse(JSON.stringify([value, Array.from({ length: repeat }, () => 'é😀 words')])) as unknown;
        expect(await unpackJson(await packJson(json))).toEqual(json);
      }),
      { numRuns: 50 },
    );
  });

  it.each([0, 1])('returns megabytes of surrogate pairs unchanged, from position %i on', async (start) => {
    const text = `${'a'.repeat(start)}${'😀'.repeat(1_100_000)}`;
    expect((await unpackJson(await packJson(text))) === text).toBe(true);
  });

  it('leaves short values readable and compresses long ones', async () => {
    expect((await packJson({ a: 1 })).toString()).toBe('{"a":1}');
    expect((await packJson('x'.repeat(8_190))).length).toBe(8_192);
    expect((await packJson('x'.repeat(8_191))).length).toBeLessThan(100);
  });
});
