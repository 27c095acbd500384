import { describe, expect, it } from 'vitest';
import { expandEnvironment } from './expand-environment.ts';
import { credentialOwner, parseSettings, replaceAt, valueAt } from './parse-settings.ts';

const parse = (value: unknown, env: Record<string, string> = {}) =>
  parseSettings(expandEnvironment(value, env), (_, part) => part);

describe('parseSettings', () => {
  it('reads a reference as YAML does where a number or boolean is expected', () => {
    const settings = parse(
      { server: { port: '${P}' }, tasks: { lock_ms: '1${Z}' }, sandbox: { enabled: '${E}' } },
      { P: '0x50', Z: '000', E: 'true' },
    );
    expect(settings).toMatchObject({ server: { port: 80 }, tasks: { lock_ms: 1000 }, sandbox: { enabled: true } });
  });

  it('checks the value that it read', () => {
    expect(() => parse({ server: { port: '${P}' } }, { P: '70000' })).toThrow(
      'value server.port: must be at most 65535 (it comes from P); change it',
    );
    expect(() => parse({ server: { port: '${P}' } }, { P: '[1' })).toThrow('must be a number, not text');
  });

  it('reports an unset variable and a malformed reference once each', () => {
    expect(() => parse({ server: { port: '${NOPE}', host: '${' } })).toThrow(
      /^value server\.host: has an invalid reference[^\n]+\nvalue server\.port: NOPE is not set[^\n]+$/,
    );
  });

  it('accepts an upstream whose credential is not set', () => {
    const upstreams = { a: { kind: 'videos', base_url: 'http://a', api_key: '${NOPE}' } };
    expect(parse({ upstreams }).upstreams['a']).toMatchObject({ kind: 'videos' });
  });
});

describe('credentialOwner', () => {
  it('recognizes credentials of upstreams only', () => {
    expect(credentialOwner(['upstreams', 'a', 'secret_key'])).toBe('a');
    expect(credentialOwner(['upstreams', 'a', 'base_url'])).toBeUndefined();
    expect(credentialOwner(['keys', 0, 'api_key'])).toBeUndefined();
  });
});

describe('valueAt and replaceAt', () => {
  it('read and write a path and create sections', () => {
    const value = {};
    expect(replaceAt(value, ['a', 'b'], 1)).toBe(true);
    expect(valueAt(value, ['a', 'b'])).toBe(1);
    expect(valueAt(value, ['constructor'])).toBeUndefined();
  });

  it('leave other values unchanged', () => {
    const value = { a: 'text' };
    expect(replaceAt(value, ['a', 'b'], 1)).toBe(false);
    expect(value).toEqual({ a: 'text' });
  });
});
