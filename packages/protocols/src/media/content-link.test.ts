import { expect, it } from 'vitest';
import { createContentLinker } from './content-link.ts';

const { link, isValid } = createContentLinker('a secret');
const task = { id: 'image_1', kind: 'image' } as const;

function check(at: string, now: number, valid = isValid): boolean {
  const url = new URL(at, 'http://gateway.test');
  return valid(url.pathname, Object.fromEntries(url.searchParams), now);
}

it('a link is always the same and valid until it expires', () => {
  const url = link(task, 3, 60_500);
  expect(url).toMatch(/^\/v1\/images\/generations\/image_1\/content\/3\?expires=60&signature=[\w-]+$/);
  expect(link(task, 3, 60_500)).toBe(url);
  expect([check(url, 59_999), check(url, 60_000)]).toEqual([true, false]);
});

it('a modified link or one of another secret is invalid', () => {
  const url = link(task, 3, 60_000);
  for (const other of [url.replace('/3', '/4'), url.replace('=60', '=61'), url.slice(0, -1), '/v1/x']) {
    expect(check(other, 0)).toBe(false);
  }
  expect(check(url, 0, createContentLinker('another').isValid)).toBe(false);
  expect(link({ id: 'video_1', kind: 'video' }, 0, 0)).toMatch(/^\/v1\/videos\/video_1\/content\?/);
});
