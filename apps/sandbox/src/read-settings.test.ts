import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';

describe('readSettings', () => {
  it('has defaults for everything', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 8079,
      dataDir: path.resolve('.sluice/sandbox'),
      renderMs: 2000,
      concurrency: {},
      apiKey: 'sk-sandbox',
      accessKey: 'ak-sandbox',
    });
  });

  it('stores its data next to Sluice’s data', () => {
    expect(readSettings({ SLUICE_DATA_DIR: '/data' }).dataDir).toBe(path.resolve('/data/sandbox'));
    expect(readSettings({ SLUICE_DATA_DIR: '/data', SLUICE_SANDBOX_DATA: '/own' }).dataDir).toBe(path.resolve('/own'));
  });

  it('treats an empty variable as unset', () => {
    expect(readSettings({ SLUICE_SANDBOX_PORT: '', SLUICE_SANDBOX_KEY: '' })).toEqual(readSettings({}));
  });

  it('reads concurrency limits and the visibility delay', () => {
    const env = { SLUICE_SANDBOX_CONCURRENCY: 'provider-a=3, runway=2,', SLUICE_SANDBOX_VISIBLE_MS: '0' };
    expect(readSettings(env)).toMatchObject({ concurrency: { 'provider-a': 3, runway: 2 }, visibleAfterMs: 0 });
  });

  it.each([
    ['SLUICE_SANDBOX_PORT', '65536'],
    ['SLUICE_SANDBOX_PORT', 'http'],
    ['SLUICE_SANDBOX_RENDER_MS', '-1'],
    ['SLUICE_SANDBOX_VISIBLE_MS', 'soon'],
    ['SLUICE_SANDBOX_CONCURRENCY', 'provider-a'],
    ['SLUICE_SANDBOX_CONCURRENCY', 'provider-a=0'],
    ['SLUICE_SANDBOX_CONCURRENCY', 'provider-a=1,unknown=2'],
  ])('reports %s by name when it is %s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(name);
  });
});
