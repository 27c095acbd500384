import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { longSubjects, recentSubjects } from './commit-subjects.mjs';

describe('longSubjects', () => {
  it('accepts 72 characters and no more', () => {
    expect(longSubjects(['a'.repeat(72), 'b'.repeat(73)])).toEqual(['b'.repeat(73)]);
  });
});

describe('recentSubjects', () => {
  it('is empty outside a repository', () => {
    expect(recentSubjects(tmpdir())).toEqual([]);
  });
});
