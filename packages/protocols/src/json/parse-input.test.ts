import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { countedReads } from '../../test/counted-reads.ts';
import { parseInput } from './parse-input.ts';

const Schema = z.object({ name: z.string({ error: 'must be a string' }), at: z.object({ list: z.array(z.int()) }) });

describe('parseInput', () => {
  it('returns the schema’s output for valid input', () => {
    expect(parseInput(Schema, { name: 'a', at: { list: [1] }, extra: true })).toEqual({ name: 'a', at: { list: [1] } });
  });

  it('names the first invalid field in form notation', () => {
    expect(() => parseInput(Schema, { name: 'a', at: { list: [1, 'x'] } })).toThrow(
      expect.objectContaining({ code: 'invalid_request', status: 400, param: 'at[list][1]' }),
    );
    expect(() => parseInput(Schema, { name: 5, at: 7 })).toThrow(
      expect.objectContaining({ param: 'name', message: 'name must be a string.' }),
    );
  });

  it('stops at the first invalid element of a list', () => {
    const { list, reads } = countedReads('x', 1_000_000);
    expect(() => parseInput(Schema, { name: 'a', at: { list } })).toThrow(
      expect.objectContaining({ param: 'at[list][0]' }),
    );
    expect(reads()).toBe(1);
  });

  it('names no field if the complete input is invalid', () => {
    expect(() => parseInput(Schema, 'text')).toThrow(expect.objectContaining({ param: undefined }));
  });
});
