import { describe, expect, it } from 'vitest';
import { createLogger, type LoggerOptions } from './create-logger.ts';
import { CENSOR } from './redact.ts';

function record(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, logger: createLogger({ level: 'info', name: 'api', destination, ...options }) };
}

describe('createLogger', () => {
  it('writes one JSON line per message, with process name and level', () => {
    const { lines, logger } = record();
    logger.info({ port: 8080 }, 'listening');
    logger.debug('below the level');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', name: 'api', port: 8080, msg: 'listening' });
  });

  it('masks secret fields of a line, its child logger, and its grandchild', () => {
    const { lines, logger } = record();
    logger
      .child({ apiKey: 'one-secret' })
      .child({ token: 'two-secret' })
      .info({ deep: { prompt: 'three-secret' } });
    expect(lines.join('')).not.toContain('-secret');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ apiKey: CENSOR, token: CENSOR, deep: { prompt: CENSOR } });
  });

  it('masks configured secrets and tokens in texts, their arguments, and bindings', () => {
    const { lines, logger } = record({ secrets: ['hunter22'] });
    logger.child({ note: 'by hunter22' }).info('said %s and %o', 'hunter22', { logged: 'sk-abcdefgh' });
    logger.info({ url: 'http://h/?key=hunter22' });
    expect(lines.join('')).not.toMatch(/hunter22|sk-abcdefgh/);
  });

  it('masks an error however it is logged', () => {
    const { lines, logger } = record({ secrets: ['hunter22'] });
    const error = Object.assign(new TypeError('no hunter22'), { request: { body: 'a cat' } });
    logger.error(error);
    logger.error({ err: error });
    logger.error({ err: error }, 'failed');
    logger.error(error, 'with hunter22');
    expect(lines.join('')).not.toMatch(/hunter22|a cat/);
    const logged = lines.map((line): unknown => JSON.parse(line));
    expect(logged[0]).toMatchObject({ msg: `no ${CENSOR}`, err: { type: 'TypeError', message: `no ${CENSOR}` } });
    expect(logged[1]).toMatchObject({ msg: `no ${CENSOR}` });
    expect(logged[2]).toMatchObject({ msg: 'failed', err: { type: 'TypeError' } });
    expect(logged[3]).toMatchObject({ msg: `with ${CENSOR}`, err: { type: 'TypeError' } });
  });

  it('writes lines for people on demand, masked the same way', () => {
    const { lines, logger } = record({ pretty: true });
    logger.info({ port: 8080, key: 'one-secret' }, 'listening');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\[\d\d:\d\d:\d\d\] INFO \(api\): listening \{"port":8080,"key":"\[redacted\]"\}\n$/);
  });

  it('shares one buffer and one exit listener between all loggers of a process', () => {
    createLogger({ level: 'silent', name: 'api' });
    const listeners = process.listenerCount('exit');
    for (let count = 0; count < 20; count += 1) createLogger({ level: 'silent', name: 'api' });
    expect(process.listenerCount('exit')).toBe(listeners);
  });
});
