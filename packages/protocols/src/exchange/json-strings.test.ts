import { describe, expect, it } from 'vitest';
import { jsonStrings } from './json-strings.ts';

describe('jsonStrings', () => {
  it('finds keys and values, wherever they stand, and nothing inside of other strings', () => {
    const text = JSON.stringify({ a: [{ file_id: 'x' }], say: '"file_uri" \\' });
    expect([...jsonStrings(text)].toSorted()).toEqual([String.raw`\"file_uri\" \\`, 'a', 'file_id', 'say', 'x']);
  });

  it('tells of long ones how they begin', () => {
    expect(jsonStrings(JSON.stringify({ data: 'R1cxAAAA'.repeat(1_000) }))).toContain('R1cx…');
  });

  it('gives up where a string does not end', () => {
    expect([...jsonStrings('{"a":"b')]).toEqual(['a']);
  });
});
