import { describe, expect, it } from 'vitest';
import { ConfigError, formatPath } from './config-error.ts';

describe('ConfigError', () => {
  it('has one line per issue: location, field, problem, and remedy', () => {
    const error = new ConfigError([
      { where: 's.yaml:1:2', path: ['keys', 0, 'name'], wrong: 'is empty', remedy: 'write one' },
      { where: 'SLUICE_CONFIG', path: [], wrong: 'no such file', remedy: 'unset it' },
    ]);
    expect(error.message).toBe('s.yaml:1:2 keys[0].name: is empty; write one.\nSLUICE_CONFIG: no such file; unset it.');
  });
});

describe('formatPath', () => {
  it('formats list indexes in brackets', () => {
    expect(formatPath(['models', 0, 'routes', 1, 'upstream'])).toBe('models[0].routes[1].upstream');
  });
});
