import { describe, expect, it } from 'vitest';
import { runsSluice } from './runs-sluice.mjs';

describe('runsSluice', () => {
  it('says yes to Node 22.19 and newer, but not on the early 23', () => {
    const versions = ['20.20.2', '22.18.0', '22.19.0', '23.5.0', '23.6.0', '24.0.0', '26.1.0'];
    expect(versions.filter(runsSluice)).toEqual(['22.19.0', '23.6.0', '24.0.0', '26.1.0']);
  });
});
