import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { REQUIRED_NODE, runsSluice } from './runs-sluice.mjs';

describe('runsSluice', () => {
  it('accepts Node 22.21, 24.9, and newer, but not 23', () => {
    const versions = ['20.20.2', '22.20.0', '22.21.0', '22.30.1', '23.11.1', '24.8.0', '24.9.0', '25.0.0', '26.1.0'];
    expect(versions.filter(runsSluice)).toEqual(['22.21.0', '22.30.1', '24.9.0', '25.0.0', '26.1.0']);
  });

  it('agrees with `engines` in package.json', async () => {
    const { engines } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(engines.node).toBe('>=22.21 <23 || >=24.9');
  });

  it.each(['README.md', 'docs/start/quickstart.md'])('agrees with %s', async (page) => {
    const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
    expect(text).toContain(`You need npm and Node ${REQUIRED_NODE}.`);
  });
});
