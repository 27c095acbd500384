import { describe, expect, it } from 'vitest';
import { redisUrlOf } from './redis-url.ts';

const redis = (url: string) => ({ redis: { url, prefix: 'sluice' } });

describe('redisUrlOf', () => {
  it("takes the file's server", () => {
    expect(redisUrlOf(redis('redis://a:1'), { REDIS_URL: 'redis://b:2' })).toBe('redis://a:1');
  });

  it('takes what the launcher tells of the embedded server', () => {
    expect(redisUrlOf(redis('embedded'), { REDIS_URL: 'unix:///run/r.sock' })).toBe('unix:///run/r.sock');
  });

  it('says what to do when nobody has started the embedded server', () => {
    expect(() => redisUrlOf(redis('embedded'), {})).toThrow('npm start');
  });
});
