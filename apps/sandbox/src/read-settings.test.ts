import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';

describe('readSettings', () => {
  it('needs nothing', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 8079,
      dataDir: path.resolve('.sluice/sandbox'),
      renderMs: 2000,
      apiKey: 'sk-sandbox',
    });
  });

  it('keeps its data beside the other data', () => {
    expect(readSettings({ SLUICE_DATA_DIR: '/data' }).dataDir).toBe(path.resolve('/data/sandbox'));
    expect(readSettings({ SLUICE_DATA_DIR: '/data', SLUICE_SANDBOX_DATA: '/own' }).dataDir).toBe(path.resolve('/own'));
  });

  it('takes an empty variable for an unset one', () => {
    expect(readSettings({ SLUICE_SANDBOX_PORT: '', SLUICE_SANDBOX_KEY: '' })).toEqual(readSettings({}));
  });

  it.each([
    ['SLUICE_SANDBOX_PORT', '65536'],
    ['SLUICE_SANDBOX_PORT', 'http'],
    ['SLUICE_SANDBOX_RENDER_MS', '-1'],
  ])('names %s when it is %s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(name);
  });
});
