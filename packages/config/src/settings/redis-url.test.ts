import { describe, expect, it } from 'vitest';
import { redisUrlOf } from './redis-url.ts';

const redis = (url: string) => ({ redis: { url, prefix: 'sluice' } });

describe('redisUrlOf', () => {
  it("returns the file's server", () => {
    expect(redisUrlOf(redis('redis://a:1'), { REDIS_URL: 'redis://b:2' })).toBe('redis://a:1');
  });

  it('returns the embedded server that the launcher started', () => {
    expect(redisUrlOf(redis('embedded'), { REDIS_URL: 'unix:///run/r.sock' })).toBe('unix:///run/r.sock');
  });

  it('names the remedy if the embedded server is not running', () => {
    expect(() => redisUrlOf(redis('embedded'), {})).toThrow('npm start');
  });
});
