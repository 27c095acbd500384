import { expect, it } from 'vitest';
import { bearer, keyHeader } from './bearer.ts';

it('encodes a key as Bearer', () => {
  expect(bearer('k')).toEqual(['authorization', 'Bearer k']);
});

it.each([
  ['https://mine.openai.azure.com/openai/v1', 'api-key', 'k'],
  ['https://mine.services.ai.azure.com/openai/v1', 'api-key', 'k'],
  ['https://mine.cognitiveservices.azure.us', 'api-key', 'k'],
  ['https://mine.openai.azure.cn/openai/v1', 'api-key', 'k'],
  ['https://api.openai.com/v1', 'authorization', 'Bearer k'],
  ['https://openai.azure.com.example.org', 'authorization', 'Bearer k'],
  ['http://127.0.0.1:8079/azure/openai/v1', 'authorization', 'Bearer k'],
])('sends a key to %s as %s', (url, name, value) => {
  expect(keyHeader('k', url)).toEqual([name, value]);
});
