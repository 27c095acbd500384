import { describe, expect, it } from 'vitest';
import { showUrl } from './show-url.ts';

describe('showUrl', () => {
  it.each([
    ['redis://:secret@127.0.0.1:6379', 'redis://127.0.0.1:6379'],
    ['redis://:se@secret@redis:6379/1', 'redis://redis:6379/1'],
    ['rediss://user:secret@redis:6380/1?password=secret#secret', 'rediss://redis:6380/1'],
    ['unix:///run/redis.sock', 'unix:///run/redis.sock'],
    ['https://one.example/v1/', 'https://one.example/v1'],
    ['embedded', 'embedded'],
  ])('shows %s as %s', (url, shown) => {
    expect(showUrl(url)).toBe(shown);
  });

  it.each([
    'redis://:12/secret@redis:6379',
    'redis://user:12/secret@redis',
    'unix://u:secret@/run/x',
    'redis://:a b@[',
  ])('shows only the scheme of a URL whose password cannot be delimited: %s', (url) => {
    expect(showUrl(url)).toMatch(/^(redis|unix):\/\/…$/);
  });
});
