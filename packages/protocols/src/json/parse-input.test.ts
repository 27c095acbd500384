import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { countedReads } from '../../test/counted-reads.ts';
import { parseInput } from './parse-input.ts';

const Schema = z.object({ name: z.string({ error: 'must be a string' }), at: z.object({ list: z.array(z.int()) }) });

describe('parseInput', () => {
  it('gives what the schema makes of valid input', () => {
    expect(parseInput(Schema, { name: 'a', at: { list: [1] }, extra: true })).toEqual({ name: 'a', at: { list: [1] } });
  });

  it('names the first wrong field as a form spells it', () => {
    expect(() => parseInput(Schema, { name: 'a', at: { list: [1, 'x'] } })).toThrow(
      expect.objectContaining({ code: 'invalid_request', status: 400, param: 'at[list][1]' }),
    );
    expect(() => parseInput(Schema, { name: 5, at: 7 })).toThrow(
      expect.objectContaining({ param: 'name', message: 'name must be a string.' }),
    );
  });

  it('looks at no more of a list than its first element that is wrong', () => {
    const { list, reads } = countedReads('x', 1_000_000);
    expect(() => parseInput(Schema, { name: 'a', at: { list } })).toThrow(
      expect.objectContaining({ param: 'at[list][0]' }),
    );
    expect(reads()).toBe(1);
  });

  it('names no field when the whole is wrong', () => {
    expect(() => parseInput(Schema, 'text')).toThrow(expect.objectContaining({ param: undefined }));
  });
});
