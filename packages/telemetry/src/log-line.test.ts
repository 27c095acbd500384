import { describe, expect, it } from 'vitest';
import { createLogger } from './create-logger.ts';
import { LogLine } from './log-line.ts';

function capture(level = 'info') {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ level, name: 'api', destination, secrets: ['hidden-secret'] }), lines };
}

describe('LogLine', () => {
  it('writes the same line as the logger', () => {
    const { logger, lines } = capture();
    const child = logger.child({ part: 'server' });
    child.info({ path: '/v1 "x"', status: 200, relayed: true, usage: { inputTokens: 3 } }, 'request');
    new LogLine(child)
      .add('path', '/v1 "x"')
      .add('status', 200)
      .add('client', undefined)
      .add('relayed', true)
      .addNumbers('usage', { inputTokens: 3 })
      .write('info', 'request');
    const [expected, actual] = lines.map((line) => line.replace(/"time":"[^"]+"/, '"time":""'));
    expect(actual).toBe(expected);
    expect(lines[1]).toMatch(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
  });

  it('masks credentials in texts of clients and vendors', () => {
    const { logger, lines } = capture();
    new LogLine(logger)
      .addForeign('path', '/v1/hidden-secret')
      .addForeign('model', 'sk-1234567890')
      .addFields({ dropped: ['Bearer abcdefgh'], prompt: 'a private kite' })
      .addFields({})
      .write('info', 'request');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      path: '/v1/[redacted]',
      model: '[redacted]',
      dropped: ['Bearer [redacted]'],
      prompt: '[redacted]',
    });
  });

  it('writes nothing below the level', () => {
    const { logger, lines } = capture('warn');
    new LogLine(logger).add('status', 200).write('info', 'request');
    expect(lines).toEqual([]);
  });
});
