import { expect, it } from 'vitest';
import { unversioned } from './unversioned.ts';

it.each([
  ['https://api.cohere.com', 'https://api.cohere.com'],
  ['https://api.cohere.com/', 'https://api.cohere.com'],
  ['https://api.cohere.com/v2', 'https://api.cohere.com'],
  ['http://127.0.0.1:1/cohere/v1/?team=7', 'http://127.0.0.1:1/cohere?team=7'],
])('%s starts at %s', (base_url, expected) => {
  expect(unversioned({ kind: 'cohere', base_url }).base_url).toBe(expected);
});
