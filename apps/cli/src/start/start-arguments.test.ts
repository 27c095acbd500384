import { describe, expect, it } from 'vitest';
import { UsageError } from '../terminal/usage-error.ts';
import { parseStartArguments, START_OPTIONS, START_USAGE } from './start-arguments.ts';

describe('parseStartArguments', () => {
  it('sets the variables of the options, and keeps the others', () => {
    const env = { SLUICE_PORT: '1', SLUICE_HOST: 'h', OTHER: 'o' };
    expect(parseStartArguments(['--port', '8090', '--config=my.yaml'], env)).toEqual({
      SLUICE_PORT: '8090',
      SLUICE_HOST: 'h',
      SLUICE_CONFIG: 'my.yaml',
      OTHER: 'o',
    });
  });

  it.each(['--help', '-h'])('recognizes %s', (option) => {
    expect(parseStartArguments([option], {})).toBe('help');
  });

  it.each([['--prot', '1'], ['8090'], ['--port']])('rejects %s', (...args) => {
    expect(() => parseStartArguments(args, {})).toThrow(UsageError);
  });

  it('documents all options', () => {
    for (const option of START_OPTIONS) expect(START_USAGE).toContain(`--${option}`);
  });
});
