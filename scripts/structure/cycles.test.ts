import { describe, expect, it } from 'vitest';
import { cyclesOf, folderGraph } from './cycles.mjs';

describe('cyclesOf', () => {
  it('finds a cycle over several files, without files that only lead to it', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'leaf']],
      ['c', ['d']],
      ['d', ['b']],
      ['leaf', []],
    ]);
    expect(cyclesOf(graph)).toEqual([['b', 'c', 'd']]);
  });

  it('accepts files that share imports', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', []],
    ]);
    expect(cyclesOf(graph)).toEqual([]);
  });
});

const folderCycles = (files: Record<string, string[]>) => cyclesOf(folderGraph(new Map(Object.entries(files))));

describe('folderGraph', () => {
  it('finds folders that import each other through different files', () => {
    const files = {
      'apps/api/src/a/one.ts': ['apps/api/src/b/one.ts'],
      'apps/api/src/b/two.ts': ['apps/api/src/a/two.ts'],
    };
    expect(folderCycles(files)).toEqual([['apps/api/src/a', 'apps/api/src/b']]);
  });

  it('finds a folder and its subfolder that import each other', () => {
    const files = {
      'apps/api/src/index.ts': ['apps/api/src/a/one.ts'],
      'apps/api/src/a/one.ts': ['apps/api/src/types.ts'],
    };
    expect(folderCycles(files)).toEqual([['apps/api/src', 'apps/api/src/a']]);
  });

  it('accepts a folder that imports its subfolder', () => {
    const files = { 'apps/api/src/index.ts': ['apps/api/src/a/one.ts', 'apps/api/src/types.ts'] };
    expect(folderCycles(files)).toEqual([]);
  });
});
