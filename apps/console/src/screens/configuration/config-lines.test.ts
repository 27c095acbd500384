import { describe, expect, it } from 'vitest';
import { linesOf, settingsOf, shownValue } from './config-lines.ts';

describe('linesOf', () => {
  it('names fields as the list of changes does', () => {
    const running = {
      log: { level: 'info' },
      models: [{ id: 'a', routes: [{ upstream: 'u' }, { upstream: 'v' }] }],
      keys: [{ name: 'team', models: ['a', 'b'] }],
      content: {},
      download: { allow: [] },
    };
    expect(linesOf(running).map(({ path, value }) => `${path} = ${value}`)).toEqual([
      'log.level = info',
      'models[a].id = a',
      'models[a].routes[0].upstream = u',
      'models[a].routes[1].upstream = v',
      'keys[team].name = team',
      'keys[team].models = ["a","b"]',
      'content = {}',
      'download.allow = []',
    ]);
  });
});

describe('settingsOf', () => {
  it('has the fields of a file, with the folder of files that is in use', () => {
    const derived = { file: '/sluice.yaml', dataDir: '/data', contentDir: '/data/content', disabledModels: [] };
    const running = { log: { level: 'info' }, content: { retention_days: 7 }, ...derived };
    expect(settingsOf(running)).toEqual({
      log: { level: 'info' },
      content: { retention_days: 7, dir: '/data/content' },
    });
  });
});

describe('shownValue', () => {
  it('formats sections as YAML and other values as they are', () => {
    expect(shownValue({ id: 'a', routes: [{ upstream: 'u' }] })).toBe('id: a\nroutes:\n  - upstream: u');
    expect([shownValue('x'), shownValue(5), shownValue(false), shownValue(null)]).toEqual(['x', '5', 'false', 'null']);
  });
});
